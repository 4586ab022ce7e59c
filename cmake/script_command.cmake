# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For scripts (cmake -P): sets `command` to the arguments after "--".
set(command)
set(seen OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(k RANGE ${last})
  if(seen)
    list(APPEND command "${CMAKE_ARGV${k}}")
  elseif("${CMAKE_ARGV${k}}" STREQUAL "--")
    set(seen ON)
  endif()
endforeach()
