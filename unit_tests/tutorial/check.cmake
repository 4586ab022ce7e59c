# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests the tutorial in the folder TUTORIAL. With PROGRAM, all solutions in one program: each prints its expected.txt.
# With HPK, the folder of a build: builds all exercises there in WORK; each reports that it is not solved. The last one
# is solved on a CPU, and Emu reports its first mistake.
cmake_minimum_required(VERSION 3.25)
file(GLOB steps ${TUTORIAL}/[1-8]_*)
list(LENGTH steps count)
if(NOT count EQUAL 8)
  message(FATAL_ERROR "the tutorial has eight steps; found: ${steps}")
endif()

if(PROGRAM)
  foreach(step ${steps})
    string(REGEX REPLACE ".*/([0-9])_.*" "\\1" number ${step})
    execute_process(COMMAND ${PROGRAM} ${number} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE errors)
    file(READ ${step}/expected.txt expected)
    if(NOT code EQUAL 0 OR NOT out STREQUAL expected OR errors)
      message(FATAL_ERROR "solution ${number} returned ${code} and printed\n${out}${errors}instead of\n${expected}")
    endif()
    # The exercise has all headers that its solution needs.
    file(STRINGS ${step}/solution.cpp needed REGEX "^#include")
    file(STRINGS ${step}/exercise.cpp present REGEX "^#include")
    list(REMOVE_ITEM needed ${present})
    if(needed)
      message(FATAL_ERROR "exercise ${number} lacks what its solution includes: ${needed}")
    endif()
  endforeach()
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../package/steps.cmake)
run(${configure} -DCMAKE_BUILD_TYPE=Debug -Dhpk_DIR=${HPK} -S ${TUTORIAL} -B ${WORK})
list(TRANSFORM steps REPLACE ".*/([0-9])_.*" "exercise_\\1" OUTPUT_VARIABLE exercises)
run(${CMAKE_COMMAND} --build ${WORK} --target ${exercises})
set(ENV{HPK_EMU_CHECK} all)
foreach(exercise ${exercises})
  if(exercise STREQUAL "exercise_8")
    refuses("hpk::Emu [captures]: a kernel touches host memory" ${WORK}/${exercise})
  else()
    refuses("not solved yet" ${WORK}/${exercise})
  endif()
endforeach()
