# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A test (cmake -P): PROGRAM with the argument WHAT fails with the text TEXT.
execute_process(
  COMMAND ${PROGRAM} ${WHAT}
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
string(FIND "${errors}" "ERROR STOP ${TEXT}\n" at)
if(NOT code EQUAL 1 OR NOT at EQUAL 0 OR output MATCHES "still running")
  message(FATAL_ERROR "exit code ${code}, expected 1 and: ERROR STOP ${TEXT}\n${output}\n${errors}")
endif()
