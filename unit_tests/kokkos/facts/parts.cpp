// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that parts of the core provide when programs include only these parts.
#include <Kokkos_Array.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Complex.hpp>
#include <Kokkos_Half.hpp>

static_assert(Kokkos::Experimental::digits_v<int> == 31);
static_assert(Kokkos::Experimental::finite_max_v<signed char> == 127);
static_assert(sizeof(Kokkos::Experimental::half_t) == (KOKKOS_HALF_T_IS_FLOAT ? 4 : 2));
static_assert(sizeof(Kokkos::Experimental::bhalf_t) == (KOKKOS_BHALF_T_IS_FLOAT ? 4 : 2));
#ifdef KOKKOS_ENABLE_COMPLEX_ALIGN
static_assert(alignof(Kokkos::complex<double>) == 16);
#else
static_assert(alignof(Kokkos::complex<double>) == alignof(double));
#endif

// Returns zero if all checks pass.
int check_parts() {
  Kokkos::Array<int, 2> a{1, 2};
  Kokkos::Array<int, 2> b{3, 4};
  Kokkos::kokkos_swap(a, b);
  return a[0] == 3 && b[1] == 2 ? 0 : 1;
}
