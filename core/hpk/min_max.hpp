// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min, max, minmax and clamp for kernels.
#pragma once

#include <hpk/base/min_max.hpp>
