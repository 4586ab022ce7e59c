# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The script (cmake -P) that a test of hpk_mpi_same_output_test runs: see hpkTests.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/script_command.cmake)

string(REPLACE "," ";" RANKS "${RANKS}")
foreach(ranks ${RANKS})
  execute_process(
    COMMAND ${MPIEXEC} ${NUMPROC_FLAG} ${ranks} ${command}
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
    RESULT_VARIABLE code)
  if(NOT code STREQUAL 0)
    message(FATAL_ERROR "exit code ${code} on ${ranks} ranks\n${output}--- standard error\n${errors}---")
  endif()
  if(NOT output MATCHES "${OUTPUT}")
    message(FATAL_ERROR "on ${ranks} ranks standard output does not match: ${OUTPUT}\n${output}---")
  endif()
  if(NOT DEFINED first)
    set(first "${output}")
    set(ranks_of_first ${ranks})
  elseif(NOT output STREQUAL first)
    message(FATAL_ERROR "standard output differs\n--- on ${ranks_of_first} ranks\n${first}"
                        "--- on ${ranks} ranks\n${output}---")
  endif()
endforeach()
