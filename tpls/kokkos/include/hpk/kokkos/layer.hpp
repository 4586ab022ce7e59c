// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the drop-in over hpk's start and end: --kokkos-* flags and KOKKOS_* variables, and, where
// HPK_KOKKOS_STRICT is set in the environment, Kokkos' rules of what may happen when.
#pragma once

namespace hpk::kokkos {

/// Called before main(), by every file that includes <Kokkos_Core.hpp>.
bool add_layer() noexcept;
inline const bool has_layer = add_layer();

}  // namespace hpk::kokkos
