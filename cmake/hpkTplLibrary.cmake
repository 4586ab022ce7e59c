# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds libraries that have no CMake package, or one that writes into the cache. Installed next to hpkConfig.cmake
# with the files of tpls/, because programs that link a static hpk need its libraries too.

# hpk_tpl_library(<name> HEADER <file> LIBRARY <library> [PKG_CONFIG <module>] [ROOTS <variable>...] [LINE <regex>]
#                 [NEEDS <library>...] [NO_INCLUDE])
# Defines the target hpk_tpl::<name> if header and library are there. The first places are the prefixes in the
# variables, of CMake or the environment, and the one that pkg-config knows. LINE: a line that the header has, such as
# that of its version. NEEDS: further libraries, which a static one calls. NO_INCLUDE: hpk declares the functions that
# it calls, so files do not see the header's folder, which may also have headers of another architecture. A search
# leaves nothing in the cache of the program (NO_CACHE, which CMake before 3.21 lacks; so each name has its own
# variables).
function(hpk_tpl_library name)
  if(TARGET hpk_tpl::${name})
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 given "NO_INCLUDE" "PKG_CONFIG;HEADER;LIBRARY;LINE" "ROOTS;NEEDS")
  set(hints)
  foreach(root ${given_ROOTS})
    if(DEFINED ${root})
      list(APPEND hints "${${root}}")
    elseif(DEFINED ENV{${root}})
      list(APPEND hints "$ENV{${root}}")
    endif()
  endforeach()
  set(prefix)
  if(given_PKG_CONFIG)
    find_program(_hpk_pkg_config NAMES pkg-config pkgconf NO_CACHE)
    if(_hpk_pkg_config)
      execute_process(
        COMMAND ${_hpk_pkg_config} --variable=prefix ${given_PKG_CONFIG}
        OUTPUT_VARIABLE prefix
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    list(APPEND hints ${prefix})
  endif()
  find_path(_hpk_${name}_include ${given_HEADER} HINTS ${hints} PATH_SUFFIXES include NO_CACHE)
  set(libraries)
  foreach(library ${given_LIBRARY} ${given_NEEDS})
    find_library(_hpk_${name}_${library} ${library} HINTS ${hints} PATH_SUFFIXES lib lib64 NO_CACHE)
    if(NOT _hpk_${name}_${library})
      return()
    endif()
    list(APPEND libraries ${_hpk_${name}_${library}})
  endforeach()
  if(NOT _hpk_${name}_include)
    return()
  endif()
  if(given_LINE)
    file(STRINGS ${_hpk_${name}_include}/${given_HEADER} lines REGEX "${given_LINE}")
    if(NOT lines)
      return()
    endif()
  endif()
  list(GET libraries 0 location)
  list(REMOVE_AT libraries 0)
  add_library(hpk_tpl::${name} UNKNOWN IMPORTED)
  set_target_properties(hpk_tpl::${name} PROPERTIES IMPORTED_LOCATION "${location}" INTERFACE_LINK_LIBRARIES
                                                                                  "${libraries}")
  if(NOT given_NO_INCLUDE)
    set_target_properties(hpk_tpl::${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_hpk_${name}_include}")
  endif()
  if(prefix)
    set_property(TARGET hpk_tpl::${name} PROPERTY hpk_pkg_config ${given_PKG_CONFIG})
  endif()
endfunction()
