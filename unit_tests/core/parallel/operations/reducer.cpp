// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in reducers, each compared with a plain loop over the same values: with variables and
// Views, with deduced arguments, for empty, one, odd and large sizes, including ties.
#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <limits>
#include <vector>

namespace hpk_test::reducer_cases {

constexpr int sizes[] = {0, 1, 2, 31, 32, 33, 1023, 1985, 100003};

template <class Exec>
class Reducers : public testing::Test {};
TYPED_TEST_SUITE(Reducers, hpk_test::spaces, hpk_test::space_names);

// Few different values, so that there are ties. The extremes are rare and far apart.
HPK_FUNCTION int value(std::int64_t i) { return static_cast<int>((i * 2654435761u) % 1009) - 300; }

template <class Reducer, class Wanted, class Exec, class Kernel>
void expect_each_way(const Exec& exec, int n, const Wanted& wanted, Kernel kernel) {
  using V = typename Reducer::value_type;
  V variable{};
  const Reducer over_variable(variable);
  EXPECT_TRUE(over_variable.references_scalar());
  EXPECT_EQ(&over_variable.reference(), &variable);
  EXPECT_EQ(over_variable.view().data(), &variable);
  hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, over_variable);
  EXPECT_EQ(variable, wanted);
  const hpk::View<V, hpk::HostSpace> view("result");
  const Reducer over_view(view);
  EXPECT_FALSE(over_view.references_scalar());
  EXPECT_EQ(over_view.view().data(), view.data());
  hpk::parallel_reduce("over a view",
                       hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 0, n), kernel,
                       over_view);
  exec.fence();
  EXPECT_EQ(view(), wanted);
}

template <class T, class Operation, class Value>
struct fold_values {
  Operation operation;
  Value value_of;
  HPK_FUNCTION void operator()(int i, T& update) const { operation(update, value_of(i)); }
};

// One reducer of a scalar: Operation folds `x` into `to`, beginning with `identity`.
template <class Reducer, class Exec, class T, class Operation, class Value>
void expect_like_loop(T identity, Operation operation, Value value_of) {
  for (const int n : sizes) {
    SCOPED_TRACE(n);
    T wanted = identity;
    for (int i = 0; i < n; ++i) operation(wanted, value_of(i));
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      expect_each_way<Reducer>(exec, n, wanted,
                               fold_values<T, Operation, Value>{operation, value_of});
    }
  }
}

HPK_TYPED_TEST(Reducers, fold_scalars_as_a_loop_does) {
  const auto v = HPK_LAMBDA(int i) { return value(i); };
  expect_like_loop<hpk::Sum<long>, TypeParam>(0L, HPK_LAMBDA(long& to, long x) { to += x; }, v);
  expect_like_loop<hpk::Prod<unsigned>, TypeParam>(
      1u, HPK_LAMBDA(unsigned& to, unsigned x) { to *= x; },
      HPK_LAMBDA(int i) { return 2u * static_cast<unsigned>(i) + 1; });
  expect_like_loop<hpk::Min<int>, TypeParam>(
      std::numeric_limits<int>::max(), HPK_LAMBDA(int& to, int x) { to = x < to ? x : to; }, v);
  expect_like_loop<hpk::Max<double>, TypeParam>(
      -std::numeric_limits<double>::infinity(),
      HPK_LAMBDA(double& to, double x) { to = x > to ? x : to; }, v);
  expect_like_loop<hpk::BAnd<unsigned char>, TypeParam>(
      static_cast<unsigned char>(255),
      HPK_LAMBDA(unsigned char& to, unsigned x) { to = static_cast<unsigned char>(to & x); },
      HPK_LAMBDA(int i) { return 0xA5u | (1u << (i % 8)); });
  expect_like_loop<hpk::BOr<unsigned long>, TypeParam>(
      0ul, HPK_LAMBDA(unsigned long& to, unsigned long x) { to |= x; },
      HPK_LAMBDA(int i) { return 1ul << ((i * 7) % 60); });
}

