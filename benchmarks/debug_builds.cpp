// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that debug builds slow down most: sums, loops and copies whose bodies make many small calls.
// The topic is `debug` if this file is compiled with -O0 -g, where accesses are checked, and
// `release` in hpk_bench.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

#ifdef NDEBUG
constexpr const char* topic = "release";
#else
constexpr const char* topic = "debug";
#endif

template <class Space, class Body>
void by_hand(index_t n, const Body& body) {
  if constexpr (is_serial<Space>) {
    for (index_t i = 0; i < n; ++i) body(i);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < n; ++i) body(i);
  }
}

template <class Space, class Body>
double sum_by_hand(index_t n, const Body& body) {
  double sum = 0;
  if constexpr (is_serial<Space>) {
    for (index_t i = 0; i < n; ++i) body(i, sum);
  } else {
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (index_t i = 0; i < n; ++i) body(i, sum);
  }
  return sum;
}

template <class Space, class Kernel, class Body>
void compare_sums(comparison& pair, index_t n, const Kernel& kernel, const Body& body) {
  double hpk_sum = 0;
  double hand_sum = 0;
  const auto hpk = [&] {
    hpk::parallel_reduce(hpk::RangePolicy<Space>(0, n), kernel, hpk_sum);
    keep(hpk_sum);
  };
  const auto hand = [&] {
    hand_sum = sum_by_hand<Space>(n, body);
    keep(hand_sum);
  };
  hpk();
  hand();
  pair.agree(hpk_sum == hand_sum);
  pair.time(hpk, hand);
}

template <class Space>
void compare_sum_of_indices(comparison& pair, index_t n) {
  const auto body = [](index_t i, double& update) { update += static_cast<double>(i); };
  compare_sums<Space>(pair, n, body, body);
}

template <class Space>
void compare_sum_of_elements(comparison& pair, index_t n) {
  const array x = work_array(0, n);
  fill_integers(x, 7);
  compare_sums<Space>(
      pair, n, [=](index_t i, double& update) { update += x(i); },
      [p = x.data()](index_t i, double& update) { update += p[i]; });
}

template <class Space>
void compare_assignments(comparison& pair, index_t n) {
  const array x = work_array(0, n);
  const auto hpk = [=] {
    hpk::parallel_for(hpk::RangePolicy<Space>(0, n),
                      [=](index_t i) { x(i) = static_cast<double>(i); });
  };
  const auto hand = [=, p = x.data()] {
    by_hand<Space>(n, [=](index_t i) { p[i] = static_cast<double>(i); });
  };
  pair.agree(same_effect(x, hpk, hand));
  pair.time(hpk, hand);
}

// Copies rows of six elements inside a kernel.
template <class Space>
void compare_local_copies(comparison& pair, index_t n) {
  using view = hpk::View<double********, hpk::LayoutRight, hpk::HostSpace,
                         hpk::MemoryTraits<hpk::Unmanaged>>;
  const array source = work_array(0, n);
  const array target = work_array(1, n);
  fill_integers(source, 7);
  const view from(source.data(), 2, 2, 2, 6, 6, 6, 6, 6);
  const view to(target.data(), 2, 2, 2, 6, 6, 6, 6, 6);
  const auto hpk = [=] {
    hpk::parallel_for(hpk::RangePolicy<Space>(0, 1), [=](int) { hpk::local_deep_copy(to, from); });
  };
  const auto hand = [=, a = to.data(), b = from.data()] {
    for (index_t k = 0; k < n; ++k) a[k] = b[k];
  };
  pair.agree(same_effect(target, hpk, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_debug_builds() {
  for_each_space([](auto space) {
    using type = decltype(space);
    const auto pair = [](const char* variant, index_t n, void (*compare)(comparison&, index_t)) {
      add(topic, type::name(), variant, n, [=](comparison& c) { compare(c, n); });
    };
    constexpr index_t elements = 1 << 16;
    pair("sum of indices", elements, &compare_sum_of_indices<type>);
    pair("sum of elements", elements, &compare_sum_of_elements<type>);
    pair("assignment", elements, &compare_assignments<type>);
    pair("local_deep_copy of rank 8", index_t{8} * 6 * 6 * 6 * 6 * 6, &compare_local_copies<type>);
  });
}

}  // namespace bench
