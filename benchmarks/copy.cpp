// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of a View as a handle, compared with std::shared_ptr or a struct of pointer and extent;
// and deep_copy of its elements, compared with memcpy, memset, a loop that stores a value, each
// also row by row, loops over every second element or a column, and a transposition in blocks of 8
// x 8 within blocks of 64 x 64 (shared by all threads from 128 KiB on, columns always).
#include "pair.hpp"
#include "topics.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace bench {

namespace {

constexpr index_t worth_sharing = (index_t{1} << 17) / 8;

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

void compare_unmanaged_handles(comparison& pair) {
  struct pointer_and_extent {
    double* data;
    index_t extent;
  };
  const array view = work_array(0, 8);
  const pointer_and_extent plain{view.data(), 8};
  const auto hpk = [&] {
    const auto copy = view;
    keep(copy);
    return copy.data();
  };
  const auto hand = [&] {
    const auto copy = plain;
    keep(copy);
    return copy.data;
  };
  pair.agree(hpk() == hand());
  pair.time(hpk, hand);
}

template <bool Serial>
void copy_by_hand(double* to, const double* from, index_t n) {
  if (Serial || n < worth_sharing) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(double));
    return;
  }
  // Each thread copies its part by memcpy, which uses streaming stores.
  const index_t piece = std::min(index_t{1} << 17, n / 8);
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

// Calls deep_copy on an instance, or without one (Fenced), which fences before and after.
template <class Space, bool Fenced, class Dst, class Src>
void copy(const Dst& to, const Src& from) {
  if constexpr (Fenced) {
    hpk::deep_copy(to, from);
  } else {
    hpk::deep_copy(Space(), to, from);
  }
}

