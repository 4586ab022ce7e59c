// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of containers: axpy and a five-point stencil over the side of a DualView and over
// OffsetViews, compared with the same loops over pointers. The begins of an OffsetView should cost
// nothing.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/containers/dual_view.hpp>
#include <hpk/containers/offset_view.hpp>

#include <string>

namespace bench {

namespace {

constexpr index_t elements = 65536;
constexpr index_t rows = 256;

// y = 2 x + y, from the first index on.
template <class V>
struct axpy {
  V x;
  V y;
  void operator()(index_t i) const { y(i) += 2 * x(i); }
};

template <class V>
struct stencil {
  V from;
  V to;
  index_t begin;
  index_t end;
  void operator()(index_t i) const {
    for (index_t j = begin; j < end; ++j)
      to(i, j) = from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1) - 4 * from(i, j);
  }
};

template <bool Serial>
__attribute__((noinline)) void axpy_by_hand(double* y, const double* x, index_t n) {
  if (Serial) {
    for (index_t i = 0; i < n; ++i) y[i] += 2 * x[i];
  } else {
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < n; ++i) y[i] += 2 * x[i];
  }
}

inline __attribute__((always_inline)) void row_by_hand(double* to, const double* from, index_t n,
                                                       index_t i) {
  for (index_t j = 1; j < n - 1; ++j)
    to[i * n + j] = from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] +
                    from[i * n + j + 1] - 4 * from[i * n + j];
}
template <bool Serial>
__attribute__((noinline)) void stencil_by_hand(double* to, const double* from, index_t n) {
  if (Serial) {
    for (index_t i = 1; i < n - 1; ++i) row_by_hand(to, from, n, i);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t i = 1; i < n - 1; ++i) row_by_hand(to, from, n, i);
  }
}

template <class Space, class Kernel>
void compare_axpy(comparison& pair, const array& out, const array& in, index_t begin,
                  const Kernel& kernel) {
  const hpk::RangePolicy<Space> policy(begin, begin + elements);
  const auto hpk = [&] { hpk::parallel_for(policy, kernel); };
  const auto hand = [&] { axpy_by_hand<is_serial<Space>>(out.data(), in.data(), elements); };
  pair.agree(same_effect(out, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space, class Kernel>
void compare_stencil(comparison& pair, const array& out, const array& in, index_t begin,
                     const Kernel& kernel) {
  const hpk::RangePolicy<Space> policy(begin + 1, begin + rows - 1);
  const auto hpk = [&] { hpk::parallel_for(policy, kernel); };
  const auto hand = [&] { stencil_by_hand<is_serial<Space>>(out.data(), in.data(), rows); };
  pair.agree(same_effect(out, hpk, hand));
  pair.time(hpk, hand);
}

// The memory that both sides use.
template <class Space>
using dual = hpk::DualView<double*, hpk::Device<Space, hpk::HostSpace>>;
template <class Space>
dual<Space> wrapped(const array& a) {
  const typename dual<Space>::t_dev device(a.data(), elements);
  return dual<Space>(device, device);
}

template <class Space>
void dual_view_axpy(comparison& pair) {
  const array out = work_array(1, elements);
  const array in = work_array(0, elements);
  fill_integers(in, 17);
  const auto view = [](const array& a) { return wrapped<Space>(a).view_device(); };
  compare_axpy<Space>(pair, out, in, 0, axpy<typename dual<Space>::t_dev>{view(in), view(out)});
}

template <class Space>
void offset_view_axpy(comparison& pair) {
  using view = hpk::OffsetView<double*, hpk::HostSpace>;
  const array out = work_array(1, elements);
  const array in = work_array(0, elements);
  fill_integers(in, 17);
  constexpr index_t begin = -1000;
  const auto wrap = [](const array& a) { return view(a.data(), {begin}, {begin + elements}); };
  compare_axpy<Space>(pair, out, in, begin, axpy<view>{wrap(in), wrap(out)});
}

template <class Space>
void offset_view_stencil(comparison& pair) {
  using view = hpk::OffsetView<double**, hpk::LayoutRight, hpk::HostSpace>;
  const array out = work_array(1, elements);
  const array in = work_array(0, elements);
  fill_integers(in, 17);
  constexpr index_t begin = -1;
  const auto wrap = [](const array& a) {
    return view(a.data(), {begin, begin}, {begin + rows, begin + rows});
  };
  compare_stencil<Space>(pair, out, in, begin,
                         stencil<view>{wrap(in), wrap(out), begin + 1, begin + rows - 1});
}

template <class Space>
void view_stencil(comparison& pair) {
  using view = hpk::View<double**, hpk::LayoutRight, hpk::HostSpace>;
  const array out = work_array(1, elements);
  const array in = work_array(0, elements);
  fill_integers(in, 17);
  const auto wrap = [](const array& a) { return view(a.data(), rows, rows); };
  compare_stencil<Space>(pair, out, in, 0, stencil<view>{wrap(in), wrap(out), 1, rows - 1});
}

}  // namespace

void add_views_of_containers() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add("views_of_containers", type::name(), "dual_view_axpy", elements, dual_view_axpy<type>);
    add("views_of_containers", type::name(), "offset_view_axpy", elements, offset_view_axpy<type>);
    add("views_of_containers", type::name(), "offset_view_stencil", elements,
        offset_view_stencil<type>);
    add("views_of_containers", type::name(), "view_stencil", elements, view_stencil<type>);
  });
}

}  // namespace bench
