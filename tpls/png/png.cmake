# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# libpng 1.6 (pictures of Views): the target hpk_tpl::png. pkg-config tells where to look first. This file is
# installed next to hpkConfig.cmake, because programs that link a static hpk need libpng too. So it must not
# write into the cache (NO_CACHE), as CMake's FindPNG does.
if(NOT TARGET hpk_tpl::png)
  set(_hpk_hints)
  set(_hpk_png_version)
  find_program(_hpk_pkg_config NAMES pkg-config pkgconf NO_CACHE)
  if(_hpk_pkg_config)
    execute_process(
      COMMAND ${_hpk_pkg_config} --variable=prefix libpng
      OUTPUT_VARIABLE _hpk_hints
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  find_path(_hpk_png_include png.h HINTS ${_hpk_hints} PATH_SUFFIXES include NO_CACHE)
  find_library(_hpk_png_library png HINTS ${_hpk_hints} PATH_SUFFIXES lib lib64 NO_CACHE)
  # A static libpng calls zlib.
  find_library(_hpk_z_library z HINTS ${_hpk_hints} PATH_SUFFIXES lib lib64 NO_CACHE)
  if(_hpk_png_include)
    file(STRINGS ${_hpk_png_include}/png.h _hpk_png_version REGEX "define PNG_LIBPNG_VER_STRING +.1[.]([6-9]|[1-9][0-9])")
  endif()
  if(_hpk_png_version AND _hpk_png_library AND _hpk_z_library)
    add_library(hpk_tpl::png UNKNOWN IMPORTED)
    set_target_properties(
      hpk_tpl::png PROPERTIES IMPORTED_LOCATION "${_hpk_png_library}"
                              INTERFACE_INCLUDE_DIRECTORIES "${_hpk_png_include}"
                              INTERFACE_LINK_LIBRARIES "${_hpk_z_library}")
    if(_hpk_hints)
      set_property(TARGET hpk_tpl::png PROPERTY hpk_pkg_config libpng)
    endif()
  endif()
  unset(_hpk_pkg_config)
  unset(_hpk_hints)
  unset(_hpk_png_version)
  unset(_hpk_png_include)
  unset(_hpk_png_library)
  unset(_hpk_z_library)
endif()
