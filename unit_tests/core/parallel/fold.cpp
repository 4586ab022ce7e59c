// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of reductions and scans (R7): the same for every host space, worker count and schedule,
// and equal to the documented block shape, written down here a second time without a line of the
// library.
#include "support/bits.hpp"
#include "support/spaces.hpp"

#include <array>
#include <vector>

namespace hpk_test::fold_cases {

constexpr std::int64_t sizes[] = {0,    1,    2,     15,    16,    17,    31,    32,    33,
                                  63,   64,   65,    100,   129,   300,   511,   512,   513,
                                  1000, 1024, 1984,  1985,  2047,  2048,  2049,  4097,  8191,
                                  8192, 8193, 10007, 32768, 65535, 65536, 65537, 70001, 100003};

struct shape {
  std::int64_t length;
  std::int64_t count;
};

// The documented blocks: 64 up to 64 Ki iterations, then one per 1 Ki, at most 1024; with a chunk
// size blocks of that, but at most 1024; lengths from 32 on rounded up to multiples of 16.
shape documented_shape(std::int64_t n, std::int64_t shortest, std::int64_t chunk = 0) {
  std::int64_t blocks = n / 1024;
  if (blocks < 64) blocks = 64;
  if (blocks > 1024 || chunk != 0) blocks = 1024;
  std::int64_t length = (n + blocks - 1) / blocks;
  const std::int64_t least = chunk != 0 ? chunk : shortest;
  if (length < least) length = least;
  if (length >= 32) length = (length + 15) / 16 * 16;
  return {length, length == 0 ? 0 : (n + length - 1) / length};
}

// One block with 16 interleaved accumulators, joined k with k + 8, then + 4, + 2, + 1.
template <class T, class Join, class Value>
T documented_block(std::int64_t begin, std::int64_t end, T identity, Join join, Value value) {
  if (end - begin < 32) {
    T sum = identity;
    for (std::int64_t i = begin; i < end; ++i) sum = join(sum, value(i));
    return sum;
  }
  std::array<T, 16> sums;
  sums.fill(identity);
  for (std::int64_t i = begin; i < end; ++i) {
    T& sum = sums[static_cast<std::size_t>((i - begin) % 16)];
    sum = join(sum, value(i));
  }
  for (const std::size_t half : {8u, 4u, 2u, 1u}) {
    for (std::size_t k = 0; k < half; ++k) sums[k] = join(sums[k], sums[k + half]);
  }
  return sums[0];
}

// The blocks of a reduction: of 8 iterations at least, but of one each up to 64.
shape reduction_shape(std::int64_t n, std::int64_t chunk) {
  return documented_shape(n, n <= 64 ? 1 : 8, chunk);
}

// A short range: accumulator k % 64, joined k with k + 32, then + 16, ..., + 1.
template <class T, class Join, class Value>
T documented_short_range(std::int64_t n, T identity, Join join, Value value) {
  std::array<T, 64> sums;
  sums.fill(identity);
  for (std::int64_t i = 0; i < n; ++i) {
    T& sum = sums[static_cast<std::size_t>(i % 64)];
    sum = join(sum, value(i));
  }
  for (std::size_t half = 32; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; ++k) sums[k] = join(sums[k], sums[k + half]);
  }
  return sums[0];
}

template <class T, class Join, class Value>
T documented_fold(std::int64_t n, T identity, Join join, Value value, std::int64_t chunk = 0) {
  if (chunk == 0 && n > 64 && n <= 8192) return documented_short_range(n, identity, join, value);
  const shape s = reduction_shape(n, chunk);
  T total = identity;
  for (std::int64_t b = 0; b < s.count; ++b) {
    const std::int64_t end = std::min(n, (b + 1) * s.length);
    total = join(total, documented_block(b * s.length, end, identity, join, value));
  }
  return total;
}

