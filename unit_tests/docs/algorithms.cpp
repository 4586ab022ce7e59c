// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/algorithms.md, where they belong; blocks.py compiles this file.
#include <hpk/algorithms.hpp>
#include <hpk/core.hpp>

void standard_algorithms(int n) {
#include "the-standard-algorithms.block"
}

void sort(int n) {
#include "sort.block"
}

namespace random_numbers {
#include "random-numbers.block"
}