// A class with a user-provided copy constructor.
struct copied {
  int values[3];
  HPK_FUNCTION copied() : values{0, 0, 0} {}
  HPK_FUNCTION copied(const copied& other)
      : values{other.values[0], other.values[1], other.values[2]} {}
  HPK_FUNCTION copied& operator=(const copied& other) {
    for (int k = 0; k < 3; ++k) values[k] = other.values[k];
    return *this;
  }
  HPK_FUNCTION copied& operator+=(const copied& other) {
    for (int k = 0; k < 3; ++k) values[k] += other.values[k];
    return *this;
  }
};
static_assert(!std::is_trivially_copyable_v<copied>);

HPK_TYPED_TEST(Reducers, take_classes_with_copy_constructors) {
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  copied range, scan, teams;
  const auto add = HPK_LAMBDA(int i, copied& update) { update.values[i % 3] += i; };
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 3000), add, range);
  const auto add_last = HPK_LAMBDA(int i, copied& update, bool) { update.values[i % 3] += i; };
  hpk::parallel_scan(hpk::RangePolicy<TypeParam>(0, 3000), add_last, scan);
  const auto add_team = HPK_LAMBDA(const member& team, copied& update) {
    copied mine;
    hpk::parallel_reduce(
        hpk::TeamThreadRange(team, 30), [&](int i, copied& u) { u.values[i % 3] += i; }, mine);
    hpk::single(hpk::PerTeam(team), [&] { update += mine; });
  };
  hpk::parallel_reduce(hpk::TeamPolicy<TypeParam>(100, 1), add_team, teams);
  int wanted[3] = {0, 0, 0};
  int of_team[3] = {0, 0, 0};
  for (int i = 0; i < 3000; ++i) wanted[i % 3] += i;
  for (int i = 0; i < 30; ++i) of_team[i % 3] += i;
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(range.values[k], wanted[k]);
    EXPECT_EQ(scan.values[k], wanted[k]);
    EXPECT_EQ(teams.values[k], 100 * of_team[k]);
  }
}

HPK_TYPED_TEST(Reducers, take_execution_spaces_for_their_memory) {
  using device = typename TypeParam::device_type;
  static_assert(std::is_same_v<typename hpk::Sum<int, TypeParam>::memory_space,
                               typename TypeParam::memory_space>);
  hpk::View<int, TypeParam> sum("sum");
  const auto count = HPK_LAMBDA(int, int& update) { ++update; };
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 7), count, hpk::Sum<int, TypeParam>(sum));
  int total = 0;
  hpk::deep_copy(total, sum);
  EXPECT_EQ(total, 7);
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 8), count, hpk::Sum<int, device>(sum));
  hpk::deep_copy(total, sum);
  EXPECT_EQ(total, 8);
  using host = hpk::DefaultHostExecutionSpace;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 9), count, hpk::Sum<int, host>(total));
  EXPECT_EQ(total, 9);
}

HPK_TYPED_TEST(Reducers, fold_truth_as_a_loop_does) {
  for (const int odd_one : {-1, 0, 500, 99999}) {
    expect_like_loop<hpk::LAnd<int>, TypeParam>(
        1, HPK_LAMBDA(int& to, bool x) { to = to != 0 && x; },
        HPK_LAMBDA(int i) { return i != odd_one; });
    expect_like_loop<hpk::LOr<bool>, TypeParam>(
        false, HPK_LAMBDA(bool& to, bool x) { to = to || x; },
        HPK_LAMBDA(int i) { return i == odd_one; });
  }
}

// Both extremes, with locations where the value type has them.
template <class Index>
struct find_both {
  template <class Both>
  HPK_FUNCTION void operator()(int i, Both& u) const {
    if (value(i) < u.min_val) {
      u.min_val = value(i);
      if constexpr (requires { u.min_loc; }) u.min_loc = static_cast<Index>(i);
    }
    if (value(i) > u.max_val) {
      u.max_val = value(i);
      if constexpr (requires { u.max_loc; }) u.max_loc = static_cast<Index>(i);
    }
  }
};

