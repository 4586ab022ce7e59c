# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_commit(<result>): the abbreviated commit of hpk. git archive writes it into this file of an archive; in
# a checkout git prints it. Otherwise it is empty, since a copy of hpk inside another repository would get
# that repository's commit.
function(hpk_commit result)
  set(commit "$Format:%h$")
  if(NOT commit MATCHES "^[0-9a-f]+$")
    set(commit "")
    get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
    file(REAL_PATH ${root} root)
    execute_process(COMMAND git -C ${root} rev-parse --show-toplevel OUTPUT_VARIABLE top
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(top STREQUAL root)
      execute_process(COMMAND git -C ${root} rev-parse --short HEAD OUTPUT_VARIABLE commit
                      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  endif()
  set(${result} "${commit}" PARENT_SCOPE)
endfunction()
