# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A test (cmake -P): builds hpk with this folder as an extra backend and only Serial in addition. All levels
# of the conformance tests must pass, and the matrix of example/conjugate_gradient must be solved on TBB with
# the same bits as on Serial.
# Given: SOURCE, WORK, GENERATOR, CXX, CXX_FLAGS, LAUNCHER.
function(run)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=None
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -Dhpk_EXTRA_BACKENDS=${CMAKE_CURRENT_LIST_DIR} -Dhpk_ENABLE_OPENMP=OFF -Dhpk_ENABLE_THREADS=OFF
    -Dhpk_ENABLE_EMU=OFF -Dhpk_UNITY_BUILD=ON -Dhpk_BUILD_TESTS=ON -Dhpk_BUILD_BENCHMARKS=OFF -Dhpk_INSTALL=OFF)
file(GLOB ladder ${SOURCE}/unit_tests/conformance/*.cpp)
if(ladder)
  run(${CMAKE_COMMAND} --build ${WORK} --target unit_conformance)
  run(${WORK}/unit_tests/unit_conformance)
  if(NOT output MATCHES "TBB")
    message(FATAL_ERROR "the conformance ladder did not run on TBB:\n${output}")
  endif()
endif()
run(${CMAKE_COMMAND} --build ${WORK} --target conjugate_gradient)
run(${WORK}/example/conjugate_gradient/conjugate_gradient
    ${SOURCE}/example/conjugate_gradient/1138_bus.mtx)
foreach(expected "\nSerial +1 " "\nTBB +[0-9]+ " "same bits on all host spaces: yes .2 compared.")
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "no '${expected}' in\n${output}")
  endif()
endforeach()
