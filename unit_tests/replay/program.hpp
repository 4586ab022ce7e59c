// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared declarations of the program's files.
#pragma once

#include <hpk/core.hpp>

#include <string>
#include <type_traits>

namespace hpk_test {

using numbers = hpk::View<double*>;
inline constexpr int n = 3000;
/// Whether kernels run on host threads, and may access all memory of the program.
inline constexpr bool on_host =
    std::is_same_v<hpk::DefaultExecutionSpace, hpk::DefaultHostExecutionSpace>;

/// Returns x with x(i) = 1 / (i + 1), whose sum depends on the order of the additions.
inline numbers harmonic(const char* name) {
  const numbers x(name, n);
  hpk::parallel_for(std::string(name) + ".init", n, HPK_LAMBDA(int i) { x(i) = 1.0 / (i + 1); });
  return x;
}

// Cases of elements.cpp: Views of every kind, words of kernels, and kernels that cannot be
// captured.
void views();
void elements();
void words();
void containers();
void refused();

}  // namespace hpk_test
