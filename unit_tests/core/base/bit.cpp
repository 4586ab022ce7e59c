// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares bit operations with those of <bit>, at compile time, on hosts and in kernels.
#include <hpk/base/bit.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace base_bit_test {
namespace {

static_assert(hpk::popcount(0xf0fu) == 8 && hpk::countl_zero(1ull) == 63);
static_assert(hpk::countr_zero(std::uint8_t{8}) == 3 && hpk::countr_zero(0u) == 32);
static_assert(hpk::byteswap(0x01020304) == 0x04030201 && hpk::byteswap('a') == 'a');
static_assert(hpk::bit_cast<std::uint32_t>(1.0f) == 0x3f800000);
static_assert(std::is_same_v<decltype(hpk::bit_width(std::uint8_t{3})), int>);
template <class T>
concept counts = requires(T x) { hpk::popcount(x); };
template <class From>
concept casts_to_int = requires(From x) { hpk::bit_cast<int>(x); };
static_assert(counts<unsigned> && !counts<int> && !counts<bool> && !counts<char8_t>);
static_assert(casts_to_int<float> && !casts_to_int<char>);

/// Values with few, many and all bits set, at both ends of the type.
template <class T>
std::vector<T> samples() {
  std::vector<T> values = {T{0}, static_cast<T>(~T{0})};
  for (int i = 0; i < std::numeric_limits<T>::digits; ++i) {
    const T one = static_cast<T>(T{1} << i);
    for (const T value : {one, static_cast<T>(one - 1), static_cast<T>(~one),
                          static_cast<T>(one | 1), static_cast<T>(one * T{37})})
      values.push_back(value);
  }
  return values;
}

template <class T>
class Bits : public testing::Test {};
using types =
    testing::Types<unsigned char, unsigned short, unsigned int, unsigned long, unsigned long long>;
TYPED_TEST_SUITE(Bits, types);

TYPED_TEST(Bits, are_those_of_the_standard_library) {
  constexpr TypeParam top =
      static_cast<TypeParam>(TypeParam{1} << (std::numeric_limits<TypeParam>::digits - 1));
  for (const TypeParam x : samples<TypeParam>()) {
    EXPECT_EQ(hpk::popcount(x), std::popcount(x));
    EXPECT_EQ(hpk::countl_zero(x), std::countl_zero(x));
    EXPECT_EQ(hpk::countl_one(x), std::countl_one(x));
    EXPECT_EQ(hpk::countr_zero(x), std::countr_zero(x));
    EXPECT_EQ(hpk::countr_one(x), std::countr_one(x));
    EXPECT_EQ(hpk::has_single_bit(x), std::has_single_bit(x));
    EXPECT_EQ(hpk::bit_width(x), static_cast<int>(std::bit_width(x)));
    EXPECT_EQ(hpk::bit_floor(x), std::bit_floor(x));
    if (x <= top) {
      EXPECT_EQ(hpk::bit_ceil(x), std::bit_ceil(x));
    }
    for (const int places : {0, 1, 3, 7, 8, 31, 32, 63, 64, 100, -1, -5, -64, -101}) {
      EXPECT_EQ(hpk::rotl(x, places), std::rotl(x, places)) << places;
      EXPECT_EQ(hpk::rotr(x, places), std::rotr(x, places)) << places;
    }
    unsigned char bytes[sizeof(TypeParam)];
    std::memcpy(bytes, &x, sizeof(x));
    std::reverse(std::begin(bytes), std::end(bytes));
    TypeParam reversed;
    std::memcpy(&reversed, bytes, sizeof(x));
    EXPECT_EQ(hpk::byteswap(x), reversed);
  }
}

TEST(BitNames, of_the_forms_with_instructions_are_there) {
  namespace x = hpk::Experimental;
  EXPECT_EQ(x::popcount_builtin(7u) + x::countl_zero_builtin(7u) + x::countl_one_builtin(7u) +
                x::countr_zero_builtin(8u) + x::countr_one_builtin(7u),
            3 + 29 + 0 + 3 + 3);
  EXPECT_TRUE(x::has_single_bit_builtin(8u));
  EXPECT_EQ(x::bit_width_builtin(8u), 4u);
  static_assert(std::is_same_v<decltype(x::bit_width_builtin(std::uint8_t{8})), std::uint8_t>);
  EXPECT_EQ(x::bit_floor_builtin(9u) + x::bit_ceil_builtin(9u), 8u + 16u);
  EXPECT_EQ(x::rotl_builtin(1u, 3) + x::rotr_builtin(8u, 3), 9u);
  EXPECT_EQ(x::byteswap_builtin(std::uint16_t{0x102}), 0x201);
  EXPECT_EQ(x::bit_cast_builtin<std::uint64_t>(0.0), 0u);
}

template <class Exec>
class BitsInKernel : public testing::Test {};
TYPED_TEST_SUITE(BitsInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(BitsInKernel, are_those_of_the_host) {
  hpk::View<std::uint64_t*, TypeParam> values("values", 500);
  hpk::parallel_for(
      "bits", hpk::RangePolicy<TypeParam>(0, 500), HPK_LAMBDA(int i) {
        const std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> (i % 60);
        const auto low = static_cast<std::uint32_t>(x);
        values(i) = hpk::byteswap(x) + hpk::rotl(x, i) + hpk::bit_floor(x) +
                    static_cast<std::uint64_t>(hpk::popcount(x) * 3 + hpk::countl_zero(low) * 5 +
                                               hpk::countr_zero(low) * 7 + hpk::bit_width(x) * 11) +
                    hpk::bit_cast<std::uint32_t>(static_cast<float>(i));
      });
  const auto there = hpk_test::on_host(values);
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> (i % 60);
    const auto low = static_cast<std::uint32_t>(x);
    ASSERT_EQ(there(i),
              __builtin_bswap64(x) + std::rotl(x, i) + std::bit_floor(x) +
                  static_cast<std::uint64_t>(std::popcount(x) * 3 + std::countl_zero(low) * 5 +
                                             std::countr_zero(low) * 7 +
                                             static_cast<int>(std::bit_width(x)) * 11) +
                  std::bit_cast<std::uint32_t>(static_cast<float>(i)))
        << i;
  }
}

}  // namespace
}  // namespace base_bit_test
