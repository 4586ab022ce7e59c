# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The test of mpi_heat (cmake -P): output and picture are the same on 1, 2 and 4 ranks, and for a run that was
# killed on 4 ranks and continues from its checkpoint on 2.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# run(<result> <ranks> <flag>...): sets <result> to the exit code, and `output` and `errors` to the texts.
function(run result ranks)
  execute_process(
    COMMAND ${MPIEXEC} ${NUMPROC_FLAG} ${ranks} ${PROGRAM} --size 101 --steps 50 --verbose
            --hpk-num-threads=1 ${ARGN}
    WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE output
    ERROR_VARIABLE errors
    RESULT_VARIABLE code)
  set(${result} "${code}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
endfunction()
# Expects the result of the first run.
function(expect_same what code)
  if(NOT code STREQUAL 0 OR NOT output STREQUAL first_output)
    message(FATAL_ERROR "${what}: exit code ${code}\n${output}--- expected\n${first_output}--- errors\n${errors}")
  endif()
  file(SHA256 ${FOLDER}/heat.png picture)
  if(NOT picture STREQUAL first_picture)
    message(FATAL_ERROR "${what}: another picture")
  endif()
  file(REMOVE ${FOLDER}/heat.png)
endfunction()

run(code 1)
set(first_output "${output}")
if(NOT code STREQUAL 0 OR NOT output MATCHES
   "^plate of 101 x 101 cells after 50 steps\nheat: [0-9.]+ \\(0x1[.][0-9a-f]+p[+]?[0-9]+\\)\npicture: heat.png\n$")
  message(FATAL_ERROR "exit code ${code}\n${output}--- errors\n${errors}")
endif()
file(SHA256 ${FOLDER}/heat.png first_picture)
foreach(ranks 2 4)
  run(code ${ranks})
  expect_same("${ranks} ranks" ${code})
endforeach()

run(code 4 --checkpoint heat.ckpt --every 10 --crash-after 35)
if(code STREQUAL 0 OR EXISTS ${FOLDER}/heat.png)
  message(FATAL_ERROR "the killed run was not killed\n${output}${errors}")
endif()
run(code 2 --checkpoint heat.ckpt --every 10)
if(NOT errors MATCHES "goes on after 30 steps\n")
  message(FATAL_ERROR "the restart did not go on after 30 steps\n${errors}")
endif()
expect_same("restart on 2 ranks" ${code})

run(code 1 --sise 3)
if(NOT code STREQUAL 2 OR NOT errors MATCHES "mpi_heat: there is no flag --sise")
  message(FATAL_ERROR "a wrong flag: exit code ${code}\n${errors}")
endif()
