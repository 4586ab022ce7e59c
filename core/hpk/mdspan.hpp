// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as mdspans and mdspans as Views; not part of <hpk/core.hpp>, because <mdspan> is large.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/view/mdspan.hpp>
