// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of reductions (rule "same bits"): the same on every execution space, for every number of
// workers, schedule and sub-group, and equal to those of the documented tree of joins.
#include <support/bits.hpp>
#include <support/documented_shape.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace hpk_test::reduce_shape_cases {

constexpr std::int64_t sizes[] = {
    0,    1,    2,    15,    16,    17,    31,    32,    33,    63,     64,    65,   100,
    129,  300,  511,  512,   513,   1000,  1024,  1984,  1985,  2047,   2048,  2049, 4097,
    8191, 8192, 8193, 10007, 32768, 65535, 65536, 65537, 70001, 100003, 524289};

template <class Exec>
class Bits : public testing::Test {};
TYPED_TEST_SUITE(Bits, hpk_test::spaces, hpk_test::space_names);

// Calls reduce(policy) with both schedules over [begin, begin + n). A chunk size of 0 stands for
// none.
template <class Exec, class Reduce>
void with_each_schedule(const Exec& exec, std::int64_t begin, std::int64_t n, Reduce reduce,
                        int chunk = 0) {
  hpk::RangePolicy<Exec> fixed(exec, begin, begin + n);
  hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>> dynamic(exec, begin, begin + n);
  if (chunk != 0) {
    fixed.set_chunk_size(chunk);
    dynamic.set_chunk_size(chunk);
  }
  reduce(fixed);
  reduce(dynamic);
}

template <class T>
struct add_values {
  T operator()(T a, T b) const { return a + b; }
};

template <class T, class Exec>
void expect_documented_sums() {
  const auto add = HPK_LAMBDA(std::int64_t i, T& s) { s += wild<T>(i); };
  const auto add_narrow = HPK_LAMBDA(int i, T& s) { s += wild<T>(i); };
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    const T wanted = documented_fold(n, T(0), add_values<T>(), wild<T>);
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        T sum = -1;
        hpk::parallel_reduce(policy, add, sum);
        EXPECT_TRUE(same_bits(sum, wanted)) << sum << " is not " << wanted;
        T by_reducer = -1;
        hpk::parallel_reduce(policy, add_narrow, hpk::Sum<T>(by_reducer));
        EXPECT_TRUE(same_bits(by_reducer, wanted)) << by_reducer << " is not " << wanted;
      });
    }
  }
}

HPK_TYPED_TEST(Bits, of_double_sums_follow_the_documented_shape) {
  expect_documented_sums<double, TypeParam>();
}
HPK_TYPED_TEST(Bits, of_float_sums_follow_the_documented_shape) {
  expect_documented_sums<float, TypeParam>();
}

HPK_TYPED_TEST(Bits, of_integers_are_exact) {
  const auto add = HPK_LAMBDA(std::int64_t i, std::int64_t& s) { s += i + 1; };
  for (const std::int64_t n : sizes) {
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        std::int64_t sum = -1;
        hpk::parallel_reduce(policy, add, sum);
        EXPECT_EQ(sum, n * (n + 1) / 2);
      });
    }
  }
}

// Blocks with many segments.
HPK_TYPED_TEST(Bits, of_long_ranges_follow_the_documented_shape) {
  const auto add = HPK_LAMBDA(std::int64_t i, float& s) { s += wild<float>(i); };
  for (const std::int64_t n : {(1L << 20) + 1, 3000001L, 18000011L}) {
    const float wanted = documented_fold(n, 0.0f, add_values<float>(), wild<float>);
    float sum = -1;
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, n), add, sum);
    EXPECT_TRUE(same_bits(sum, wanted)) << n << ": " << sum << " is not " << wanted;
  }
}

