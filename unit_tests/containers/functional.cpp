// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/functional.hpp>

#include <support/spaces.hpp>

#include <cstring>
#include <string>

namespace {

// Computed by the reference program of MurmurHash3 (x86, 32 bits).
TEST(Functional, hashes_are_murmur3) {
  const char text[] = "hello";
  EXPECT_EQ(hpk::detail::murmur3(text, 5, 0), 0x248bfa47u);
  EXPECT_EQ(hpk::detail::murmur3(text, 0, 0), 0u);
  EXPECT_EQ(hpk::detail::murmur3(text, 0, 1), 0x514e28b7u);
  const unsigned char bytes[] = {0x21, 0x43, 0x65, 0x87};
  EXPECT_EQ(hpk::detail::murmur3(bytes, 4, 0), 0xf55b516bu);
  EXPECT_EQ(hpk::detail::murmur3(bytes, 4, 0x5082edeeu), 0x2362f9deu);
  EXPECT_EQ(hpk::detail::murmur3(bytes, 3, 0), 0x7e4a8634u);
  EXPECT_EQ(hpk::detail::murmur3(bytes, 2, 0), 0xa0f7b07au);
  EXPECT_EQ(hpk::detail::murmur3(bytes, 1, 0), 0x72661cf4u);
  EXPECT_EQ(hpk::pod_hash<unsigned>()(0x87654321u), 0xf55b516bu);
  EXPECT_EQ(hpk::pod_hash<unsigned>()(0x87654321u, 0x5082edeeu), 0x2362f9deu);
}

TEST(Functional, pods_are_compared_by_their_bytes) {
  EXPECT_TRUE(hpk::pod_equal_to<double>()(1.5, 1.5));
  EXPECT_FALSE(hpk::pod_equal_to<double>()(0.0, -0.0));
  EXPECT_TRUE(hpk::pod_not_equal_to<double>()(0.0, -0.0));
  EXPECT_TRUE(hpk::equal_to<double>()(0.0, -0.0));
}

template <class Exec>
class FunctionalInKernels : public testing::Test {};
TYPED_TEST_SUITE(FunctionalInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(FunctionalInKernels, say_the_same) {
  const hpk::View<unsigned*, TypeParam> results("results", 8);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        results(0) = hpk::pod_hash<long long>()(-5);
        results(1) = hpk::pod_equal_to<int>()(3, 3);
        results(2) = hpk::not_equal_to<int>()(3, 3);
        results(3) = hpk::greater<int>()(4, 3);
        results(4) = hpk::less<int>()(4, 3);
        results(5) = hpk::greater_equal<int>()(3, 3);
        results(6) = hpk::less_equal<int>()(4, 3);
        results(7) = hpk::pod_not_equal_to<float>()(0.0f, -0.0f);
      });
  const auto got = hpk_test::on_host(results);
  EXPECT_EQ(got(0), hpk::pod_hash<long long>()(-5));
  const unsigned expected[] = {1, 0, 1, 0, 1, 0, 1};
  for (int k = 0; k != 7; ++k) EXPECT_EQ(got(k + 1), expected[k]) << k;
}

}  // namespace
