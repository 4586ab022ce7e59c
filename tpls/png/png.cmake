# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# libpng (pictures of the examples): the target hpk_tpl::png.
find_package(PNG 1.6 QUIET)
if(TARGET PNG::PNG)
  add_library(hpk_tpl::png INTERFACE IMPORTED)
  target_link_libraries(hpk_tpl::png INTERFACE PNG::PNG)
endif()
