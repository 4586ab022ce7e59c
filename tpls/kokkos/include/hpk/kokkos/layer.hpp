// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds the drop-in to hpk's start and end: --kokkos-* flags and KOKKOS_* variables. If the
// environment variable HPK_KOKKOS_STRICT is set, also enforces Kokkos' rules about the order of
// calls.
#pragma once

namespace hpk::kokkos {

/// Called before main(), by every file that includes <Kokkos_Core.hpp>.
bool add_layer() noexcept;
inline const bool has_layer = add_layer();

}  // namespace hpk::kokkos
