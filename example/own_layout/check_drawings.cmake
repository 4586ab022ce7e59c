# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DPROGRAM=... -DFOLDER=... -DDOCS=... -P check_drawings.cmake: the drawings in the documentation equal
# those that the program makes.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} ${FOLDER} RESULT_VARIABLE result OUTPUT_QUIET)
if(result)
  message(FATAL_ERROR "${PROGRAM} ended with ${result}")
endif()
file(GLOB drawn RELATIVE ${FOLDER} ${FOLDER}/*.svg)
file(GLOB shown RELATIVE ${DOCS} ${DOCS}/*.svg)
if(NOT drawn OR NOT "${drawn}" STREQUAL "${shown}")
  message(FATAL_ERROR "drawn: ${drawn}; in ${DOCS}: ${shown}")
endif()
foreach(file ${drawn})
  file(READ ${FOLDER}/${file} new)
  file(READ ${DOCS}/${file} old)
  if(NOT "${new}" STREQUAL "${old}")
    message(FATAL_ERROR "${DOCS}/${file} is not what the program draws; write ${PROGRAM} ${DOCS}")
  endif()
endforeach()
