// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of Arrays: every operator with arrays and numbers, small types, and kernels.
#include <hpk/array_arithmetic.hpp>

#include <support/spaces.hpp>

namespace base_array_arithmetic_test {
namespace {

using hpk::Array;
using ints = Array<int, 3>;

static_assert(ints{1, 2, 3} + ints{10, 20, 30} == ints{11, 22, 33});
static_assert(ints{10, 20, 30} - ints{1, 2, 3} == ints{9, 18, 27});
static_assert(ints{1, 2, 3} * ints{2, 3, 4} == ints{2, 6, 12});
static_assert(ints{7, 8, 9} / ints{2, 3, 4} == ints{3, 2, 2});
static_assert(ints{7, 8, 9} % ints{2, 3, 4} == ints{1, 2, 1});
static_assert(ints{1, 2, 3} + 1 == ints{2, 3, 4} && 1 + ints{1, 2, 3} == ints{2, 3, 4});
static_assert(10 - ints{1, 2, 3} == ints{9, 8, 7} && 2 * ints{1, 2, 3} == ints{2, 4, 6});
static_assert(12 / ints{1, 2, 3} == ints{12, 6, 4} && 7 % ints{2, 3, 4} == ints{1, 1, 3});
static_assert(-ints{1, -2, 0} == ints{-1, 2, 0});
static_assert(hpk::sum(ints{1, 2, 3}) == 6 && hpk::product(ints{2, 3, 4}) == 24);
static_assert(hpk::sum(Array<int, 0>{}) == 0 && hpk::product(Array<int, 0>{}) == 1);
static_assert(-Array<int, 0>{} + 2 * Array<int, 0>{} == Array<int, 0>{});

TEST(ArrayArithmetic, changes_in_place) {
  ints a{1, 2, 3};
  ((a += ints{1, 1, 1}) *= 4) -= 2;
  EXPECT_EQ(a, (ints{6, 10, 14}));
  a /= ints{2, 5, 7};
  EXPECT_EQ(a, (ints{3, 2, 2}));
  a %= 2;
  EXPECT_EQ(a, (ints{1, 0, 0}));
}

TEST(ArrayArithmetic, keeps_small_types_and_numbers_with_fractions) {
  const auto c = Array<unsigned char, 2>{250, 3} + Array<unsigned char, 2>{10, 4};
  static_assert(std::is_same_v<decltype(c), const Array<unsigned char, 2>>);
  EXPECT_EQ(c, (Array<unsigned char, 2>{4, 7}));
  EXPECT_EQ((Array<double, 2>{1, 2} / 4), (Array<double, 2>{0.25, 0.5}));
}

template <class Exec>
class ArrayArithmeticInKernel : public testing::Test {};
TYPED_TEST_SUITE(ArrayArithmeticInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ArrayArithmeticInKernel, is_that_of_the_host) {
  const hpk::View<Array<long, 3>*, TypeParam> out("out", 50);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 50), HPK_LAMBDA(long i) {
        const Array<long, 3> point{i, i + 1, i + 2};
        Array<long, 3> value = 2 * point % Array<long, 3>{7, 11, 13} - point / 3;
        value += hpk::sum(point) * hpk::product(point);
        out(i) = value;
      });
  const auto seen = hpk_test::on_host(out);
  for (long i = 0; i < 50; ++i) {
    const long more = (3 * i + 3) * i * (i + 1) * (i + 2);
    const Array<long, 3> expected{2 * i % 7 - i / 3 + more, 2 * (i + 1) % 11 - (i + 1) / 3 + more,
                                  2 * (i + 2) % 13 - (i + 2) / 3 + more};
    ASSERT_EQ(seen(i), expected) << i;
  }
}

}  // namespace
}  // namespace base_array_arithmetic_test
