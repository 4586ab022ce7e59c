// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on a struct of 24 bytes, which no processor supports: they take a lock.
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int n = 24;

struct Triple {
  double a, b;
  long c;
  KOKKOS_INLINE_FUNCTION friend Triple operator+(const Triple& l, const Triple& r) {
    return {l.a + r.a, l.b + r.b, l.c + r.c};
  }
  KOKKOS_DEFAULTED_FUNCTION bool operator==(const Triple&) const = default;
};

using Triples = Kokkos::View<Triple*>;

bool same_values(const Triples::HostMirror& a, const std::vector<Triple>& b) {
  return std::is_permutation(b.begin(), b.end(), a.data());
}

// In any order, the sum goes through one sequence of values.
void sums() {
  const Triple step{0.5, -1, 4};
  Triples sum("sum", 3), old("old", n), now("now", n);
  Kokkos::deep_copy(sum, Triple{1, 2, 3});
  Kokkos::parallel_for(
      "sums", n, KOKKOS_LAMBDA(const int i) {
        old(i) = Kokkos::atomic_fetch_add(&sum(0), step);
        now(i) = Kokkos::atomic_add_fetch(&sum(1), step);
        Kokkos::atomic_add(&sum(2), step);
      });
  std::vector<Triple> before, after;
  Triple value{1, 2, 3};
  for (int i = 0; i < n; ++i) before.push_back(value), after.push_back(value = value + step);
  auto h_sum = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  auto h_old = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), old);
  auto h_now = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), now);
  std::printf("sums: %d %d %d\n", same_values(h_old, before), same_values(h_now, after),
              h_sum(0) == value && h_sum(1) == value && h_sum(2) == value);
}

void exchanges() {
  Triples v("triples", 2), swapped("swapped", n);
  Kokkos::parallel_for(
      "exchanges", n, KOKKOS_LAMBDA(const int i) {
        swapped(i) = Kokkos::atomic_exchange(&v(0), Triple{1.0 + i, 2.0 * i, i});
        Triple old = Kokkos::atomic_load(&v(1)), assumed;
        do {
          assumed = old;
          const Triple wanted{old.a + 1, old.b + i, old.c ^ i};
          old = Kokkos::atomic_compare_exchange(&v(1), assumed, wanted);
        } while (!(old == assumed));
      });
  auto h_v = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  auto h_swapped = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), swapped);
  // Each value was put once and taken once, except for the last, which is still there.
  std::vector<Triple> put(1, Triple{0, 0, 0});
  for (int i = 0; i < n; ++i) put.push_back({1.0 + i, 2.0 * i, i});
  put.erase(std::find(put.begin(), put.end(), h_v(0)));
  std::printf("exchanges: %d %d\n", same_values(h_swapped, put),
              h_v(1) == Triple{n, n * (n - 1) / 2, 0});
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  sums();
  exchanges();
}
