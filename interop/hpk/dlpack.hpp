// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as tensors of DLPack, and tensors as Views, without a copy.
#pragma once

#include <hpk/view.hpp>
