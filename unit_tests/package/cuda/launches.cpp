// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refused: a launch on Cuda in a file that nvcc does not see.
#include <hpk/core.hpp>

int main() { hpk::parallel_for(hpk::RangePolicy<hpk::Cuda>(0, 1), HPK_LAMBDA(int){}); }
