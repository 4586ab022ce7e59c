// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of the program share.
#pragma once

#include <hpk/core.hpp>

#include <string>
#include <type_traits>

namespace hpk_test {

using numbers = hpk::View<double*>;
inline constexpr int n = 3000;
/// Whether kernels run on host threads, and may access all that the program can.
inline constexpr bool on_host =
    std::is_same_v<hpk::DefaultExecutionSpace, hpk::DefaultHostExecutionSpace>;

/// x(i) = 1 / (i + 1): a sum of which depends on its order.
inline numbers harmonic(const char* name) {
  const numbers x(name, n);
  hpk::parallel_for(std::string(name) + ".init", n, HPK_LAMBDA(int i) { x(i) = 1.0 / (i + 1); });
  return x;
}

// Cases (elements.cpp): Views of every kind, words of kernels, kernels that can't be captured.
void views();
void elements();
void words();
void containers();
void refused();

}  // namespace hpk_test