// The inclusive scan of such blocks, one up to 512 iterations, else of 128 to 4096, or 16 more than
// a multiple of 256: each starts from the fold of the blocks before it.
template <class T, class Value>
std::vector<T> documented_scan(std::int64_t n, Value value) {
  const auto add = [](T a, T b) { return a + b; };
  shape s = documented_shape(n, n <= 512 ? n : 128);
  if (s.length > 4096) s.length = 4096;
  if (n > 512 && s.length % 256 == 0) s.length += 16;
  if (n > 0) s.count = (n + s.length - 1) / s.length;
  std::vector<T> result(static_cast<std::size_t>(n));
  T prefix = 0;
  for (std::int64_t b = 0; b < s.count; ++b) {
    const std::int64_t end = std::min(n, (b + 1) * s.length);
    T running = prefix;
    for (std::int64_t i = b * s.length; i < end; ++i) {
      running = running + value(i);
      result[static_cast<std::size_t>(i)] = running;
    }
    prefix = prefix + documented_block(b * s.length, end, T(0), add, value);
  }
  return result;
}

// The shape on machines of many lanes is another: lane_reduce.cpp and lane_scan.cpp.
template <class Exec>
class Bits : public testing::Test {};
TYPED_TEST_SUITE(Bits, hpk_test::host_spaces, hpk_test::space_names);

// Runs `reduce(policy)` with both schedules over [begin, begin + n); a chunk size of 0 is none.
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

template <class T, class Exec>
void expect_documented_sums() {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    const T wanted = documented_fold(n, T(0), [](T a, T b) { return a + b; }, wild<T>);
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        T sum = -1;
        hpk::parallel_reduce(policy, [](std::int64_t i, T& s) { s += wild<T>(i); }, sum);
        EXPECT_TRUE(same_bits(sum, wanted)) << sum << " is not " << wanted;
        T by_reducer = -1;
        hpk::parallel_reduce(policy, [](int i, T& s) { s += wild<T>(i); }, hpk::Sum<T>(by_reducer));
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

// A chunk size is part of the shape, as the program wrote it.
HPK_TYPED_TEST(Bits, follow_the_chunk_size) {
  for (const int chunk : {1, 3, 40, 5000}) {
    for (const std::int64_t n : {0L, 1L, 100L, 1023L, 8192L, 70001L}) {
      const auto add = [](double a, double b) { return a + b; };
      const double wanted = documented_fold(n, 0.0, add, wild<double>, chunk);
      for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
        const auto reduce = [&](const auto& policy) {
          double sum = -1;
          hpk::parallel_reduce(policy, [](int i, double& s) { s += wild<double>(i); }, sum);
          EXPECT_TRUE(same_bits(sum, wanted)) << n << " in chunks of " << chunk;
        };
        with_each_schedule(exec, 0, n, reduce, chunk);
      }
    }
  }
}

// Largest values keep the sign of a zero and ignore what the kernel ignores, in every shape.
HPK_TYPED_TEST(Bits, of_largest_values_follow_the_documented_shape) {
  const auto larger = [](double a, double b) { return b > a ? b : a; };
  const auto zero = [](std::int64_t i) { return i % 7 == 0 ? 0.0 : -0.0; };
  for (const std::int64_t n : sizes) {
    const double none = hpk::reduction_identity<double>::max();
    const double wanted = documented_fold(n, none, larger, zero);
    const double wanted_wild = documented_fold(n, none, larger, wild<double>);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        double found = 1;
        hpk::parallel_reduce(
            policy, [=](std::int64_t i, double& m) { m = larger(m, zero(i)); },
            hpk::Max<double>(found));
        EXPECT_TRUE(same_bits(found, wanted)) << n;
        hpk::parallel_reduce(
            policy, [=](std::int64_t i, double& m) { m = larger(m, wild<double>(i)); },
            hpk::Max<double>(found));
        EXPECT_TRUE(same_bits(found, wanted_wild)) << n;
      });
    }
  }
}

HPK_TYPED_TEST(Bits, do_not_depend_on_where_the_range_begins) {
  const double wanted =
      documented_fold(10007, 0.0, [](double a, double b) { return a + b; }, wild<double>);
  for (const std::int64_t begin : {-10007L, 1L, 1L << 40}) {
    with_each_schedule(TypeParam(), begin, 10007, [&](const auto& policy) {
      double sum = -1;
      hpk::parallel_reduce(
          policy, [=](std::int64_t i, double& s) { s += wild<double>(i - begin); }, sum);
      EXPECT_TRUE(same_bits(sum, wanted));
    });
  }
}

