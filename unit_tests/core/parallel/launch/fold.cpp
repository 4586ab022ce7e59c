// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of scans on hosts (rule "same bits"): the same for every host space and worker count,
// and equal to those of the documented block shape, implemented here independently of the library.
// reduce_shape.cpp tests reductions, lane_scan.cpp tests scans on machines of many lanes.
#include <support/bits.hpp>
#include <support/spaces.hpp>

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

// The documented blocks: 64 up to 64 Ki iterations, then one per 1 Ki, at most 1024. Lengths of 32
// and more are rounded up to multiples of 16.
shape documented_shape(std::int64_t n, std::int64_t shortest) {
  std::int64_t blocks = n / 1024;
  if (blocks < 64) blocks = 64;
  if (blocks > 1024) blocks = 1024;
  std::int64_t length = (n + blocks - 1) / blocks;
  if (length < shortest) length = shortest;
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

// The inclusive scan with these blocks: one block up to 512 iterations, otherwise blocks of 128 to
// 4096, or 16 more if that is a multiple of 256. Each starts from the fold of the earlier blocks.
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

template <class Exec>
class ScanBits : public testing::Test {};
TYPED_TEST_SUITE(ScanBits, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScanBits, follow_the_documented_shape) {
  std::vector<std::int64_t> scanned(std::begin(sizes), std::end(sizes));
  // Sizes from which blocks get longer, and from which folds run concurrently with final passes.
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

}  // namespace hpk_test::fold_cases
