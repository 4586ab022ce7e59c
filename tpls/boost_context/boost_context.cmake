# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Boost.Context (lanes as fibres): the target hpk_tpl::boost_context. Only the two functions of fcontext are
# used, which have not changed since Boost 1.61. Not by find_package(Boost), which writes into the cache.
hpk_tpl_library(
  boost_context
  HEADER boost/context/detail/fcontext.hpp
  LIBRARY boost_context
  ROOTS Boost_ROOT BOOST_ROOT)
