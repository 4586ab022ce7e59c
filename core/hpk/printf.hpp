// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf for kernels.
#pragma once

#include <hpk/base/printf.hpp>
