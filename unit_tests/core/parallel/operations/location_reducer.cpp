// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reducers that find first and last places: of extremes, also in orders of the program, and of a
// condition. Each is compared with a plain loop, with kernels that see equal values in any order.
// reducer.cpp tests MinLoc, MaxLoc, MinMax and MinMaxLoc.
#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <limits>

namespace hpk_test::location_reducer_cases {

constexpr int sizes[] = {0, 1, 2, 33, 1023, 10007};

template <class Exec>
class LocationReducers : public testing::Test {};
TYPED_TEST_SUITE(LocationReducers, hpk_test::spaces, hpk_test::space_names);

// Few different values, so that there are ties.
HPK_FUNCTION int value(std::int64_t i) { return static_cast<int>((i * 2654435761u) % 101) - 50; }

// Folds backwards within a block too: the last of equal values replaces earlier ones, so only the
// joins can find the first location.
template <class Reducer>
struct join_each {
  Reducer reducer;
  int n;
  template <class V>
  HPK_FUNCTION static V at(int i) {
    using index = decltype(V().loc);
    return {value(i), static_cast<index>(i)};
  }
  HPK_FUNCTION void operator()(int i, typename Reducer::value_type& u) const {
    reducer.join(u, at<typename Reducer::value_type>(n - 1 - i));
  }
};
template <class Reducer>
struct join_both {
  Reducer reducer;
  int n;
  HPK_FUNCTION void operator()(int i, typename Reducer::value_type& u) const {
    const int k = n - 1 - i;
    using index = decltype(u.min_loc);
    reducer.join(u, {value(k), value(k), static_cast<index>(k), static_cast<index>(k)});
  }
};

template <class Kernel, class Exec, class Wanted, class Make>
void expect_found(const Exec& exec, int n, const Wanted& wanted, Make make) {
  Wanted variable{};
  const auto over_variable = make(variable);
  EXPECT_TRUE(over_variable.references_scalar());
  hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n),
                       typename Kernel::template of<decltype(make(variable))>{over_variable, n},
                       over_variable);
  EXPECT_EQ(variable, wanted);
  const hpk::View<Wanted, hpk::HostSpace> view("result");
  const auto over_view = make(view);
  EXPECT_FALSE(over_view.references_scalar());
  hpk::parallel_reduce(hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                       typename Kernel::template of<decltype(make(view))>{over_view, n}, over_view);
  exec.fence();
  EXPECT_EQ(view(), wanted);
}
struct one_by_one {
  template <class R>
  using of = join_each<R>;
};
struct both_by_both {
  template <class R>
  using of = join_both<R>;
};

// The result of a plain loop: the first place whose value precedes all others, or the last place
// whose value follows all others.
template <class Before>
int first_of(int n, Before before) {
  int best = 0;
  for (int i = 1; i < n; ++i) best = before(value(i), value(best)) ? i : best;
  return best;
}
template <class Before>
int last_of(int n, Before before) {
  int best = 0;
  for (int i = 1; i < n; ++i)
    best = before(value(best), value(i)) || !before(value(i), value(best)) ? i : best;
  return best;
}

template <class Index, class Exec>
void expect_extremes() {
  using one = hpk::ValLocScalar<int, Index>;
  using both = hpk::MinMaxLocScalar<int, Index>;
  constexpr int worst = std::numeric_limits<int>::max();
  constexpr int best = std::numeric_limits<int>::lowest();
  constexpr Index high = std::numeric_limits<Index>::max();
  constexpr Index low = std::numeric_limits<Index>::lowest();
  const auto less = [](int a, int b) { return a < b; };
  const auto more = [](int a, int b) { return a > b; };
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    for (const int n : sizes) {
      SCOPED_TRACE(n);
      const int least = first_of(n, less);
      const int most = first_of(n, more);
      const int last = last_of(n, less);
      const one wanted_least = n == 0 ? one{worst, high} : one{value(least), Index(least)};
      const one wanted_most = n == 0 ? one{best, high} : one{value(most), Index(most)};
      const both wanted_both = n == 0 ? both{worst, best, high, low}
                                      : both{value(least), value(last), Index(least), Index(last)};
      expect_found<one_by_one>(exec, n, wanted_least,
                               [](auto& to) { return hpk::MinFirstLoc(to); });
      expect_found<one_by_one>(exec, n, wanted_most, [](auto& to) { return hpk::MaxFirstLoc(to); });
      expect_found<both_by_both>(exec, n, wanted_both,
                                 [](auto& to) { return hpk::MinMaxFirstLastLoc(to); });
    }
  }
}

