# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A test (cmake -P): the README shows main.cpp word for word, without its opening comment, and what it
# prints. Given: SOURCE.
file(READ ${SOURCE}/README.md readme)
file(READ ${CMAKE_CURRENT_LIST_DIR}/main.cpp program)
file(READ ${CMAKE_CURRENT_LIST_DIR}/expected.txt output)
string(FIND "${program}" "#include" begin)
string(SUBSTRING "${program}" ${begin} -1 program)
foreach(block "```cpp\n${program}```\n" "```\n${output}```\n")
  string(FIND "${readme}" "${block}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "README.md does not show this word for word:\n${block}")
  endif()
endforeach()
