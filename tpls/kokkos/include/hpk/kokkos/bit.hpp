// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of bits, and the facts of numeric types, which come along with them.
#pragma once

#include <hpk/bit.hpp>
#include <hpk/numeric_traits.hpp>
