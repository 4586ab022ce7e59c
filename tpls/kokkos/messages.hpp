// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kokkos says, and does, where hpk reports an error. For HPK_KOKKOS_STRICT.
#pragma once

#include <string>

namespace hpk::kokkos {

/// Adds to an error of hpk, on a line of its own, the words by which tests of programs for Kokkos
/// know it. Returns whether Kokkos ends the program there rather than throw.
bool add_words_of_kokkos(std::string& message);

}  // namespace hpk::kokkos
