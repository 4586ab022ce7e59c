# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How examples are built and tested; each example's CMakeLists.txt includes this file.
#
#   hpk_example(<target> SOURCES <file>... [LIBRARIES <target>...])
#   hpk_example_test(<name> COMMAND <target> [<argument>...] [EXIT <code>] [OUTPUT <regex>]
#                    [OUTPUT_FILE <file>] [ERROR <regex>] [ABSENT <glob>])
#   hpk_example_page(<name> <page> PROGRAMS <file>... [OUTPUT <file>])
#
# A test named example.<name> runs the program in a separate folder, which is empty before. It expects exit
# code EXIT (default 0), standard output that matches OUTPUT or equals the text of OUTPUT_FILE, and no
# standard error, or with ERROR one matching line. An EXIT of 2 allows no standard output. No file that
# matches ABSENT, relative to the folder, may exist afterwards. This file is also the script (cmake -P) that
# the test runs.
#
# hpk_example_page adds a test that a page (path relative to the root) shows the programs word for word.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(hpk_example target)
    cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
    add_executable(${target} ${arg_SOURCES})
    target_include_directories(${target} PRIVATE ${hpk_SOURCE_DIR}/example/support)
    hpk_language(${target})
    target_link_libraries(${target} PRIVATE hpk::hpk ${arg_LIBRARIES})
    target_compile_options(${target}
                           PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wconversion;-Wshadow>)
  endfunction()

  function(hpk_example_test name)
    cmake_parse_arguments(arg "" "EXIT;OUTPUT;OUTPUT_FILE;ERROR;ABSENT" "COMMAND" ${ARGN})
    set(expectations)
    foreach(key EXIT OUTPUT ERROR ABSENT)
      if(DEFINED arg_${key})
        list(APPEND expectations "-D${key}=${arg_${key}}")
      endif()
    endforeach()
    if(DEFINED arg_OUTPUT_FILE)
      list(APPEND expectations -DOUTPUT_FILE=${CMAKE_CURRENT_SOURCE_DIR}/${arg_OUTPUT_FILE})
    endif()
    list(POP_FRONT arg_COMMAND program)
    add_test(
      NAME example.${name}
      COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/work/${name} ${expectations} -P
              ${hpk_SOURCE_DIR}/example/example.cmake -- $<TARGET_FILE:${program}> ${arg_COMMAND})
    set_tests_properties(example.${name} PROPERTIES LABELS example TIMEOUT 300)
  endfunction()

  function(hpk_example_page name page)
    cmake_parse_arguments(arg "" "OUTPUT" "PROGRAMS" ${ARGN})
    list(TRANSFORM arg_PROGRAMS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    list(JOIN arg_PROGRAMS "," programs)
    if(DEFINED arg_OUTPUT)
      set(output ${CMAKE_CURRENT_SOURCE_DIR}/${arg_OUTPUT})
    endif()
    add_test(NAME example.${name}
             COMMAND ${CMAKE_COMMAND} -DPAGE=${hpk_SOURCE_DIR}/${page} -DPROGRAMS=${programs}
                     -DOUTPUT=${output} -P ${hpk_SOURCE_DIR}/example/shown.cmake)
    set_tests_properties(example.${name} PROPERTIES LABELS example)
  endfunction()
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/../cmake/script_command.cmake)

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(
  COMMAND ${command}
  WORKING_DIRECTORY ${FOLDER}
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors
  RESULT_VARIABLE code)

set(faults "")
if(NOT DEFINED EXIT)
  set(EXIT 0)
endif()
if(NOT code STREQUAL EXIT)
  string(APPEND faults "exit code ${code}, expected ${EXIT}\n")
endif()
if(EXIT STREQUAL 2 AND NOT output STREQUAL "")
  string(APPEND faults "a refused call wrote to standard output\n")
endif()
if(DEFINED OUTPUT AND NOT output MATCHES "${OUTPUT}")
  string(APPEND faults "standard output does not match: ${OUTPUT}\n")
endif()
if(DEFINED OUTPUT_FILE)
  file(READ ${OUTPUT_FILE} expected)
  if(NOT output STREQUAL expected)
    string(APPEND faults "standard output is not the text of ${OUTPUT_FILE}\n")
  endif()
endif()
if(NOT DEFINED ERROR AND NOT errors STREQUAL "")
  string(APPEND faults "there is something on standard error\n")
elseif(DEFINED ERROR)
  if(NOT errors MATCHES "^[^\n]+\n$")
    string(APPEND faults "standard error is not one line\n")
  endif()
  if(NOT errors MATCHES "${ERROR}")
    string(APPEND faults "standard error does not match: ${ERROR}\n")
  endif()
endif()
if(DEFINED ABSENT)
  file(GLOB left ${FOLDER}/${ABSENT})
  if(left)
    string(APPEND faults "left behind: ${left}\n")
  endif()
endif()
if(faults)
  message(FATAL_ERROR "${faults}--- standard output\n${output}--- standard error\n${errors}---")
endif()
