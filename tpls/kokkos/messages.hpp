// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts and actions of Kokkos for errors that hpk reports, for HPK_KOKKOS_STRICT.
#pragma once

#include <string>

namespace hpk::kokkos {

/// Appends to an error of hpk, on a separate line, the words of Kokkos, which tests of programs for
/// Kokkos look for. Returns whether Kokkos ends the program in this case instead of throwing.
bool add_words_of_kokkos(std::string& message);

}  // namespace hpk::kokkos
