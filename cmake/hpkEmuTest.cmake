# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hpk_emu_test(<target> [ARGS <argument>...]): adds CTest cases that run a program with all detectors of Emu
# (HPK_EMU_CHECK=all), once for each of three seeds and two widths of a warp:
# "<target>.emu.seed<1|2|3>.width<32|64>", with the label emu. A case fails if Emu reports a mistake, if the
# program does not return 0, or if it does not use Emu. The kernels of the program must run on Emu: compile it with
# HPK_DEFAULT_EXECUTION_SPACE=hpk::Emu (Emu for programs in the spelling of Kokkos), or name hpk::Emu in it.
# Kernels of other spaces run as usual. Other settings in the environment apply: HPK_EMU_DELAY=0 ctest -L emu.
function(hpk_emu_test target)
  cmake_parse_arguments(arg "" "" "ARGS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hpk_emu_test: write ARGS before the arguments of ${target}: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "hpk_emu_test: there is no target ${target}")
  endif()
  get_property(backends GLOBAL PROPERTY hpk_enabled_backends)
  if(NOT "emu" IN_LIST backends)
    message(FATAL_ERROR "hpk_emu_test: this hpk has no Emu; configure it with -Dhpk_ENABLE_EMU=ON")
  endif()
  foreach(seed 1 2 3)
    foreach(width 32 64)
      set(name ${target}.emu.seed${seed}.width${width})
      add_test(NAME ${name} COMMAND ${target} ${arg_ARGS})
      set_tests_properties(${name} PROPERTIES LABELS emu ENVIRONMENT
                           "HPK_EMU_CHECK=all;HPK_EMU_SEED=${seed};HPK_EMU_SUBGROUP=${width}"
                           FAIL_REGULAR_EXPRESSION "HPK_EMU_CHECK has no effect")
    endforeach()
  endforeach()
endfunction()
