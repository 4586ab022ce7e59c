// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that grows between kernels: prime numbers by a sieve that is made longer in steps, and
// copies of DynamicViews.

#include <Kokkos_Core.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_Sort.hpp>

#include <cstdio>
#include <type_traits>

#include "check.hpp"

typedef Kokkos::Experimental::DynamicView<int*, Kokkos::DefaultExecutionSpace> array_type;

struct is_prime {
  int begin;
  array_type flags;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    const int n = begin + i;
    int prime = n >= 2 ? 1 : 0;
    for (int d = 2; d * d <= n; ++d)
      if (n % d == 0) prime = 0;
    flags(n) = prime;
  }
};

// Sorts some elements, with and without an instance; then copies to and from a longer View.
static void sorts_and_copies_what_fits() {
  const Kokkos::DefaultExecutionSpace exec;
  array_type array("array", 16, 1000);
  array.resize_serial(100);
  Kokkos::parallel_for(100, KOKKOS_LAMBDA(const int i) { array(i) = i * 37 % 100; });
  Kokkos::sort(exec, array, 0, 50);
  Kokkos::sort(array, 50, 100);
  int unsorted = 0;
  Kokkos::parallel_reduce(
      99, KOKKOS_LAMBDA(const int i, int& n) { n += i != 49 && array(i) > array(i + 1) ? 1 : 0; },
      unsorted);
  Kokkos::View<int*, Kokkos::DefaultExecutionSpace> view("view", 120);
  Kokkos::deep_copy(view, -1);
  Kokkos::deep_copy(view, array);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  int sum = 0;
  for (int i = 0; i < 120; ++i) sum += host(i);
  Kokkos::deep_copy(array, Kokkos::View<int*, Kokkos::DefaultExecutionSpace>("zeros", 120));
  int left = 0;
  Kokkos::parallel_reduce(100, KOKKOS_LAMBDA(const int i, int& n) { n += array(i); }, left);
  std::printf("%d unsorted, sum %d, then %d\n", unsorted, sum, left);
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    static_assert(Kokkos::Experimental::is_dynamic_view<array_type>::value, "");
    array_type flags("flags", 100, 10000);
    REQUIRE(flags.size() == 0 && !flags.is_allocated());
    REQUIRE(flags.chunk_size() == 128 && flags.label() == "flags");
    REQUIRE(flags.data() == nullptr && flags.span() == 0 && !flags.span_is_contiguous());
    array_type same = flags;
    for (int size = 1000; size <= 8000; size *= 2) {
      const int begin = static_cast<int>(flags.size());
      flags.resize_serial(size);
      REQUIRE(static_cast<int>(same.size()) == size && same.extent(1) == 1);
      REQUIRE(flags.allocation_extent() >= flags.size());
      Kokkos::parallel_for("sieve", size - begin, is_prime{begin, flags});
      Kokkos::fence();
      int primes = 0;
      Kokkos::parallel_reduce(
          "count", size, KOKKOS_LAMBDA(const int i, int& n) { n += same(i); }, primes);
      std::printf("%d primes below %d\n", primes, size);
    }

    auto host = Kokkos::create_mirror_view(flags);
    Kokkos::deep_copy(host, flags);
    REQUIRE(host(7919) == 1 && host(7920) == 0);
    Kokkos::View<int*, Kokkos::DefaultExecutionSpace> view("view", flags.size());
    Kokkos::deep_copy(view, flags);
    Kokkos::Experimental::DynamicView<int*, Kokkos::HostSpace> back(Kokkos::view_alloc("back"),
                                                                    1024, 8000);
    back.resize_serial(flags.size());
    Kokkos::deep_copy(back, view);
    int differences = 0;
    for (int i = 0; i < 8000; ++i) differences += back(i) == host(i) ? 0 : 1;
    REQUIRE(differences == 0);
    flags.resize_serial(10);
    REQUIRE(same.size() == 10 && flags.allocation_extent() == 128);
    flags.resize_serial(0);
    REQUIRE(!same.is_allocated());
    std::printf("%d differences\n", differences);
    sorts_and_copies_what_fits();
  }
  Kokkos::finalize();
  return errors == 0 ? 0 : 1;
}
