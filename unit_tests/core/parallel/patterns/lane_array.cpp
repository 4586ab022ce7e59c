// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of arrays whose lengths are below and above the capacity of a group's scratch.
#include <support/affine.hpp>
#include <support/bits.hpp>
#include <support/spaces.hpp>

#include <cstdint>
#include <vector>

namespace hpk_test::lane_array_cases {

using hpk::detail::arrays_of_block;
static_assert(arrays_of_block<double>(0) == 256 && arrays_of_block<double>(15) == 256);
static_assert(arrays_of_block<double>(16) == 128 && arrays_of_block<double>(127) == 32);
static_assert(arrays_of_block<double>(128) == 0 && arrays_of_block<char>(1000) == 32);
static_assert(arrays_of_block<char>(std::int64_t{1} << 40) == 0);

template <class Exec>
class LaneArray : public testing::Test {};
TYPED_TEST_SUITE(LaneArray, hpk_test::spaces, hpk_test::space_names);

template <class T>
struct powers {
  using value_type = T[];
  int value_count;
  HPK_FUNCTION void operator()(std::int64_t i, T* sums) const {
    for (int e = 0; e < value_count; ++e) sums[e] += static_cast<T>(i % (e + 2));
  }
};

template <class T, class Exec>
void expect_sums(int length, std::int64_t n, int chunk = 0) {
  SCOPED_TRACE(testing::Message() << length << " sums of " << n << " in chunks of " << chunk);
  std::vector<T> wanted(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < n; ++i) powers<T>{length}(i, wanted.data());
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    hpk::RangePolicy<Exec> policy(exec, 0, n);
    if (chunk != 0) policy.set_chunk_size(chunk);
    std::vector<T> found(static_cast<std::size_t>(length), T(7));
    hpk::parallel_reduce(policy, powers<T>{length}, found.data());
    EXPECT_EQ(found, wanted);
  }
}

HPK_TYPED_TEST(LaneArray, of_any_length_holds_the_sums) {
  for (const int length : {0, 1, 7, 16, 127, 128}) {
    for (const std::int64_t n : {0, 1, 513, 2003}) expect_sums<double, TypeParam>(length, n);
  }
  expect_sums<std::uint8_t, TypeParam>(33, 2003);
  expect_sums<std::int64_t, TypeParam>(3, 300007);
  expect_sums<std::int64_t, TypeParam>(2, 20011, 1);
  expect_sums<std::int64_t, TypeParam>(2, 20011, 5000);
}

// Sums whose bits depend on the order of additions.
struct wild_sums {
  using value_type = float[];
  int value_count;
  HPK_FUNCTION void operator()(std::int64_t i, float* sums) const {
    for (int e = 0; e < value_count; ++e) sums[e] += wild<float>(i + e);
  }
};

HPK_TYPED_TEST(LaneArray, has_the_same_bits_on_every_instance) {
  for (const int length : {3, 100, 300}) {
    for (const std::int64_t n : {600, 20011}) {
      std::vector<float> first;
      for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
        std::vector<float> found(static_cast<std::size_t>(length));
        hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), wild_sums{length}, found.data());
        if (first.empty()) first = found;
        for (std::size_t e = 0; e < found.size(); ++e)
          EXPECT_TRUE(same_bits(found[e], first[e])) << length << " of " << n << ": " << e;
      }
    }
  }
}

// A join of the program: in index order, or in any order if the functor declares that it commutes.
template <bool Commutes>
struct own_join {
  static constexpr bool commutes = Commutes;
  using value_type = std::uint64_t[];
  int value_count = 2;
  HPK_FUNCTION void operator()(std::int64_t i, std::uint64_t* v) const {
    const auto k = static_cast<std::uint64_t>(i);
    const std::uint64_t next[2] = {Commutes ? 1 : 2 * k + 3, k * k + 1};
    join(v, next);
  }
  HPK_FUNCTION void init(std::uint64_t* v) const {
    v[0] = 1;
    v[1] = 0;
  }
  // x -> a x + b, composed. Maps with a = 1 commute.
  HPK_FUNCTION void join(std::uint64_t* to, const std::uint64_t* from) const {
    to[1] = from[0] * to[1] + from[1];
    to[0] *= from[0];
  }
};

// Elements whose += does not commute.
struct in_order {
  using value_type = ordered_affine[];
  int value_count = 3;
  HPK_FUNCTION void operator()(std::int64_t i, ordered_affine* v) const {
    for (int e = 0; e < 3; ++e) v[e] += map_of(i);
  }
};

HPK_TYPED_TEST(LaneArray, keeps_the_order_of_its_elements) {
  for (const std::int64_t n : {1, 700, 20011, 300007}) {
    ordered_affine wanted[3];
    for (std::int64_t i = 0; i < n; ++i) in_order()(i, wanted);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      ordered_affine found[3];
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), in_order(), found);
      for (int e = 0; e < 3; ++e) EXPECT_EQ(found[e], wanted[e]) << n;
    }
  }
}

template <bool Commutes, class Exec>
void expect_own_join(std::int64_t n) {
  const own_join<Commutes> kernel;
  std::uint64_t wanted[2];
  kernel.init(wanted);
  for (std::int64_t i = 0; i < n; ++i) kernel(i, wanted);
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    std::uint64_t found[2] = {7, 7};
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, found);
    EXPECT_EQ(found[0], wanted[0]) << n;
    EXPECT_EQ(found[1], wanted[1]) << n;
  }
}

HPK_TYPED_TEST(LaneArray, joins_as_the_functor_says) {
  for (const std::int64_t n : {0, 1, 257, 700, 100003}) {
    expect_own_join<false, TypeParam>(n);
    expect_own_join<true, TypeParam>(n);
  }
}

}  // namespace hpk_test::lane_array_cases