HPK_TYPED_TEST(LocationReducers, find_the_first_and_the_last_of_equal_extremes) {
  expect_extremes<int, TypeParam>();
  expect_extremes<std::int64_t, TypeParam>();
  expect_extremes<unsigned, TypeParam>();
}

// By distance from 7: the identities of Min and Max are far away, which is the worst value for Min
// and the best value for Max.
struct nearer {
  int center;
  HPK_FUNCTION bool operator()(int a, int b) const { return distance(a) < distance(b); }
  HPK_FUNCTION long distance(long a) const { return a < center ? center - a : a - center; }
};

HPK_TYPED_TEST(LocationReducers, order_as_the_program_does) {
  using one = hpk::ValLocScalar<int, int>;
  using both = hpk::MinMaxLocScalar<int, int>;
  constexpr int worst = std::numeric_limits<int>::max();
  constexpr int best = std::numeric_limits<int>::lowest();
  const nearer order{7};
  const auto farther = [order](int a, int b) { return order(b, a); };
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : sizes) {
      SCOPED_TRACE(n);
      const int least = first_of(n, order);
      const int most = first_of(n, farther);
      const int last = last_of(n, order);
      expect_found<one_by_one>(
          exec, n, n == 0 ? one{worst, worst} : one{value(least), least},
          [order](auto& to) { return hpk::MinFirstLocCustomComparator(to, order); });
      expect_found<one_by_one>(
          exec, n, n == 0 ? one{best, worst} : one{value(most), most},
          [order](auto& to) { return hpk::MaxFirstLocCustomComparator(to, order); });
      expect_found<both_by_both>(
          exec, n,
          n == 0 ? both{worst, best, worst, best} : both{value(least), value(last), least, last},
          [order](auto& to) { return hpk::MinMaxFirstLastLocCustomComparator(to, order); });
    }
  }
}

// A condition that holds for [from, to).
struct holds {
  int from;
  int to;
  HPK_FUNCTION bool at(int i) const { return i >= from && i < to; }
  HPK_FUNCTION void operator()(int i, hpk::FirstLocScalar<int>& u) const {
    if (at(i) && i < u.min_loc_true) u.min_loc_true = i;
  }
  HPK_FUNCTION void operator()(int i, hpk::LastLocScalar<int>& u) const {
    if (at(i) && i > u.max_loc_true) u.max_loc_true = i;
  }
  HPK_FUNCTION void operator()(int i, hpk::StdIsPartScalar<int>& u) const {
    if (at(i)) {
      if (i > u.max_loc_true) u.max_loc_true = i;
    } else if (i < u.min_loc_false) {
      u.min_loc_false = i;
    }
  }
  HPK_FUNCTION void operator()(int i, hpk::StdPartPointScalar<int>& u) const {
    if (!at(i) && i < u.min_loc_false) u.min_loc_false = i;
  }
};

HPK_TYPED_TEST(LocationReducers, find_where_something_holds) {
  constexpr int none = std::numeric_limits<int>::max();
  constexpr int lowest = std::numeric_limits<int>::lowest();
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : sizes) {
      for (const holds what : {holds{0, 0}, holds{0, 1}, holds{5, 700}, holds{0, 20000}}) {
        SCOPED_TRACE(testing::Message() << n << ": " << what.from << " to " << what.to);
        const int end = what.to < n ? what.to : n;
        const bool any = what.from < end;
        const int outside = what.from > 0 ? 0 : end;
        const int first_outside = outside < n ? outside : none;
        const hpk::RangePolicy<TypeParam> range(exec, 0, n);
        hpk::FirstLocScalar<int> first{-7};
        hpk::parallel_reduce(range, what, hpk::FirstLoc(first));
        EXPECT_EQ(first.min_loc_true, any ? what.from : none);
        hpk::LastLocScalar<int> last{-7};
        hpk::parallel_reduce(range, what, hpk::LastLoc<int>(last));
        EXPECT_EQ(last.max_loc_true, any ? end - 1 : lowest);
        const hpk::View<hpk::StdIsPartScalar<int>, hpk::HostSpace> part("part");
        hpk::parallel_reduce(range, what, hpk::StdIsPartitioned(part));
        hpk::StdPartPointScalar<int> point{-7};
        hpk::parallel_reduce(range, what, hpk::StdPartitionPoint(point));
        exec.fence();
        EXPECT_EQ(part(), (hpk::StdIsPartScalar<int>{any ? end - 1 : lowest, first_outside}));
        EXPECT_EQ(point.min_loc_false, first_outside);
      }
    }
  }
}

