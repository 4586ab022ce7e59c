# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_library(<target> <name>): sets the common properties of hpk's compiled libraries and exports them under
# the name. Static ones can be linked into shared libraries of a program (such as Python modules), unless
# CMAKE_POSITION_INDEPENDENT_CODE is off. For any variables of the project around hpk, they export all their
# functions, which templates in headers call, and are no unity builds, because the unnamed namespaces of their
# files share names. With hpk_UNITY_BUILD, files of one folder are compiled together if their names do not
# conflict.
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
    # These files define a name that another file of their folder also defines, or include a header that uses
    # one; unit_ucontext has its own fibres.
    set(alone containers/dynamic_chunks memory/quarantine policies/mdrange_policy runtime/tool_library
              profiler/profile profiler/tuned_file profiler/tuner detectors/scratch_memory
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
    # Classes with members of types in unnamed namespaces are correct in .cpp files.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  # The files of the library use no setting that programs may change (base/file_settings.hpp).
  target_compile_definitions(${target} PRIVATE HPK_DETAIL_OF_LIBRARY=1)
  # Functions of hpk are never interposed at load time, so they may be inlined. This is the default of clang.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wundef>)
  endif()
endfunction()
