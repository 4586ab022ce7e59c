// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_DEVICE_GLOBAL, HPK_DEVICE_CONSTANT: variables of devices that kernels use without capturing
// them. core.hpp does not include it.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <hpk/view/device_global.hpp>