// A chunk size is part of the shape, exactly as given.
HPK_TYPED_TEST(Bits, follow_the_chunk_size) {
  const auto add = HPK_LAMBDA(int i, double& s) { s += wild<double>(i); };
  for (const int chunk : {1, 3, 40, 5000}) {
    for (const std::int64_t n : {0L, 1L, 100L, 1023L, 8192L, 70001L}) {
      const double wanted = documented_fold(n, 0.0, add_values<double>(), wild<double>, chunk);
      for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
        const auto reduce = [&](const auto& policy) {
          double sum = -1;
          hpk::parallel_reduce(policy, add, sum);
          EXPECT_TRUE(same_bits(sum, wanted)) << n << " in chunks of " << chunk;
        };
        with_each_schedule(exec, 0, n, reduce, chunk);
      }
    }
  }
}

HPK_FUNCTION double factor(std::int64_t i) {
  return 1.0 + 1e-4 * wild<double>(i % 1000) / 1048576.0;
}
HPK_FUNCTION double zero(std::int64_t i) { return i % 7 == 0 ? 0.0 : -0.0; }
HPK_FUNCTION double larger(double a, double b) { return b > a ? b : a; }

// Maxima keep the sign of a zero and ignore values that the kernel ignores, in every shape.
HPK_TYPED_TEST(Bits, of_largest_values_follow_the_documented_shape) {
  const auto of_zeros = HPK_LAMBDA(std::int64_t i, double& m) { m = larger(m, zero(i)); };
  const auto of_wild = HPK_LAMBDA(std::int64_t i, double& m) { m = larger(m, wild<double>(i)); };
  for (const std::int64_t n : sizes) {
    const double none = hpk::reduction_identity<double>::max();
    const double wanted = documented_fold(n, none, larger, zero);
    const double wanted_wild = documented_fold(n, none, larger, wild<double>);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        double found = 1;
        hpk::parallel_reduce(policy, of_zeros, hpk::Max<double>(found));
        EXPECT_TRUE(same_bits(found, wanted)) << n;
        hpk::parallel_reduce(policy, of_wild, hpk::Max<double>(found));
        EXPECT_TRUE(same_bits(found, wanted_wild)) << n;
      });
    }
  }
}

HPK_TYPED_TEST(Bits, of_products_follow_the_documented_shape) {
  const auto multiply = HPK_LAMBDA(std::int64_t i, double& p) { p *= factor(i); };
  for (const std::int64_t n : {0L, 1L, 31L, 33L, 300L, 2049L, 100003L}) {
    const double wanted = documented_fold(n, 1.0, [](double a, double b) { return a * b; }, factor);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        double product = -1;
        hpk::parallel_reduce(policy, multiply, hpk::Prod<double>(product));
        EXPECT_TRUE(same_bits(product, wanted)) << product << " is not " << wanted;
      });
    }
  }
}

// Index types that may not be able to count their whole range, and ranges with any begin.
template <class I, class Exec>
void expect_range(std::int64_t begin, std::int64_t n) {
  const double wanted = documented_fold(n, 0.0, add_values<double>(), wild<double>);
  const auto add = HPK_LAMBDA(I i, double& s) {
    s += wild<double>(static_cast<std::int64_t>(i) - begin);
  };
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    with_each_schedule(exec, begin, n, [&](const auto& policy) {
      double sum = -1;
      hpk::parallel_reduce(policy, add, sum);
      EXPECT_TRUE(same_bits(sum, wanted)) << n << " from " << begin;
    });
  }
}
template <class I, class Exec>
void expect_whole_range_of() {
  for (const std::int64_t n : {191L, 192L, 255L}) {
    expect_range<I, Exec>(std::numeric_limits<I>::min(), n);
    expect_range<I, Exec>(std::numeric_limits<I>::max() - n, n);
  }
}

