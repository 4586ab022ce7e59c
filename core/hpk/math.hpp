// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions, constants and numeric traits, those of the half types included.
#pragma once

#include <hpk/base/half_math.hpp>
#include <hpk/base/math.hpp>
#include <hpk/base/numbers.hpp>
#include <hpk/base/numeric_traits.hpp>
