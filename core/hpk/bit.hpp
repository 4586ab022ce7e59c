// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <bit> for kernels.
#pragma once

#include <hpk/base/bit.hpp>
