// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and widths of vector types, most of them checked at compile time.
#include "lanes.hpp"

namespace {

template <class A, class B>
inline constexpr bool same_type = std::is_same_v<A, B>;

// As wide as the register, for every type.
constexpr int bytes =
    hpk::detail::vectors::simd_has_vectors ? static_cast<int>(hpk::detail::vectors::simd_bytes) : 1;
static_assert(hpk::simd<double>::size() == (bytes > 8 ? bytes / 8 : 1));
static_assert(hpk::simd<float>::size() == (bytes > 8 ? bytes / 4 : 1));
static_assert(hpk::simd<std::int8_t>::size() == bytes);
static_assert(hpk::simd<std::uint16_t>::size() == (bytes > 8 ? bytes / 2 : 1));
static_assert(hpk::simd_size_v<double> == hpk::simd<double>::size());
static_assert(alignof(hpk::simd<double, 4>) <= 32 && sizeof(hpk::simd<double, 3>) == 24);

static_assert(same_type<hpk::simd<float, 1>, hpk::basic_simd<float, hpk::simd_abi::scalar>>);
static_assert(same_type<hpk::simd<float, 8>, hpk::basic_simd<float, hpk::simd_abi::fixed_size<8>>>);
static_assert(same_type<hpk::vec<float, 8>::mask_type, hpk::mask<float, 8>>);
static_assert(same_type<hpk::native_simd<int>, hpk::basic_simd<int, hpk::simd_abi::native<int>>>);
static_assert(same_type<hpk::native_simd_mask<int>, hpk::simd_mask<int>>);
static_assert(same_type<hpk::rebind_t<int, hpk::simd<double, 4>>, hpk::simd<int, 4>>);
static_assert(same_type<hpk::resize_t<3, hpk::simd_mask<double, 4>>, hpk::simd_mask<double, 3>>);
static_assert(same_type<hpk::simd<int>::storage_type, hpk::simd<int>>);

TEST(simd_abi, sizes_are_called_or_read) {
  const hpk::simd<float, 8> v(1);
  EXPECT_EQ(v.size(), 8);
  EXPECT_EQ(hpk::simd<int>::size + 0, hpk::simd<int>::size());
  int array[hpk::simd<short, 5>::size];
  EXPECT_EQ(sizeof array / sizeof *array, 5u);
}

}  // namespace