HPK_TYPED_TEST(Bits, do_not_depend_on_where_the_range_begins) {
  expect_range<std::int64_t, TypeParam>(-10007, 10007);
  expect_range<std::int64_t, TypeParam>(1, 10007);
  expect_range<std::int64_t, TypeParam>(std::int64_t{1} << 40, 10007);
  expect_range<int, TypeParam>(std::numeric_limits<int>::max() - 70001, 70001);
}
HPK_TYPED_TEST(Bits, of_narrow_index_types_follow_the_documented_shape) {
  expect_whole_range_of<signed char, TypeParam>();
  expect_whole_range_of<unsigned char, TypeParam>();
}

// Objects whose sums show the order of joins. A reducer of the program folds them in index order
// unless it declares that joins commute. Their size determines the segments.
template <int Count>
struct adds_in_order {
  using reducer = adds_in_order;
  using value_type = sums<Count>;
  using result_view_type = hpk::View<value_type, hpk::HostSpace>;
  value_type* where;
  HPK_FUNCTION void join(value_type& to, const value_type& from) const { to += from; }
  HPK_FUNCTION value_type& reference() const { return *where; }
  bool references_scalar() const { return true; }
};
template <int Count>
struct adds : adds_in_order<Count> {
  using reducer = adds;
  static constexpr bool commutes = true;
};
// The same joins by the join of a functor.
template <int Count, bool Commutes>
struct adds_by_hook {
  static constexpr bool commutes = Commutes;
  HPK_FUNCTION void operator()(std::int64_t i, sums<Count>& s) const { s += sums_of<Count>(i); }
  HPK_FUNCTION void join(sums<Count>& to, const sums<Count>& from) const { to += from; }
};

template <int Count, class Exec>
void expect_documented_objects(std::int64_t n, int chunk = 0) {
  using value = sums<Count>;
  SCOPED_TRACE(testing::Message() << n << " values of " << sizeof(value));
  constexpr bool is_small = sizeof(value) <= 64;
  const value in_order = documented_order(n, value(), add_values<value>(), sums_of<Count>, chunk);
  const value wanted =
      is_small ? documented_objects(n, value(), add_values<value>(), sums_of<Count>, chunk)
               : in_order;
  const auto kernel = HPK_LAMBDA(std::int64_t i, value& s) { s += sums_of<Count>(i); };
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    with_each_schedule(
        exec, 0, n,
        [&](const auto& policy) {
          value found;
          hpk::parallel_reduce(policy, kernel, found);
          EXPECT_TRUE(same_bits(found, wanted));
          hpk::parallel_reduce(policy, kernel, adds<Count>{{&found}});
          EXPECT_TRUE(same_bits(found, wanted));
          hpk::parallel_reduce(policy, kernel, adds_in_order<Count>{&found});
          EXPECT_TRUE(same_bits(found, in_order));
          hpk::parallel_reduce(policy, adds_by_hook<Count, true>(), found);
          EXPECT_TRUE(same_bits(found, wanted));
          hpk::parallel_reduce(policy, adds_by_hook<Count, false>(), found);
          EXPECT_TRUE(same_bits(found, in_order));
        },
        chunk);
  }
}

HPK_TYPED_TEST(Bits, of_objects_follow_the_documented_shape) {
  for (const std::int64_t n : {0L, 1L, 64L, 1000L, 4064L, 4096L, 32768L, 65535L, 65537L, 524289L})
    expect_documented_objects<2, TypeParam>(n);
  for (const std::int64_t n : {1L, 255L, 257L, 4097L, 100003L})
    expect_documented_objects<5, TypeParam>(n);
  for (const std::int64_t n : {4097L, 70001L}) expect_documented_objects<16, TypeParam>(n);
  for (const std::int64_t n : {0L, 63L, 257L, 4097L, 20011L, 100003L})
    expect_documented_objects<75, TypeParam>(n);
  expect_documented_objects<2, TypeParam>(70001, 5000);
  expect_documented_objects<75, TypeParam>(70001, 7);
}
HPK_TYPED_TEST(Bits, of_large_objects_follow_the_documented_shape) {
  for (const std::int64_t n : {0L, 7L, 257L, 2003L}) expect_documented_objects<1024, TypeParam>(n);
}

