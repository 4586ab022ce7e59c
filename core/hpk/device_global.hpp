// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_DEVICE_GLOBAL, HPK_DEVICE_CONSTANT: device variables that kernels use without capturing them.
// Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <hpk/view/device_global.hpp>
