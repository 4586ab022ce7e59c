# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hwloc (topology; pins workers): the target hpk_tpl::hwloc. hwloc has no CMake package, so pkg-config tells
# where to look first. This file is installed next to hpkConfig.cmake, because projects that link a static hpk
# need hwloc too. So it must not write into the cache (NO_CACHE).
if(NOT TARGET hpk_tpl::hwloc)
  set(_hpk_hints)
  find_program(_hpk_pkg_config NAMES pkg-config pkgconf NO_CACHE)
  if(_hpk_pkg_config)
    execute_process(
      COMMAND ${_hpk_pkg_config} --variable=prefix hwloc
      OUTPUT_VARIABLE _hpk_hints
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_path(_hpk_hwloc_include hwloc.h HINTS ${_hpk_hints} PATH_SUFFIXES include NO_CACHE)
  find_library(_hpk_hwloc_library hwloc HINTS ${_hpk_hints} PATH_SUFFIXES lib lib64 NO_CACHE)
  if(_hpk_hwloc_include AND _hpk_hwloc_library)
    add_library(hpk_tpl::hwloc UNKNOWN IMPORTED)
    set_target_properties(
      hpk_tpl::hwloc PROPERTIES IMPORTED_LOCATION "${_hpk_hwloc_library}"
                                INTERFACE_INCLUDE_DIRECTORIES "${_hpk_hwloc_include}")
    if(_hpk_hints)
      set_property(TARGET hpk_tpl::hwloc PROPERTY hpk_pkg_config hwloc)
    endif()
  endif()
  unset(_hpk_pkg_config)
  unset(_hpk_hints)
  unset(_hpk_hwloc_include)
  unset(_hpk_hwloc_library)
endif()
