// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions, constants and numeric traits, including those of the half types.
#pragma once

#include <hpk/base/numeric_traits.hpp>
#include <hpk/math/half_math.hpp>
#include <hpk/math/math.hpp>
#include <hpk/math/numbers.hpp>
