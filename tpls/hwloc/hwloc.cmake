# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hwloc (topology; pins workers): the target hpk_tpl::hwloc.
hpk_tpl_library(hwloc PKG_CONFIG hwloc HEADER hwloc.h LIBRARY hwloc)
