# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# SLEEF (mathematical functions of vectors): the target hpk_tpl::sleef. Only the library: hpk declares the
# functions that it calls. pkg-config tells where to look first. This file is installed next to
# hpkConfig.cmake, because programs with vectors link SLEEF. So it must not write into the cache (NO_CACHE).
if(NOT TARGET hpk_tpl::sleef)
  set(_hpk_hints)
  find_program(_hpk_pkg_config NAMES pkg-config pkgconf NO_CACHE)
  if(_hpk_pkg_config)
    execute_process(
      COMMAND ${_hpk_pkg_config} --variable=prefix sleef
      OUTPUT_VARIABLE _hpk_hints
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_path(_hpk_sleef_include sleef.h HINTS ${_hpk_hints} PATH_SUFFIXES include NO_CACHE)
  find_library(_hpk_sleef_library sleef HINTS ${_hpk_hints} PATH_SUFFIXES lib lib64 NO_CACHE)
  if(_hpk_sleef_include AND _hpk_sleef_library)
    add_library(hpk_tpl::sleef UNKNOWN IMPORTED)
    set_target_properties(hpk_tpl::sleef PROPERTIES IMPORTED_LOCATION "${_hpk_sleef_library}")
    if(_hpk_hints)
      set_property(TARGET hpk_tpl::sleef PROPERTY hpk_pkg_config sleef)
    endif()
  endif()
  unset(_hpk_pkg_config)
  unset(_hpk_hints)
  unset(_hpk_sleef_include)
  unset(_hpk_sleef_library)
endif()
