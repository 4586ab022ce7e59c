# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# SLEEF (mathematical functions of vectors): the target hpk_tpl::sleef. hpk itself declares the functions that it
# calls.
hpk_tpl_library(sleef PKG_CONFIG sleef HEADER sleef.h LIBRARY sleef NO_INCLUDE)
