# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Steps of the tests that use hpk from outside. Variables: CXX, CXX_FLAGS, LAUNCHER, GENERATOR.

# run(<command>...): fails the test with the whole output when the command fails. The output is in `out`.
function(run)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE rc
    OUTPUT_VARIABLE out
    ERROR_VARIABLE out)
  if(NOT rc EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "exit code ${rc} from: ${command}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

# refuses(<expected text> <command>...): the command must fail with the text (ignoring line breaks).
function(refuses text)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE rc
    OUTPUT_VARIABLE out
    ERROR_VARIABLE out)
  if(rc EQUAL 0)
    message(FATAL_ERROR "this should have failed: ${ARGN}\n${out}")
  endif()
  expect_text("${text}" "${out}")
endfunction()

function(expect_text text out)
  string(REGEX REPLACE "[ \n]+" " " flat "${out}")
  string(FIND "${flat}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "expected the text\n  ${text}\nin\n${out}")
  endif()
endfunction()

# A configure command: quiet about packages, and any warning is an error.
set(configure
    ${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -Wdev -Werror=dev
    --warn-uninitialized)
