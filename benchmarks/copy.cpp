// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies: of a View as a handle, beside std::shared_ptr, and of its elements by deep_copy, beside
// memcpy and a loop that stores a value (shared by all threads from 1 MiB on).
#include "pair.hpp"
#include "topics.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace bench {

namespace {

constexpr index_t worth_sharing = (index_t{1} << 20) / 8;

void compare_handles(comparison& pair) {
  const hpk::View<double*, hpk::HostSpace> view("view", 8);
  const auto shared = std::make_shared<double[]>(8);
  const auto hpk = [&] {
    const auto copy = view;
    keep(copy);
    return copy.use_count();
  };
  const auto hand = [&] {
    const auto copy = shared;
    keep(copy);
    return copy.use_count();
  };
  pair.agree(hpk() == 2 && hand() == 2);
  pair.time(hpk, hand);
}

template <bool Serial>
void copy_by_hand(double* to, const double* from, index_t n) {
  if (Serial || n < worth_sharing) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(double));
    return;
  }
  // A copy per thread by memcpy, which knows streaming stores.
  constexpr index_t piece = index_t{1} << 17;
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < n; i += piece)
    std::memcpy(to + i, from + i,
                static_cast<std::size_t>(std::min(piece, n - i)) * sizeof(double));
}

template <bool Serial>
void fill_by_hand(double* to, double value, index_t n) {
  if (Serial || n < worth_sharing) {
    std::fill(to, to + n, value);
    return;
  }
#pragma omp parallel for schedule(static)
  for (index_t i = 0; i < n; ++i) to[i] = value;
}

template <class Space>
void compare_copies(comparison& pair, index_t n) {
  const array from = work_array(0, n);
  const array to = work_array(1, n);
  fill_integers(from, 17);
  const Space space;
  const auto hpk = [&] { hpk::deep_copy(space, to, from); };
  const auto hand = [&] { copy_by_hand<is_serial<Space>>(to.data(), from.data(), n); };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space>
void compare_fills(comparison& pair, index_t n) {
  const array to = work_array(1, n);
  const Space space;
  const auto hpk = [&] { hpk::deep_copy(space, to, 1.5); };
  const auto hand = [&] { fill_by_hand<is_serial<Space>>(to.data(), 1.5, n); };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_copy() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const index_t kib : {1, 64, 64 * 1024}) {
      const index_t n = kib * 1024 / 8;
      add("deep_copy", type::name(), "bytes", n,
          [n](comparison& pair) { compare_copies<type>(pair, n); });
      add("deep_copy", type::name(), "fill", n,
          [n](comparison& pair) { compare_fills<type>(pair, n); });
    }
  });
  // The same on every space: shown once.
  add("view", hpk::DefaultHostExecutionSpace::name(), "handle", 1, compare_handles);
}

}  // namespace bench
