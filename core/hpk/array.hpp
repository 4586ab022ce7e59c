// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array: std::array for kernels.
#pragma once

#include <hpk/base/array.hpp>
