// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element access through DynRankView (axpy in rank 1, a stencil in rank 2, a sum in rank 3) and
// DynamicView (axpy), compared with the same kernels over Views. access.cpp compares those with
// pointers.
#include "pair.hpp"

#include <hpk/containers/dyn_rank_view.hpp>
#include <hpk/containers/dynamic_view.hpp>

#include <string>

namespace bench {

namespace {

using hpk::HostSpace;
using hpk::LayoutRight;

template <class V, class W>
struct axpy_body {
  V y;
  W x;
  double a;
  HPK_FUNCTION void operator()(index_t i) const { y(i) = a * x(i) + y(i); }
};

// Runs over a DynamicView chunk by chunk.
template <class V>
struct chunk_body {
  V y;
  V x;
  double a;
  HPK_FUNCTION void operator()(index_t c) const {
    const auto to = y.chunk(static_cast<std::size_t>(c));
    const auto from = x.chunk(static_cast<std::size_t>(c));
    const auto n = static_cast<index_t>(to.extent(0));
    for (index_t k = 0; k < n; ++k) to(k) = a * from(k) + to(k);
  }
};

template <class V>
struct stencil_body {
  V to;
  V from;
  index_t columns;
  HPK_FUNCTION void operator()(index_t i) const {
    for (index_t j = 1; j < columns - 1; ++j)
      to(i, j) = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1));
  }
};

template <class V>
struct sum_body {
  V from;
  index_t n1;
  index_t n2;
  HPK_FUNCTION void operator()(index_t i, double& sum) const {
    for (index_t j = 0; j < n1; ++j)
      for (index_t k = 0; k < n2; ++k) sum += from(i, j, k);
  }
};

template <class V>
void fill_with_index(const V& view) {
  for (index_t i = 0; i < static_cast<index_t>(view.extent(0)); ++i)
    view(i) = static_cast<double>(i % 17);
}

template <class Space, class V, class W>
void compare_axpy(comparison& pair, const V& y, const V& x, const W& view_y, const W& view_x) {
  fill_with_index(x);
  fill_with_index(view_x);
  const index_t n = static_cast<index_t>(view_y.extent(0));
  const hpk::RangePolicy<Space> policy(index_t{0}, n);
  const auto hpk = [&] { hpk::parallel_for(policy, axpy_body<V, V>{y, x, 0.5}); };
  const auto by_view = [&] { hpk::parallel_for(policy, axpy_body<W, W>{view_y, view_x, 0.5}); };
  hpk();
  by_view();
  bool same = true;
  for (index_t i = 0; i < n; ++i) same = same && y(i) == view_y(i);
  pair.agree(same);
  pair.time(hpk, by_view);
}

template <class Space>
void compare_ranked_axpy(comparison& pair, index_t n) {
  using V = hpk::DynRankView<double, LayoutRight, HostSpace>;
  using W = hpk::View<double*, LayoutRight, HostSpace>;
  compare_axpy<Space>(pair, V("y", n), V("x", n), W("y", n), W("x", n));
}

template <class Space, bool ByChunk>
void compare_chunked_axpy(comparison& pair, index_t n) {
  using V = hpk::DynamicView<double*, HostSpace>;
  using W = hpk::View<double*, LayoutRight, HostSpace>;
  const V y("y", 1 << 13, static_cast<std::size_t>(n));
  const V x("x", 1 << 13, static_cast<std::size_t>(n));
  y.resize_serial(static_cast<std::size_t>(n));
  x.resize_serial(static_cast<std::size_t>(n));
  if constexpr (!ByChunk) {
    compare_axpy<Space>(pair, y, x, W("y", n), W("x", n));
  } else {
    const W view_y("y", n), view_x("x", n);
    fill_with_index(x);
    fill_with_index(view_x);
    const hpk::RangePolicy<Space> chunks(index_t{0}, static_cast<index_t>(y.chunk_max()));
    const hpk::RangePolicy<Space> all(index_t{0}, n);
    const auto hpk = [&] { hpk::parallel_for(chunks, chunk_body<V>{y, x, 0.5}); };
    const auto by_view = [&] { hpk::parallel_for(all, axpy_body<W, W>{view_y, view_x, 0.5}); };
    hpk();
    by_view();
    bool same = true;
    for (index_t i = 0; i < n; ++i) same = same && y(i) == view_y(i);
    pair.agree(same);
    pair.time(hpk, by_view);
  }
}

template <class Space>
void compare_stencil(comparison& pair) {
  constexpr index_t n = 256;
  using V = hpk::DynRankView<double, LayoutRight, HostSpace>;
  using W = hpk::View<double**, LayoutRight, HostSpace>;
  const V to("to", n, n), from("from", n, n);
  const W view_to("to", n, n), view_from("from", n, n);
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j)
      from(i, j) = view_from(i, j) = static_cast<double>((i * j) % 23);
  const hpk::RangePolicy<Space> policy(index_t{1}, n - 1);
  const auto hpk = [&] { hpk::parallel_for(policy, stencil_body<V>{to, from, n}); };
  const auto by_view = [&] { hpk::parallel_for(policy, stencil_body<W>{view_to, view_from, n}); };
  hpk();
  by_view();
  bool same = true;
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) same = same && to(i, j) == view_to(i, j);
  pair.agree(same);
  pair.time(hpk, by_view);
}

template <class Space>
void compare_sum(comparison& pair) {
  constexpr index_t n0 = 64, n1 = 16, n2 = 64;
  using V = hpk::DynRankView<double, LayoutRight, HostSpace>;
  using W = hpk::View<double***, LayoutRight, HostSpace>;
  const V from("from", n0, n1, n2);
  const W view_from = hpk::as_view_of_rank<3>(from);
  hpk::deep_copy(from, 0.5);
  const hpk::RangePolicy<Space> policy(index_t{0}, n0);
  double sum = 0, sum_by_view = 0;
  const auto hpk = [&] { hpk::parallel_reduce(policy, sum_body<V>{from, n1, n2}, sum); };
  const auto by_view = [&] {
    hpk::parallel_reduce(policy, sum_body<W>{view_from, n1, n2}, sum_by_view);
  };
  hpk();
  by_view();
  pair.agree(sum == sum_by_view && sum == 0.5 * n0 * n1 * n2);
  pair.time(hpk, by_view);
}

}  // namespace

void add_dynamic_views() {
  for_each_space([](auto space) {
    using type = decltype(space);
    constexpr index_t cached = 65536;
    constexpr index_t large = index_t{1} << 22;
    const auto axpy = [](index_t n) {
      add("dynamic_views", type::name(), "ranked_axpy", n,
          [n](comparison& pair) { compare_ranked_axpy<type>(pair, n); });
      add("dynamic_views", type::name(), "chunked_axpy", n,
          [n](comparison& pair) { compare_chunked_axpy<type, false>(pair, n); });
      add("dynamic_views", type::name(), "chunked_axpy_by_chunk", n,
          [n](comparison& pair) { compare_chunked_axpy<type, true>(pair, n); });
    };
    axpy(cached);
    axpy(large);
    add("dynamic_views", type::name(), "ranked_stencil", 65536, compare_stencil<type>);
    add("dynamic_views", type::name(), "ranked_sum", 65536, compare_sum<type>);
  });
}

}  // namespace bench