// Complex numbers are treated as objects.
HPK_TYPED_TEST(Bits, of_complex_sums_follow_the_documented_shape) {
  using complex = hpk::complex<double>;
  const auto value = [](std::int64_t i) { return complex(wild<double>(i), wild<double>(i + 1)); };
  const auto add = HPK_LAMBDA(std::int64_t i, complex& s) {
    s += complex(wild<double>(i), wild<double>(i + 1));
  };
  for (const std::int64_t n : {0L, 65L, 4095L, 4097L, 70001L, 3000001L}) {
    const complex wanted = documented_objects(n, complex(), add_values<complex>(), value);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      complex sum;
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), add, sum);
      EXPECT_TRUE(same_bits(sum, wanted)) << n;
    }
  }
}
// Of equal values the lowest location wins, in any accumulator.
HPK_TYPED_TEST(Bits, of_locations_do_not_depend_on_accumulators) {
  using located = hpk::ValLocScalar<int, int>;
  const auto find = HPK_LAMBDA(int i, located& found) {
    const int val = (i % 1000 * 919 + 77) % 1000 / 9;
    if (val < found.val) found = located{val, i};
  };
  for (const int n : {1, 65, 4095, 4097, 70001, 3000001}) {
    located wanted{std::numeric_limits<int>::max(), -1};
    for (int i = 0; i < n; ++i) find(i, wanted);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      located found{};
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), find, hpk::MinLoc<int, int>(found));
      EXPECT_EQ(found.val, wanted.val) << n;
      EXPECT_EQ(found.loc, wanted.loc) << n;
    }
  }
}

// One of several results: it has fewer accumulators, and there are no short ranges.
template <class T, class Value>
T documented_part(std::int64_t n, int accumulators, Value value) {
  return documented_blocks(n, accumulators, 2 * accumulators, T(0), add_values<T>(), value);
}

HPK_FUNCTION double first(std::int64_t i) { return wild<double>(i); }
HPK_FUNCTION float second(std::int64_t i) { return static_cast<float>(wild<double>(3 * i + 1)); }

HPK_TYPED_TEST(Bits, of_several_results_follow_the_documented_shape) {
  const auto two = HPK_LAMBDA(int i, double& s, float& t) {
    s += first(i);
    t += second(i);
  };
  const auto three = HPK_LAMBDA(int i, double& s, float& t, long& m) {
    s += first(i);
    t += second(i);
    ++m;
  };
  const auto five = HPK_LAMBDA(int i, double& s, float& t, long& m, long&, long&) {
    s += first(i);
    t += second(i);
    ++m;
  };
  for (const std::int64_t n : {0, 1, 64, 65, 300, 1023, 2048, 10007, 100003, 3000001}) {
    SCOPED_TRACE(n);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      double a = -1;
      float b = -1;
      long c = 0;
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), two, a, b);
      EXPECT_TRUE(same_bits(a, documented_part<double>(n, 8, first)));
      EXPECT_TRUE(same_bits(b, documented_part<float>(n, 8, second)));
      if (n > 1000000) break;
      hpk::parallel_reduce(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                           three, a, b, c);
      EXPECT_TRUE(same_bits(a, documented_part<double>(n, 4, first)));
      EXPECT_TRUE(same_bits(b, documented_part<float>(n, 4, second)));
      long d = 0;
      long e = 0;
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), five, a, b, c, d, e);
      EXPECT_TRUE(same_bits(a, documented_part<double>(n, 2, first)));
      EXPECT_TRUE(same_bits(b, documented_part<float>(n, 2, second)));
      EXPECT_EQ(c, n);
    }
  }
}

