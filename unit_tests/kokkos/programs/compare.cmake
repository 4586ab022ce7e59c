# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs PROGRAM with ARGUMENTS. It must succeed and print exactly the text of the file PRINTED.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE error)
file(READ ${PRINTED} wanted)
if(NOT rc EQUAL 0 OR NOT out STREQUAL wanted OR NOT error STREQUAL "")
  message(FATAL_ERROR "exit code ${rc}, errors:\n${error}\nprinted:\n${out}\nwanted:\n${wanted}")
endif()
