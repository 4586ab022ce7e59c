// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for tests of algorithms: sizes and random numbers, Views of several layouts that are
// filled from and read into std::vector, and a driver that runs a case on an instance and by a
// team. A case is an object whose call operator takes an instance or the handle of a team.
#pragma once

#include <hpk/algorithms/iterator.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace hpk_test {

namespace KE = hpk::Experimental;
using hpk::index_t;
/// The elements of most tests.
using numbers = std::vector<int>;

/// Empty, one, odd, around powers of two, and large.
inline const std::vector<int> algorithm_sizes = {0,   1,   2,   3,   5,    31,   32,   33,
                                                 127, 255, 256, 257, 1000, 4095, 4097, 100003};
/// Sizes for work of a single team.
inline const std::vector<int> team_sizes = {0, 1, 2, 3, 5, 31, 33, 127, 257, 1000};

/// Returns n numbers of [0, bound), the same for equal arguments.
inline numbers random_numbers(int n, int bound, unsigned seed) {
  std::mt19937 engine(seed * 7919u + static_cast<unsigned>(n));
  std::vector<int> x(static_cast<std::size_t>(n));
  for (int& value : x) value = static_cast<int>(engine() % static_cast<unsigned>(bound));
  return x;
}

/// Predicate that is true for zero and counts its calls.
template <class Exec>
struct counted {
  hpk::View<int, Exec, hpk::MemoryTraits<hpk::Atomic>> calls;
  HPK_FUNCTION bool operator()(int x) const {
    calls() += 1;
    return x == 0;
  }
};
struct twice {
  HPK_FUNCTION int operator()(int x) const { return 2 * x; }
};
struct minus {
  HPK_FUNCTION int operator()(int a, int b) const { return a - b; }
};

/// Returns a View of n elements with a layout. A LayoutStride View has stride 3.
template <class Exec, class Layout, class T>
hpk::View<T*, Layout, Exec> make_row(const char* label, std::size_t n) {
  if constexpr (std::is_same_v<Layout, hpk::LayoutStride>) {
    return hpk::View<T*, Layout, Exec>(
        hpk::subview(hpk::View<T* [3], hpk::LayoutRight, Exec>(label, n), hpk::ALL, 1));
  } else {
    return hpk::View<T*, Layout, Exec>(label, n);
  }
}
template <class T, class V>
void fill_row(const V& view, const std::vector<T>& from) {
  const auto mirror = hpk::create_mirror_view(view);
  for (std::size_t i = 0; i != from.size(); ++i) mirror(i) = from[i];
  if constexpr (!std::is_same_v<decltype(mirror), const V>) hpk::deep_copy(view, mirror);
}
/// Returns a View with the elements of a vector.
template <class Exec, class Layout, class T>
hpk::View<T*, Layout, Exec> make_row(const char* label, const std::vector<T>& from) {
  const auto view = make_row<Exec, Layout, T>(label, from.size());
  fill_row(view, from);
  return view;
}
/// Returns the elements of a View.
template <class V>
auto read_row(const V& view) {
  std::vector<typename V::non_const_value_type> to(view.extent(0));
  const auto mirror = on_host(view);
  for (std::size_t i = 0; i != to.size(); ++i) to[i] = mirror(i);
  return to;
}

/// The result of an algorithm as numbers: the index of an iterator, the value of any other result.
struct outcome {
  double first = 0;
  double second = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const outcome& o) {
    return out << '(' << o.first << ", " << o.second << ')';
  }
};
template <class T>
HPK_FUNCTION double number_of(const T& result) {
  if constexpr (requires { result.index(); }) {
    return static_cast<double>(result.index());
  } else {
    return static_cast<double>(result);
  }
}
template <class T>
HPK_FUNCTION outcome outcome_of(const T& result) {
  if constexpr (requires { result.first; }) {
    return {number_of(result.first), number_of(result.second)};
  } else {
    return {number_of(result), 0};
  }
}

/// Returns the outcome of std's algorithm: the index of its iterator.
template <class It>
outcome index_in(const numbers& of, It it) {
  return {static_cast<double>(it - of.begin()), 0};
}
/// Returns the outcome of std's algorithm: the indices of its pair of iterators.
template <class Pair>
outcome indices_in(const numbers& first, const numbers& second, Pair p) {
  return {index_in(first, p.first).first, index_in(second, p.second).first};
}

/// Returns the outcome of a call with iterators from a case whose setting S has iterators. The call
/// with Views follows.
#define HPK_WITH_ITERATORS(...) \
  if constexpr (S::iterators) return hpk_test::outcome_of(hpk_test::KE::__VA_ARGS__);

/// Runs a case in a kernel over teams. Each thread stores the outcome.
template <class Exec, class Case>
struct in_team {
  Case run;
  hpk::View<outcome*, Exec> results;
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team) const {
    const outcome result = run(team);
    results(team.team_rank()) = result;
  }
};
/// Returns the outcome of a case on an instance, or by a team of up to three threads, which all get
/// the same outcome.
template <class Exec, class Case>
outcome run_case(const Exec& exec, bool by_team, const Case& run) {
  if (!by_team) return run(exec);
  const hpk::View<outcome*, Exec> results("results", 3);
  const in_team<Exec, Case> kernel{run, results};
  const int most = hpk::TeamPolicy<Exec>(exec, 1, 1).team_size_max(kernel, hpk::ParallelForTag());
  const int size = most < 3 ? most : 3;
  hpk::parallel_for(hpk::TeamPolicy<Exec>(exec, 1, size), kernel);
  const auto got = on_host(results);
  for (int k = 1; k < size; ++k) EXPECT_EQ(got(k), got(0)) << "thread " << k;
  return got(0);
}

/// A layout, and whether a case passes iterators or Views.
template <class L, bool Iterators>
struct setting {
  using layout = L;
  static constexpr bool iterators = Iterators;
};
/// Calls check(setting, by_team, n) for all sizes: on host spaces with iterators over contiguous
/// elements, on devices with Views of other layouts. (All combinations would double the compile
/// time.)
template <class Exec, class Check>
void for_each_setting(const Check& check) {
  for (const bool by_team : {false, true}) {
    for (const int n : by_team ? team_sizes : algorithm_sizes) {
      // Emulated lanes are slow.
      if (!is_host<Exec> && n > 10000) continue;
      const testing::ScopedTrace trace(__FILE__, __LINE__,
                                       std::to_string(n) + (by_team ? " in a team" : ""));
      if constexpr (is_host<Exec>) {
        check(setting<hpk::LayoutLeft, true>(), by_team, n);
      } else {
        check(setting<hpk::LayoutStride, false>(), by_team, n);
      }
    }
  }
}

}  // namespace hpk_test
