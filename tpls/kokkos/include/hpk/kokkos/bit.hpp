// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of bits, and the numeric traits that Kokkos' header also provides.
#pragma once

#include <hpk/bit.hpp>
#include <hpk/numeric_traits.hpp>
