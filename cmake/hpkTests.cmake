# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_test(<name> SOURCES <file>... [LIBRARIES <target>...] [FILTER <tests>] [SERIAL]): makes one test
# executable unit_<name>. Every GoogleTest case in it is a ctest case "<name>.<suite>.<case>" with the label
# unit, found when ctest starts. Sources are compiled in unity batches (a GoogleTest include costs more than
# most tests); -DCMAKE_UNITY_BUILD=OFF builds file by file. SERIAL keeps the cases from running at the same
# time as others, for tests that measure the whole machine. With AddressSanitizer a name has eight ctest
# cases, "<name>.shard_<k>".
# In projects for a GPU, whose languages CMake compiles in batches only from 3.31 on, this file generates the
# batches.
function(hpk_test_batches result target)
  set(batches)
  set(batch)
  set(number 0)
  foreach(source ${ARGN} "")
    if(source)
      get_filename_component(source ${source} ABSOLUTE)
      get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
      if(alone)
        list(APPEND batches ${source})
        continue()
      endif()
      string(APPEND batch "#include \"${source}\"\n")
      math(EXPR number "${number} + 1")
      math(EXPR full "${number} % 4")
    endif()
    if(batch AND (NOT source OR full EQUAL 0))
      set(file ${CMAKE_CURRENT_BINARY_DIR}/batches/${target}_${number}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${batch}" @ONLY)
      list(APPEND batches ${file})
      set(batch)
    endif()
  endforeach()
  set(${result} ${batches} PARENT_SCOPE)
endfunction()

function(hpk_test name)
  cmake_parse_arguments(arg "SERIAL" "FILTER" "SOURCES;LIBRARIES" ${ARGN})
  hpk_tpl(googletest REQUIRED "hpk_BUILD_TESTS")
  include(GoogleTest)
  set(target unit_${name})
  set(batched_by_cmake ON)
  get_property(languages GLOBAL PROPERTY hpk_languages)
  if(languages AND NOT DEFINED CMAKE_UNITY_BUILD)
    hpk_test_batches(arg_SOURCES ${target} ${arg_SOURCES})
    set(batched_by_cmake OFF)
  endif()
  add_executable(${target} ${arg_SOURCES} ${hpk_SOURCE_DIR}/unit_tests/support/sanitizer_options.cpp)
  hpk_language(${target})
  target_link_libraries(${target} PRIVATE hpk::hpk hpk_tpl::googletest ${arg_LIBRARIES})
  target_include_directories(${target} PRIVATE ${hpk_SOURCE_DIR}/unit_tests)
  # Classes that only serve as models of a concept are never called, which nvcc reports (177).
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wundef>
                                           $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-diag-suppress=177>)
  # A batch has thousands of types: g++ collects no garbage below 1 GiB, which takes a third more memory and a
  # tenth less time.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>)
  # Tests of checks run in every build type.
  target_compile_definitions(${target} PRIVATE HPK_CHECKS=1)
  if(batched_by_cmake AND NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
  set(properties LABELS unit TIMEOUT 300)
  if(arg_SERIAL)
    list(APPEND properties RUN_SERIAL ON)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    # These processes start slowly: eight for all cases, instead of one for each. (ThreadSanitizer slows down
    # with every fibre that its process has created.)
    foreach(shard RANGE 7)
      add_test(NAME ${name}.shard_${shard} COMMAND ${target} --gtest_brief=1)
      set_tests_properties(
        ${name}.shard_${shard}
        PROPERTIES ${properties} TIMEOUT 900
                   ENVIRONMENT "GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${shard}")
    endforeach()
    return()
  endif()
  gtest_discover_tests(
    ${target}
    TEST_PREFIX "${name}."
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    TEST_FILTER "${arg_FILTER}"
    PROPERTIES ${properties})
endfunction()

# hpk_mpi_test(<name> <ranks> COMMAND <command>... [ENVIRONMENT <variable=value>...] [PROPERTIES <property>
# <value>...]): runs a program on this many ranks, also if there are fewer processors, and as root in
# containers. Open MPI needs variables for this, and one that makes waiting ranks yield their processor (a
# hundred times as fast then). The time limit ends ranks that wait forever.
set(hpk_mpi_environment OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
                        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
function(hpk_mpi_test name ranks)
  cmake_parse_arguments(arg "" "" "COMMAND;ENVIRONMENT;PROPERTIES" ${ARGN})
  add_test(NAME ${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${arg_COMMAND})
  set_tests_properties(
    ${name} PROPERTIES LABELS unit TIMEOUT 300 PROCESSORS 2 ENVIRONMENT
                       "${hpk_mpi_environment};${arg_ENVIRONMENT}" ${arg_PROPERTIES})
endfunction()

# hpk_mpi_same_output_test(<name> RANKS <number>... COMMAND <command>... [OUTPUT <regex>]): runs a program on
# each of these numbers of ranks and expects the same standard output from all, byte for byte, which matches
# OUTPUT.
function(hpk_mpi_same_output_test name)
  cmake_parse_arguments(arg "" "OUTPUT" "RANKS;COMMAND" ${ARGN})
  list(JOIN arg_RANKS "," ranks)
  add_test(
    NAME ${name}
    COMMAND ${CMAKE_COMMAND} -DRANKS=${ranks} -DOUTPUT=${arg_OUTPUT} -DMPIEXEC=${MPIEXEC_EXECUTABLE}
            -DNUMPROC_FLAG=${MPIEXEC_NUMPROC_FLAG} -P ${hpk_SOURCE_DIR}/cmake/same_output.cmake --
            ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 240 PROCESSORS 2 ENVIRONMENT
                                          "${hpk_mpi_environment}")
endfunction()
