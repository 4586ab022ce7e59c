// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The detection idiom.
#pragma once

#include <hpk/base/detection.hpp>
