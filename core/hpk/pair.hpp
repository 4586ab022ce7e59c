// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pair: std::pair for kernels.
#pragma once

#include <hpk/base/pair.hpp>
