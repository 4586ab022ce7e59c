# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# GoogleTest (unit tests): the target hpk_tpl::googletest, with its main().
find_package(GTest 1.12 QUIET)
if(TARGET GTest::gtest_main)
  add_library(hpk_tpl::googletest INTERFACE IMPORTED)
  target_link_libraries(hpk_tpl::googletest INTERFACE GTest::gtest_main)
endif()
