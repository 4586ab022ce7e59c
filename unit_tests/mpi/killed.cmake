# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DMPIEXEC=... -DNUMPROC=-n -DPROGRAM=... -DFOLDER=... -DNAME=run.ckpt -DRANKS=2 -DFILES=4
# Kills programs while they write a checkpoint. The old checkpoint or a complete new one must remain, which
# another number of ranks can read. The next checkpoint removes temporary files.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(path ${FOLDER}/${NAME})

# One rank starts without mpiexec, which waits for a second when a rank is killed.
function(run ranks)
  set(start ${MPIEXEC} ${NUMPROC} ${ranks})
  if(ranks EQUAL 1)
    set(start)
  endif()
  execute_process(COMMAND ${start} ${PROGRAM} ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE out
                  ERROR_VARIABLE err)
  foreach(name rc out err)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()
function(expect text)
  run(1 read ${path} 0)
  if(NOT out MATCHES "${text}")
    message(FATAL_ERROR "'${text}' was not read, but: ${out}${err}")
  endif()
endfunction()
function(kill ranks what number)
  run(${ranks} ${what} ${path} ${number})
  if(rc EQUAL 0)
    message(FATAL_ERROR "${what} was not killed: ${out}${err}")
  endif()
endfunction()

run(${RANKS} write ${path} 1)
kill(${RANKS} in_write 2)
kill(1 before_commit 2)
expect("complete checkpoint 1\n")
foreach(microseconds 11000 24000)
  kill(1 at_any_moment ${microseconds})
  expect("complete checkpoint [0-9]+\n")
endforeach()
run(1 write ${path} 7)
file(GLOB left ${FOLDER}/*)
list(LENGTH left count)
if(rc OR NOT count EQUAL FILES)
  message(FATAL_ERROR "${count} files are left, not ${FILES}: ${left} ${out}${err}")
endif()
file(REMOVE_RECURSE ${FOLDER})
