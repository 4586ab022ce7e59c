# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_library(<target> <name>): what the compiled libraries of hpk have in common; they are exported
# under the name. Static ones can go into shared libraries of a program (modules of Python, for one),
# unless CMAKE_POSITION_INDEPENDENT_CODE says otherwise. Whatever the project around hpk presets, they export
# all their functions, which templates in headers call, and are no unity builds, because the unnamed
# namespaces of their files share names.
function(hpk_library target name)
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${name}
               CXX_VISIBILITY_PRESET default
               VISIBILITY_INLINES_HIDDEN OFF
               UNITY_BUILD OFF
               CXX_EXTENSIONS OFF
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  # Its files use no setting that programs may change (base/file_settings.hpp).
  target_compile_definitions(${target} PRIVATE HPK_DETAIL_OF_LIBRARY=1)
  # Nobody replaces functions of hpk at load time, so that they may be inlined; clang takes that so.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wundef)
  endif()
endfunction()
