// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An error: a launch on Cuda in a file that nvcc does not compile.
#include <hpk/core.hpp>

int main() { hpk::parallel_for(hpk::RangePolicy<hpk::Cuda>(0, 1), HPK_LAMBDA(int){}); }
