// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second file of a program of vectors.
#include "simd.hpp"

double sum_of_exps_of_part() { return sum_of_exps(); }
