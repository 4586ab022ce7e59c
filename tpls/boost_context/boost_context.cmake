# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Boost.Context (lanes as fibres): the target hpk_tpl::boost_context. Only the two functions of fcontext are
# used, which have not changed since Boost 1.61. This file is installed next to hpkConfig.cmake, because
# projects that link a static hpk need the library too. So it must not write into the cache (NO_CACHE), as
# find_package(Boost) would.
if(NOT TARGET hpk_tpl::boost_context)
  set(_hpk_hints)
  foreach(_hpk_root Boost_ROOT BOOST_ROOT)
    if(DEFINED ${_hpk_root})
      list(APPEND _hpk_hints "${${_hpk_root}}")
    elseif(DEFINED ENV{${_hpk_root}})
      list(APPEND _hpk_hints "$ENV{${_hpk_root}}")
    endif()
  endforeach()
  find_path(_hpk_boost_include boost/context/detail/fcontext.hpp
            HINTS ${_hpk_hints} PATH_SUFFIXES include NO_CACHE)
  find_library(_hpk_boost_library boost_context
               HINTS ${_hpk_hints} PATH_SUFFIXES lib lib64 NO_CACHE)
  if(_hpk_boost_include AND _hpk_boost_library)
    add_library(hpk_tpl::boost_context UNKNOWN IMPORTED)
    set_target_properties(
      hpk_tpl::boost_context PROPERTIES IMPORTED_LOCATION "${_hpk_boost_library}"
                                        INTERFACE_INCLUDE_DIRECTORIES "${_hpk_boost_include}")
  endif()
  unset(_hpk_root)
  unset(_hpk_hints)
  unset(_hpk_boost_include)
  unset(_hpk_boost_library)
endif()