// Several of these reducers together, over a box.
HPK_TYPED_TEST(LocationReducers, go_with_others) {
  using one = hpk::ValLocScalar<int, int>;
  one least{};
  hpk::FirstLocScalar<int> first{};
  long sum = -1;
  hpk::parallel_reduce(
      hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {40, 50}),
      HPK_LAMBDA(int i, int j, one& m, hpk::FirstLocScalar<int>& f, long& s) {
        const int k = 50 * i + j;
        if (value(k) < m.val || (value(k) == m.val && k < m.loc)) m = {value(k), k};
        if (k >= 77 && k < f.min_loc_true) f.min_loc_true = k;
        s += k;
      },
      hpk::MinFirstLoc(least), hpk::FirstLoc(first), sum);
  const int wanted = first_of(2000, [](int a, int b) { return a < b; });
  EXPECT_EQ(least, (one{value(wanted), wanted}));
  EXPECT_EQ(first.min_loc_true, 77);
  EXPECT_EQ(sum, 1999000);
}

// A place and a weight that have only the identities that one reducer needs.
struct weight {
  int grams;
  friend bool operator==(const weight&, const weight&) = default;
  HPK_FUNCTION friend bool operator<(const weight& a, const weight& b) { return a.grams < b.grams; }
};
struct place {
  int number;
  friend bool operator==(const place&, const place&) = default;
};

}  // namespace hpk_test::location_reducer_cases

template <>
struct hpk::reduction_identity<hpk_test::location_reducer_cases::weight> {
  HPK_FUNCTION static hpk_test::location_reducer_cases::weight min() { return {1 << 30}; }
};
template <>
struct hpk::reduction_identity<hpk_test::location_reducer_cases::place> {
  HPK_FUNCTION static hpk_test::location_reducer_cases::place min() { return {-1}; }
};

namespace hpk_test::location_reducer_cases {

HPK_TYPED_TEST(LocationReducers, ask_for_the_identities_that_they_use) {
  using lightest = hpk::ValLocScalar<weight, place>;
  lightest found{};
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 100),
      HPK_LAMBDA(int i, lightest& update) {
        const weight w{(i * 37 + 11) % 100};
        if (w < update.val) update = {w, {i}};
      },
      hpk::MinLoc<weight, place>(found));
  EXPECT_EQ(found.val.grams, 0);
  EXPECT_EQ((found.loc.number * 37 + 11) % 100, 0);
  using extremes = hpk::MinMaxLocScalar<int, place>;
  extremes both{};
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 100),
      HPK_LAMBDA(int i, extremes& update) {
        if (i < update.min_val) update.min_val = i, update.min_loc = {i};
        if (i > update.max_val) update.max_val = i, update.max_loc = {i};
      },
      hpk::MinMaxLoc<int, place>(both));
  EXPECT_EQ(both, (extremes{0, 99, {0}, {99}}));
}

static_assert(std::is_convertible_v<hpk::ValLocScalar<int, int>&, hpk::MinLoc<int, int>>);
static_assert(std::is_same_v<hpk::MinFirstLoc<const int, const long>::value_type,
                             hpk::ValLocScalar<int, long>>);
static_assert(hpk::is_reducer_v<hpk::LastLoc<int>> &&
              hpk::is_reducer_v<hpk::MinFirstLocCustomComparator<int, int, nearer>>);

}  // namespace hpk_test::location_reducer_cases