template <class Exec, class Index>
void expect_locations() {
  using min_loc = hpk::ValLocScalar<int, Index>;
  using both = hpk::MinMaxLocScalar<int, Index>;
  constexpr Index unset = hpk::reduction_identity<Index>::min();
  for (const int n : sizes) {
    SCOPED_TRACE(n);
    both wanted{std::numeric_limits<int>::max(), std::numeric_limits<int>::lowest(), unset, unset};
    for (int i = 0; i < n; ++i) {
      if (value(i) < wanted.min_val)
        wanted = {value(i), wanted.max_val, static_cast<Index>(i), wanted.max_loc};
      if (value(i) > wanted.max_val)
        wanted = {wanted.min_val, value(i), wanted.min_loc, static_cast<Index>(i)};
    }
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      expect_each_way<hpk::MinLoc<int, Index>>(
          exec, n, min_loc{wanted.min_val, wanted.min_loc}, HPK_LAMBDA(int i, min_loc& u) {
            if (value(i) < u.val) u = {value(i), static_cast<Index>(i)};
          });
      expect_each_way<hpk::MaxLoc<int, Index>>(
          exec, n, min_loc{wanted.max_val, wanted.max_loc}, HPK_LAMBDA(int i, min_loc& u) {
            if (value(i) > u.val) u = {value(i), static_cast<Index>(i)};
          });
      const find_both<Index> kernel;
      expect_each_way<hpk::MinMaxLoc<int, Index>>(exec, n, wanted, kernel);
      expect_each_way<hpk::MinMax<int>>(
          exec, n, hpk::MinMaxScalar<int>{wanted.min_val, wanted.max_val}, kernel);
    }
  }
}

// If the kernel replaces values only by strictly better ones, the lowest of equal locations wins.
HPK_TYPED_TEST(Reducers, find_extremes_and_their_first_locations) {
  expect_locations<TypeParam, int>();
  expect_locations<TypeParam, std::int64_t>();
}

// A value equal to the identity is found, with its location.
HPK_TYPED_TEST(Reducers, find_the_worst_possible_value_too) {
  constexpr int worst = std::numeric_limits<int>::max();
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    hpk::ValLocScalar<int, int> found{0, -1};
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 5000),
        HPK_LAMBDA(int i, hpk::ValLocScalar<int, int>& u) {
          if (i == 1234) u = {worst, i};
        },
        hpk::MinLoc<int, int>(found));
    EXPECT_EQ(found.loc, 1234);
  }
}

// A NaN never wins, in whichever accumulator it is.
template <class Exec, class Reducer>
void expect_found_among_nans(const Exec& exec, int n,
                             const hpk::ValLocScalar<double, int>& wanted) {
  using located = hpk::ValLocScalar<double, int>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  located found{0, -1};
  hpk::parallel_reduce(
      hpk::RangePolicy(exec, 0, n),
      HPK_LAMBDA(int i, located& u) {
        const located next{i % 5 == 0 || i < 9 ? nan : 1000.0 + i % 3, i};
        Reducer(u).join(u, next);
      },
      Reducer(found));
  EXPECT_EQ(found.val, wanted.val) << n;
  EXPECT_EQ(found.loc, wanted.loc) << n;
}
HPK_TYPED_TEST(Reducers, never_find_a_nan) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    expect_found_among_nans<TypeParam, hpk::MaxFirstLoc<double, int>>(exec, 10, {1000, 9});
    for (const int n : {1000, 20011}) {
      expect_found_among_nans<TypeParam, hpk::MinLoc<double, int>>(exec, n, {1000, 9});
      expect_found_among_nans<TypeParam, hpk::MaxFirstLoc<double, int>>(exec, n, {1002, 11});
    }
  }
}

HPK_TYPED_TEST(Reducers, write_into_the_memory_of_the_space) {
  const hpk::View<int*, TypeParam> data("data", 5000);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 5000),
      HPK_LAMBDA(int i) { data(i) = i == 1234 || i == 4321 ? 1 : value(i) + 400; });
  const hpk::View<long, TypeParam> sum("sum");
  const hpk::View<hpk::ValLocScalar<int, int>, TypeParam> least("least");
  long wanted = 2 - value(1234) - value(4321) - 800;
  for (int i = 0; i < 5000; ++i) wanted += value(i) + 400;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 5000), HPK_LAMBDA(int i, long& s) { s += data(i); },
      hpk::Sum(sum));
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 5000),
      HPK_LAMBDA(int i, hpk::ValLocScalar<int, int>& u) {
        if (data(i) < u.val) u = {data(i), i};
      },
      hpk::MinLoc(least));
  EXPECT_EQ(on_host(sum)(), wanted);
  EXPECT_EQ(on_host(least)(), (hpk::ValLocScalar<int, int>{1, 1234}));
}

