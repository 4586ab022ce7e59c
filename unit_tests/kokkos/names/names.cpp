// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Array.hpp>

int first(const Kokkos::Array<int, 2>& a);
int first(const Kokkos::Array<int, 2>& a) { return a[0]; }
