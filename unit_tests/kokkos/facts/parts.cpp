// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes along with parts of the core that programs include by themselves.
#include <Kokkos_Array.hpp>
#include <Kokkos_BitManipulation.hpp>

static_assert(Kokkos::Experimental::digits_v<int> == 31);
static_assert(Kokkos::Experimental::finite_max_v<signed char> == 127);

// Zero when all is right.
int check_parts() {
  Kokkos::Array<int, 2> a{1, 2};
  Kokkos::Array<int, 2> b{3, 4};
  Kokkos::kokkos_swap(a, b);
  return a[0] == 3 && b[1] == 2 ? 0 : 1;
}
