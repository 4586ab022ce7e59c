// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the tests of forward and backward scans, with the results that a loop finds.
#pragma once

#include <support/affine.hpp>
#include <support/spaces.hpp>

#include <cstdint>

namespace hpk_test {

enum class walk { forward, backward };

/// A term of either sign.
HPK_FUNCTION inline long weight(std::int64_t i) { return static_cast<long>((i * 7919) % 101) - 50; }

/// Scans the weights of [begin, begin + n). Expects the sums before and after each index, in the
/// order of the walk, one final call per index, and the total.
template <walk Walk, class T, class Exec>
void expect_sums_of_weights(const Exec& exec, std::int64_t begin, std::int64_t n) {
  const hpk::View<T*, shared_device<Exec>> before("before", n);
  const hpk::View<T*, shared_device<Exec>> after("after", n);
  const hpk::View<int*, shared_device<Exec>> finals("finals", n);
  const hpk::RangePolicy range(exec, begin, begin + n);
  const auto kernel = HPK_LAMBDA(std::int64_t i, T& update, bool final) {
    const std::int64_t k = i - begin;
    if (final) before(k) = update;
    update += static_cast<T>(weight(i));
    if (final) after(k) = update;
    if (final) ++finals(k);
  };
  T total = T(99);
  if constexpr (Walk == walk::forward) {
    hpk::parallel_scan("sums", range, kernel, total);
  } else {
    hpk::parallel_scan("sums", hpk::backward(range), kernel, total);
  }
  T sum = 0;
  std::int64_t wrong = 0;
  for (std::int64_t step = 0; step < n; ++step) {
    const std::int64_t k = Walk == walk::forward ? step : n - 1 - step;
    wrong += before(k) != sum;
    sum += static_cast<T>(weight(begin + k));
    wrong += after(k) != sum;
    wrong += finals(k) != 1;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(total, sum);
}

/// Sums up to 1000 indices, and keeps the sum after each.
template <class Exec>
struct index_sums {
  using execution_space = Exec;
  hpk::View<long*, Exec> found{"found", 1000};
  HPK_FUNCTION void operator()(int i, long& update, bool final) const {
    update += i;
    if (final) found(i) = update;
  }
};

/// The tag of compose.
struct composing {};
/// Composes the maps of a range, or of a box with rows of seven points, and keeps the map before
/// each point.
struct compose {
  using value_type = affine;
  affine* before;
  HPK_FUNCTION void operator()(composing, std::size_t i, affine& update, bool final) const {
    if (final) before[i] = update;
    update = then(update, map_of(static_cast<std::int64_t>(i)));
  }
  HPK_FUNCTION void operator()(composing, int i, int j, affine& update, bool final) const {
    (*this)(composing(), static_cast<std::size_t>(i * 7 + j), update, final);
  }
  HPK_FUNCTION void init(composing, affine& m) const { m = affine(); }
  HPK_FUNCTION void join(composing, affine& to, const affine& from) const { to = then(to, from); }
};

/// A kernel that cannot be copied or moved. It sums the indices of a range, or of a box with rows
/// of ten points.
template <class Exec>
struct pinned_scan {
  using execution_space = Exec;
  using value_type = long;
  pinned_scan() = default;
  pinned_scan(const pinned_scan&) = delete;
  pinned_scan& operator=(const pinned_scan&) = delete;
  void operator()(int i, long& update, bool) const { update += this == self ? i : 1000000; }
  void operator()(int i, int j, long& update, bool) const { (*this)(i * 10 + j, update, true); }
  const pinned_scan* self = this;
};

}  // namespace hpk_test