HPK_TYPED_TEST(Bits, of_products_follow_the_documented_shape) {
  const auto factor = [](std::int64_t i) {
    return 1.0 + 1e-4 * wild<double>(i % 1000) / 1048576.0;
  };
  for (const std::int64_t n : {31L, 33L, 2049L, 100003L}) {
    const double wanted = documented_fold(n, 1.0, [](double a, double b) { return a * b; }, factor);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        double product = -1;
        hpk::parallel_reduce(
            policy, [=](std::int64_t i, double& p) { p *= factor(i); }, hpk::Prod<double>(product));
        EXPECT_TRUE(same_bits(product, wanted)) << product << " is not " << wanted;
      });
    }
  }
}

struct moments {
  double sum = 0;
  double squares = 0;
  moments& operator+=(const moments& other) {
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
};

// A value of the program's own is folded in order inside each block.
HPK_TYPED_TEST(Bits, of_own_values_follow_the_documented_shape) {
  for (const std::int64_t n : {33L, 100L, 511L, 513L, 2049L, 100003L}) {
    const shape s = reduction_shape(n, 0);
    moments wanted;
    for (std::int64_t b = 0; b < s.count; ++b) {
      moments block;
      for (std::int64_t i = b * s.length; i < std::min(n, (b + 1) * s.length); ++i) {
        block += moments{wild<double>(i), wild<double>(i) * wild<double>(i)};
      }
      wanted += block;
    }
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      with_each_schedule(exec, 0, n, [&](const auto& policy) {
        moments found{-1, -1};
        hpk::parallel_reduce(
            policy,
            [](std::int64_t i, moments& m) {
              const double x = wild<double>(i);
              m += moments{x, x * x};
            },
            found);
        EXPECT_TRUE(same_bits(found, wanted));
      });
    }
  }
}

HPK_TYPED_TEST(Bits, of_scans_follow_the_documented_shape) {
  std::vector<std::int64_t> scanned(std::begin(sizes), std::end(sizes));
  // Where blocks get longer, and where folds run beside final passes.
  scanned.insert(scanned.end(), {262145, 300007});
  for (const std::int64_t n : scanned) {
    SCOPED_TRACE(n);
    const std::vector<float> wanted = documented_scan<float>(n, wild<float>);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      std::vector<float> found(wanted.size(), -1.0f);
      float total = -1;
      hpk::parallel_scan(
          hpk::RangePolicy(exec, 0, n),
          [&](std::int64_t i, float& update, bool final) {
            update += wild<float>(i);
            if (final) found[static_cast<std::size_t>(i)] = update;
          },
          total);
      EXPECT_TRUE(n == 0 || std::memcmp(found.data(), wanted.data(), found.size() * 4) == 0);
      EXPECT_TRUE(same_bits(total, n == 0 ? 0.0f : wanted.back()));
    }
  }
}

// An index type that can't count its own range.
template <class I, class Exec>
void expect_whole_range_of() {
  constexpr std::int64_t lowest = std::numeric_limits<I>::min();
  constexpr std::int64_t highest = std::numeric_limits<I>::max();
  const auto add = [](double a, double b) { return a + b; };
  for (const std::int64_t n : {191L, 192L, 255L}) {
    for (const std::int64_t begin : {lowest, highest - n}) {
      const double wanted = documented_fold(n, 0.0, add, wild<double>);
      for (const Exec& exec : hpk_test::instances<Exec>()) {
        with_each_schedule(exec, begin, n, [&](const auto& policy) {
          double sum = -1;
          hpk::parallel_reduce(policy, [=](I i, double& s) { s += wild<double>(i - begin); }, sum);
          EXPECT_TRUE(same_bits(sum, wanted)) << n << " from " << begin;
        });
      }
    }
  }
}

HPK_TYPED_TEST(Bits, of_narrow_index_types_follow_the_documented_shape) {
  expect_whole_range_of<signed char, TypeParam>();
  expect_whole_range_of<unsigned char, TypeParam>();
}

}  // namespace hpk_test::fold_cases
