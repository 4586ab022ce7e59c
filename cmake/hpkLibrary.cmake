# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_library(<target> <name>): what the compiled libraries of hpk have in common; they are exported
# under the name. Static ones can go into shared libraries of a program (modules of Python, for one),
# unless CMAKE_POSITION_INDEPENDENT_CODE says otherwise. Whatever the project around hpk presets, they export
# all their functions, which templates in headers call, and are no unity builds, because the unnamed
# namespaces of their files share names; with hpk_UNITY_BUILD the files of each folder that do not are
# compiled together.
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
  if(hpk_UNITY_BUILD)
    # These use a name as another file of their folder does; unit_ucontext has its own fibres.
    set(alone algorithms/executor containers/dynamic_chunks memory/quarantine policies/mdrange_policy
              runtime/tool_library profiler/tuned_file profiler/tuner detectors/scratch_memory
              detectors/single_step detectors/uninitialized_detector fibers/context fibers/fiber)
    list(JOIN alone "|" alone)
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(GET folder FILENAME folder)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
      if(source MATCHES "/(${alone})[.]cpp$")
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # A class with members of unnamed namespaces, which is right in a .cpp file.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
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
