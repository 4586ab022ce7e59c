# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# oneTBB (the out-of-tree backend of the examples): the target hpk_tpl::tbb.
find_package(TBB 2021 QUIET)
if(TARGET TBB::tbb)
  add_library(hpk_tpl::tbb INTERFACE IMPORTED)
  target_link_libraries(hpk_tpl::tbb INTERFACE TBB::tbb)
endif()
