// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical constants.
#pragma once

#include <hpk/math/numbers.hpp>