template <class Space, bool Fenced = false>
void compare_copies(comparison& pair, index_t n) {
  const array from = work_array(0, n);
  const array to = work_array(1, n);
  fill_integers(from, 17);
  const auto hpk = [&] { copy<Space, Fenced>(to, from); };
  const auto hand = [&] { copy_by_hand<is_serial<Space>>(to.data(), from.data(), n); };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space, bool Fenced = false>
void compare_fills(comparison& pair, index_t n) {
  const array to = work_array(1, n);
  const auto hpk = [&] { copy<Space, Fenced>(to, 1.5); };
  const auto hand = [&] { fill_by_hand<is_serial<Space>>(to.data(), 1.5, n); };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

// For n that is too small to be shared by threads.
template <class Space, bool Fenced = false>
void compare_zeros(comparison& pair, index_t n) {
  const array to = work_array(1, n);
  const auto hpk = [&] { copy<Space, Fenced>(to, 0.0); };
  const auto hand = [&] {
    std::memset(to.data(), 0, static_cast<std::size_t>(n) * sizeof(double));
  };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

// Rows of a matrix with gaps between them.
constexpr index_t gap = 64;
using rows =
    hpk::View<double**, hpk::LayoutStride, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>;
rows rows_of(const array& a, index_t n) {
  return rows(a.data(), hpk::LayoutStride(n, n + gap, n, index_t{1}));
}
template <bool Serial, class Row>
void by_rows(index_t n, const Row& row) {
  if (Serial || n * n < worth_sharing) {
    for (index_t i = 0; i < n; ++i) row(i * (n + gap));
  } else {
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < n; ++i) row(i * (n + gap));
  }
}

template <class Space>
void compare_strided_copies(comparison& pair, index_t n) {
  const array from = work_array(0, n * (n + gap));
  const array to = work_array(1, n * (n + gap));
  fill_integers(from, 17);
  const Space space;
  const auto target = rows_of(to, n);
  const auto source = rows_of(from, n);
  const auto hpk = [&] { hpk::deep_copy(space, target, source); };
  const auto hand = [&] {
    by_rows<is_serial<Space>>(n, [n, out = to.data(), in = from.data()](index_t at) {
      std::memcpy(out + at, in + at, static_cast<std::size_t>(n) * sizeof(double));
    });
  };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space>
void compare_strided_fills(comparison& pair, index_t n) {
  const array to = work_array(1, n * (n + gap));
  const Space space;
  const auto target = rows_of(to, n);
  const auto hpk = [&] { hpk::deep_copy(space, target, 1.5); };
  const auto hand = [&] {
    by_rows<is_serial<Space>>(
        n, [n, out = to.data()](index_t at) { std::fill(out + at, out + at + n, 1.5); });
  };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

// A View of n0 x n1 elements of an array, whose strides are s0 and s1.
rows elements_of(const array& a, index_t n0, index_t s0, index_t n1, index_t s1) {
  return rows(a.data(), hpk::LayoutStride(n0, s0, n1, s1));
}

// Copies or fills n0 rows of n1 elements, with gaps between elements and between rows.
template <class Space, bool Fill>
void compare_gaps(comparison& pair, index_t n0, index_t s0, index_t n1, index_t s1) {
  const array from = work_array(0, n0 * s0);
  const array to = work_array(1, n0 * s0);
  fill_integers(from, 17);
  const auto target = elements_of(to, n0, s0, n1, s1);
  const auto source = elements_of(from, n0, s0, n1, s1);
  const auto hpk = [&] {
    if constexpr (Fill) {
      copy<Space, false>(target, 1.5);
    } else {
      copy<Space, false>(target, source);
    }
  };
  const auto hand = [=, out = to.data(), in = static_cast<const double*>(from.data())] {
    const auto row = [=](index_t i) {
      for (index_t j = i * s0; j < i * s0 + n1 * s1; j += s1) out[j] = Fill ? 1.5 : in[j];
    };
    if (is_serial<Space>) {
      for (index_t i = 0; i < n0; ++i) row(i);
    } else {
#pragma omp parallel for schedule(static)
      for (index_t i = 0; i < n0; ++i) row(i);
    }
  };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

// Requires n to be a multiple of 64.
template <bool Serial>
void transpose_by_hand(double* HPK_RESTRICT to, const double* from, index_t n) {
  const auto block = [=](index_t j64, index_t i64) {
    for (index_t j = j64; j < j64 + 64; j += 8) {
      for (index_t i = i64; i < i64 + 64; i += 8) {
        double t[8][8];
        for (index_t y = 0; y < 8; ++y)
          for (index_t x = 0; x < 8; ++x) t[x][y] = from[(i + y) * n + j + x];
        for (index_t x = 0; x < 8; ++x)
          for (index_t y = 0; y < 8; ++y) to[(j + x) * n + i + y] = t[x][y];
      }
    }
  };
  if (Serial || n * n < worth_sharing) {
    for (index_t j = 0; j < n; j += 64)
      for (index_t i = 0; i < n; i += 64) block(j, i);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t j = 0; j < n; j += 64)
      for (index_t i = 0; i < n; i += 64) block(j, i);
  }
}

template <class Space>
void compare_transpositions(comparison& pair, index_t n) {
  const array from = work_array(0, n * n);
  const array to = work_array(1, n * n);
  fill_integers(from, 17);
  const Space space;
  using traits = hpk::MemoryTraits<hpk::Unmanaged>;
  const hpk::View<double**, hpk::LayoutLeft, hpk::HostSpace, traits> target(to.data(), n, n);
  const hpk::View<double**, hpk::LayoutRight, hpk::HostSpace, traits> source(from.data(), n, n);
  const auto hpk = [&] { hpk::deep_copy(space, target, source); };
  const auto hand = [&] { transpose_by_hand<is_serial<Space>>(to.data(), from.data(), n); };
  pair.agree(same_effect(to, hpk, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_copy() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const index_t kib : {1, 128, 64 * 1024}) {
      const index_t n = kib * 1024 / 8;
      add("deep_copy", type::name(), "bytes", n,
          [n](comparison& pair) { compare_copies<type>(pair, n); });
      add("deep_copy", type::name(), "fill", n,
          [n](comparison& pair) { compare_fills<type>(pair, n); });
    }
    for (const index_t n : {128, 8 * 1024}) {
      add("deep_copy", type::name(), "zeros", n,
          [n](comparison& pair) { compare_zeros<type>(pair, n); });
    }
    // Every second element of 256 x 512, and a column of 4096 x 4096.
    add("deep_copy", type::name(), "every_second", 256 * 256,
        [](comparison& pair) { compare_gaps<type, false>(pair, 256, 512, 256, 2); });
    add("deep_copy", type::name(), "fill_every_second", 256 * 256,
        [](comparison& pair) { compare_gaps<type, true>(pair, 256, 512, 256, 2); });
    add("deep_copy", type::name(), "column", 4096,
        [](comparison& pair) { compare_gaps<type, false>(pair, 4096, 4096, 1, 1); });
    add("deep_copy", type::name(), "fill_column", 4096,
        [](comparison& pair) { compare_gaps<type, true>(pair, 4096, 4096, 1, 1); });
    for (const index_t n : {256, 4096}) {
      add("deep_copy", type::name(), "rows", n * n,
          [n](comparison& pair) { compare_strided_copies<type>(pair, n); });
      add("deep_copy", type::name(), "fill_rows", n * n,
          [n](comparison& pair) { compare_strided_fills<type>(pair, n); });
      add("deep_copy", type::name(), "transpose", n * n,
          [n](comparison& pair) { compare_transpositions<type>(pair, n); });
    }
  });
  // Equal on every space, so shown once.
  using host = hpk::DefaultHostExecutionSpace;
  const char* space = host::name();
  add("deep_copy", space, "bytes_fenced", 128,
      [](comparison& pair) { compare_copies<host, true>(pair, 128); });
  add("deep_copy", space, "fill_fenced", 128,
      [](comparison& pair) { compare_fills<host, true>(pair, 128); });
  add("deep_copy", space, "zeros_fenced", 128,
      [](comparison& pair) { compare_zeros<host, true>(pair, 128); });
  add("view", space, "handle", 1, compare_handles);
  add("view", space, "unmanaged", 1, compare_unmanaged_handles);
}

}  // namespace bench
