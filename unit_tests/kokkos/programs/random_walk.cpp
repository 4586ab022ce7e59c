// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random walks on a grid with user-defined generators: one that hashes a counter and gives the same
// walks on every space, and a pool of xorshift states from which each walker borrows one by
// Kokkos::Experimental::UniqueToken; statistics of both by reductions and atomics.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using execution_space = Kokkos::DefaultExecutionSpace;
using token_type = Kokkos::Experimental::UniqueToken<execution_space>;
using states_type = Kokkos::View<std::uint64_t*, execution_space>;
using counts_type = Kokkos::View<int*, execution_space>;

// A counter, mixed until all its bits look random.
KOKKOS_INLINE_FUNCTION std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

KOKKOS_INLINE_FUNCTION std::uint64_t xorshift(std::uint64_t& state) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1dull;
}

struct Place {
  int x, y;
  KOKKOS_INLINE_FUNCTION void go(std::uint64_t random) {
    const int direction = static_cast<int>(random >> 62);
    x += direction == 0 ? 1 : direction == 1 ? -1 : 0;
    y += direction == 2 ? 1 : direction == 3 ? -1 : 0;
  }
  KOKKOS_INLINE_FUNCTION int squared() const { return x * x + y * y; }
};

KOKKOS_INLINE_FUNCTION Place walk_by_counter(int walker, int steps) {
  Place place = {0, 0};
  for (int s = 0; s < steps; ++s)
    place.go(mix((static_cast<std::uint64_t>(walker) << 32) + static_cast<std::uint64_t>(s)));
  return place;
}

// Sums of the contributions of all walkers.
struct Statistics {
  long x, y, squared;
  KOKKOS_INLINE_FUNCTION Statistics() : x(0), y(0), squared(0) {}
  KOKKOS_INLINE_FUNCTION void add(const Place& place) {
    x += place.x;
    y += place.y;
    squared += place.squared();
  }
  KOKKOS_INLINE_FUNCTION Statistics& operator+=(const Statistics& other) {
    x += other.x;
    y += other.y;
    squared += other.squared;
    return *this;
  }
};

namespace Kokkos {
template <>
struct reduction_identity<Statistics> {
  KOKKOS_FORCEINLINE_FUNCTION static Statistics sum() { return Statistics(); }
};
}  // namespace Kokkos

// Each walker borrows the generator of its token for the length of its walk.
struct BorrowedWalk {
  token_type token;
  states_type states;
  counts_type users, walks, collisions;
  int steps;

  KOKKOS_INLINE_FUNCTION void operator()(const int, Statistics& update) const {
    const int id = token.acquire();
    if (Kokkos::atomic_exchange(&users(id), 1) != 0) Kokkos::atomic_add(&collisions(0), 1);
    std::uint64_t state = states(id);
    Place place = {0, 0};
    for (int s = 0; s < steps; ++s) place.go(xorshift(state));
    states(id) = state;
    walks(id) += 1;  // no atomic: only one walker holds this token
    Kokkos::atomic_store(&users(id), 0);
    token.release(id);
    update.add(place);
  }
};

static bool check(bool ok, const char* what) {
  if (!ok) std::printf("FAILED: %s\n", what);
  return ok;
}

static bool by_counter(int walkers, int steps) {
  const int bins = 16;
  counts_type histogram("histogram", bins);
  Kokkos::View<int* [2], execution_space> ends("ends", walkers);
  Statistics sums;
  Kokkos::parallel_reduce(
      "walk by counter", Kokkos::RangePolicy<execution_space>(0, walkers),
      KOKKOS_LAMBDA(const int i, Statistics& update) {
        const Place end = walk_by_counter(i, steps);
        ends(i, 0) = end.x;
        ends(i, 1) = end.y;
        Kokkos::atomic_inc(&histogram(Kokkos::min(end.squared() / 16, bins - 1)));
        update.add(end);
      },
      Kokkos::Sum<Statistics>(sums));

  Statistics expected;
  std::vector<int> expected_histogram(bins, 0);
  auto h_ends = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), ends);
  auto h_histogram = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), histogram);
  bool same = true, same_histogram = true;
  for (int i = 0; i < walkers; ++i) {
    const Place end = walk_by_counter(i, steps);
    expected.add(end);
    expected_histogram[std::min(end.squared() / 16, bins - 1)] += 1;
    same = same && h_ends(i, 0) == end.x && h_ends(i, 1) == end.y;
  }
  for (int b = 0; b < bins; ++b) same_histogram &= h_histogram(b) == expected_histogram[b];
  std::printf("counter: sum of x %ld, of y %ld, of squares %ld\n", sums.x, sums.y, sums.squared);
  std::printf("near the start: %d, %d, %d\n", h_histogram(0), h_histogram(1), h_histogram(2));
  const bool same_sums =
      sums.x == expected.x && sums.y == expected.y && sums.squared == expected.squared;
  return check(same, "ends of the walks") & check(same_histogram, "histogram of the ends") &
         check(same_sums, "sums over the walks");
}

static bool by_token(int walkers, int steps) {
  token_type token;
  const int size = token.size();
  bool ok = check(size >= execution_space().concurrency(), "number of tokens");
  states_type states("states", size);
  Kokkos::parallel_for(
      "seed", Kokkos::RangePolicy<execution_space>(0, size),
      KOKKOS_LAMBDA(const int i) { states(i) = mix(1000003ull * (i + 1)) | 1; });
  counts_type users("users", size), walks("walks", size), collisions("collisions", 1);
  const BorrowedWalk functor = {token, states, users, walks, collisions, steps};
  Statistics sums;
  Kokkos::parallel_reduce("walk by token", walkers, functor, sums);

  long walked = 0;
  Kokkos::parallel_reduce(
      "walks", Kokkos::RangePolicy<execution_space>(0, size),
      KOKKOS_LAMBDA(const int i, long& update) { update += walks(i) + 1000000L * users(i); },
      walked);
  auto h_collisions = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), collisions);
  ok &= check(h_collisions(0) == 0, "a token was held twice at a time");
  ok &= check(walked == walkers, "walks counted by token, and all tokens returned");

  // The assignment of numbers to walkers is unspecified, so these are statistics. For n walks of s
  // steps, the sum of x has the variance n s / 2, and the sum of squares the mean n s and a
  // variance of about n s^2; six standard deviations are exceeded once in five hundred million
  // runs.
  const double n = walkers, s = steps;
  const double x_limit = 6 * std::sqrt(n * s / 2), squared_limit = 6 * std::sqrt(n) * s;
  ok &= check(std::abs(sums.x) < x_limit && std::abs(sums.y) < x_limit, "mean place by token");
  ok &= check(std::abs(sums.squared - n * s) < squared_limit, "mean squared distance by token");
  // After an even number of steps x + y is even, and so is the sum of the squares.
  ok &= check((sums.x + sums.y) % 2 == 0 && sums.squared % 2 == 0, "parity of the ends");
  std::printf("token: %ld walks, no generator shared: %s\n", walked, ok ? "yes" : "no");
  return ok;
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  const bool counted = by_counter(3000, 40);
  const bool borrowed = by_token(3000, 40);
  Kokkos::finalize();
  if (counted && borrowed) std::printf("all checks passed\n");
  return counted && borrowed ? 0 : 1;
}