template <template <class...> class Reducer, class V>
void expect_deduction(V variable) {
  const hpk::View<V, hpk::HostSpace> view("view");
  using over_variable = decltype(Reducer(variable));
  using over_view = decltype(Reducer(view));
  static_assert(std::is_same_v<typename over_variable::value_type, V>);
  static_assert(std::is_same_v<typename over_view::value_type, V>);
  static_assert(std::is_same_v<typename over_view::memory_space, hpk::HostSpace>);
  static_assert(hpk::is_reducer_v<over_variable> && hpk::is_reducer_v<const over_view>);
  EXPECT_EQ(&Reducer(variable).reference(), &variable);
  EXPECT_EQ(&Reducer(view).reference(), view.data());
}

TEST(ReducerDeduction, works_from_variables_and_views) {
  expect_deduction<hpk::Sum>(1.0);
  expect_deduction<hpk::Prod>(1.0f);
  expect_deduction<hpk::Min>(1);
  expect_deduction<hpk::Max>(1L);
  expect_deduction<hpk::LAnd>(true);
  expect_deduction<hpk::LOr>(1);
  expect_deduction<hpk::BAnd>(1u);
  expect_deduction<hpk::BOr>(1ul);
  expect_deduction<hpk::MinMax>(hpk::MinMaxScalar<int>{});
  expect_deduction<hpk::MinLoc>(hpk::ValLocScalar<double, int>{});
  expect_deduction<hpk::MaxLoc>(hpk::ValLocScalar<float, long>{});
  expect_deduction<hpk::MinMaxLoc>(hpk::MinMaxLocScalar<int, short>{});
}

static_assert(hpk::is_reducer_v<hpk::Sum<int>> && !hpk::is_reducer_v<hpk::Sum<int>&>);
static_assert(!hpk::is_reducer_v<int> && !hpk::is_reducer_v<hpk::View<int, hpk::HostSpace>>);
static_assert(hpk::Reducer<hpk::Sum<int>> && hpk::Reducer<const hpk::Max<double>>);
static_assert(!hpk::Reducer<hpk::Sum<int>&> && !hpk::Reducer<int> &&
              !hpk::Reducer<hpk::View<int, hpk::HostSpace>>);
static_assert(std::is_same_v<hpk::Sum<const double>::value_type, double>);

TEST(ReducerFences, follow_what_the_reducer_was_made_from) {
  const Counting exec(hpk::NewInstance{});
  const auto kernel = [](int i, long& s) { s += i; };
  long variable = -1;
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 100), kernel, hpk::Sum<long>(variable));
    EXPECT_TRUE(counts.only(1));
    EXPECT_EQ(variable, 4950);
  }
  const hpk::View<long, hpk::HostSpace> view("view");
  const fence_counts counts(exec);
  hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 100), kernel, hpk::Sum(view));
  EXPECT_TRUE(counts.only(0));
  exec.fence();
  EXPECT_EQ(view(), 4950);
}

HPK_TYPED_TEST(Reducers, convert_from_their_results) {
  double product = 0;
  const hpk::Prod<double> reducer = {product};
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 6), HPK_LAMBDA(int i, double& p) { p *= i + 1; }, reducer);
  EXPECT_EQ(product, 720.0);
}

HPK_TYPED_TEST(Reducers, refuse_a_result_without_memory) {
  const hpk::View<double, hpk::HostSpace> nowhere;
  const std::string text = error_of([&] {
    hpk::parallel_reduce(
        "lost", hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i, double& s) { s += i; },
        hpk::Sum<double>(nowhere));
  });
  EXPECT_TRUE(contains(text, "parallel_reduce \"lost\": the result View is not allocated"));
}

}  // namespace hpk_test::reducer_cases
