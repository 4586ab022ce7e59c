# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs unit_tests/core/view/mdspan.cpp with COMPILER and libc++.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${FOLDER})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/hpk -G ${GENERATOR} -DCMAKE_BUILD_TYPE=None
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=-stdlib=libc++ -DCMAKE_CXX_STANDARD=23
    -DBUILD_SHARED_LIBS=OFF -Dhpk_ENABLE_OPENMP=OFF -Dhpk_ENABLE_THREADS=OFF -Dhpk_ENABLE_EMU=OFF
    -Dhpk_WITH_HWLOC=OFF -Dhpk_WITH_BOOST_CONTEXT=OFF -Dhpk_UNITY_BUILD=ON -Dhpk_BUILD_TESTS=OFF
    -Dhpk_BUILD_EXAMPLES=OFF -Dhpk_BUILD_BENCHMARKS=OFF)
run(${CMAKE_COMMAND} --build ${FOLDER}/hpk --target hpk_core)
run(${COMPILER} -std=c++23 -stdlib=libc++ -I${GTEST} -I${GTEST}/include -I${SOURCE}/unit_tests
    -I${SOURCE}/core -I${FOLDER}/hpk/core/include ${SOURCE}/unit_tests/core/view/mdspan.cpp
    ${GTEST}/src/gtest-all.cc ${GTEST}/src/gtest_main.cc ${FOLDER}/hpk/core/libhpk_core.a -pthread -o
    ${FOLDER}/mdspan)
run(${FOLDER}/mdspan --gtest_brief=1)
# The tests of the standard's mdspan must be among them.
execute_process(COMMAND ${FOLDER}/mdspan --gtest_list_tests OUTPUT_VARIABLE tests)
if(NOT tests MATCHES "StandardMdspan")
  message(FATAL_ERROR "std::mdspan was not tested:\n${tests}")
endif()
