// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_DEFAULT_EXECUTION_SPACE sets the default space of the files that it is defined for. Compiled
// with hpk::Serial; nothing runs.
#include <hpk/core.hpp>

static_assert(std::is_same_v<hpk::DefaultExecutionSpace, hpk::Serial>);
static_assert(std::is_same_v<hpk::View<int*>::execution_space, hpk::Serial>);
static_assert(std::is_same_v<decltype(hpk::RangePolicy(0, 1))::execution_space, hpk::Serial>);