// A box: each row of the fastest dimension begins with accumulator 0 of its segment.
template <class T, class Exec, hpk::Iterate Order, class Value>
void expect_documented_box(const std::array<std::int64_t, 3>& extent, std::int64_t accumulators,
                           std::int64_t least, Value value) {
  SCOPED_TRACE(testing::Message() << extent[0] << " x " << extent[1] << " x " << extent[2]);
  const std::int64_t n = extent[0] * extent[1] * extent[2];
  const std::int64_t row = extent[Order == hpk::Iterate::Right ? 2 : 0];
  const std::int64_t length = block_length(n, 0);
  const std::int64_t segment = segment_length(length, accumulators, row);
  std::vector<T> blocks;
  for (std::int64_t begin = 0; begin < n; begin += length) {
    blocks.push_back(
        joined_segments<T>(begin, std::min(n, begin + length), segment, add_values<T>(),
                           [&](std::int64_t b, std::int64_t e) {
                             const std::int64_t count = e - b < least ? 1 : accumulators;
                             std::vector<T> sums(static_cast<std::size_t>(count), T());
                             for (std::int64_t i = b; i < e; ++i) {
                               const std::int64_t of_row = i - std::max(b, i / row * row);
                               sums[static_cast<std::size_t>(of_row % count)] += value(i);
                             }
                             return joined_halves(sums, add_values<T>());
                           }));
  }
  const T wanted = joined_blocks(blocks, T(), add_values<T>());
  const auto e0 = extent[0], e1 = extent[1], e2 = extent[2];
  const auto add = HPK_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t k, T& s) {
    s += value(Order == hpk::Iterate::Right ? (i * e1 + j) * e2 + k : (k * e1 + j) * e0 + i);
  };
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    T sum{};
    hpk::parallel_reduce(
        hpk::MDRangePolicy<Exec, hpk::Rank<3, Order, Order>>(exec, {0, 0, 0}, {e0, e1, e2}), add,
        sum);
    EXPECT_TRUE(same_bits(sum, wanted));
  }
}

struct wild_number {
  HPK_FUNCTION double operator()(std::int64_t i) const { return wild<double>(i); }
};
struct wild_object {
  HPK_FUNCTION sums<2> operator()(std::int64_t i) const { return sums_of<2>(i); }
};

HPK_TYPED_TEST(Bits, of_boxes_follow_the_documented_shape) {
  using box = std::array<std::int64_t, 3>;
  constexpr auto right = hpk::Iterate::Right;
  constexpr auto left = hpk::Iterate::Left;
  for (const box& extent :
       {box{0, 4, 5}, box{1, 1, 1}, box{3, 4, 5}, box{10, 10, 10}, box{50, 60, 7}, box{7, 3, 10001},
        box{300, 200, 33}, box{2, 3, 900001}}) {
    expect_documented_box<double, TypeParam, right>(extent, 16, 0, wild_number());
    expect_documented_box<double, TypeParam, left>(extent, 16, 0, wild_number());
    expect_documented_box<sums<2>, TypeParam, right>(extent, 8, 64, wild_object());
    expect_documented_box<sums<2>, TypeParam, left>(extent, 8, 64, wild_object());
  }
}

// Values of half a MiB, of which few fit on the stack of a thread.
struct huge_value {
  std::int64_t sum = 0;
  char rest[(1 << 19) - 8] = {};
  huge_value& operator+=(const huge_value& other) {
    sum += other.sum;
    return *this;
  }
};

template <class Exec>
class BitsOnHost : public testing::Test {};
TYPED_TEST_SUITE(BitsOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(BitsOnHost, of_huge_values_need_no_stack) {
  for (const std::int64_t n : {50, 200000}) {
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const auto found = std::make_unique<huge_value>();
      hpk::parallel_reduce(
          hpk::RangePolicy<TypeParam>(exec, 0, n),
          [](std::int64_t i, huge_value& v) { v.sum += i; }, *found);
      EXPECT_EQ(found->sum, n * (n - 1) / 2);
    }
  }
}

}  // namespace hpk_test::reduce_shape_cases
