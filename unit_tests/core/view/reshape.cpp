// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reshape shares memory and ownership, in host code and in kernels, and refuses shapes that are too
// large.
#include <hpk/view/reshape.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

namespace view_reshape_test {
namespace {

using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::value_at;

template <class Exec>
class Reshape : public testing::Test {};
TYPED_TEST_SUITE(Reshape, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Reshape, shares_memory_and_ownership) {
  View<int*, TypeParam> line("line", 12);
  hpk_test::number_elements(line, 1);
  const auto right = hpk::reshape<View<int**, LayoutRight, TypeParam>>(line, 3, 4);
  const auto left = hpk::reshape<View<const int***, LayoutLeft, TypeParam>>(line, 2, 3, 2);
  EXPECT_EQ(line.use_count(), 3);
  EXPECT_EQ(right.label(), "line");
  EXPECT_EQ(right.data(), line.data());
  EXPECT_EQ(value_at(right, 1, 2), 7);
  EXPECT_EQ(value_at(left, 1, 2, 1), 12);
  const auto loose =
      hpk::reshape<View<int**, LayoutStride, TypeParam>>(right, LayoutStride(2, 6, 2, 5));
  EXPECT_EQ(value_at(loose, 1, 1), 12);
  const auto unowned =
      hpk::reshape<View<int*, LayoutRight, TypeParam, hpk::MemoryTraits<hpk::Unmanaged>>>(right, 5);
  EXPECT_EQ(unowned.use_count(), 0);
  line = {};
  EXPECT_EQ(right.use_count(), 3);
  EXPECT_EQ(value_at(hpk::reshape<View<int, TypeParam>>(right)), 1);
}

HPK_TYPED_TEST(Reshape, in_kernels) {
  const View<int**, LayoutRight, TypeParam> square("square", 4, 4);
  hpk_test::number_elements(square, 0);
  const View<int*, TypeParam> sums("sums", 2);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 2), HPK_LAMBDA(int half) {
        const auto halves = hpk::reshape<View<int**, LayoutRight, TypeParam>>(square, 2, 8);
        for (int k = 0; k < 8; ++k) sums(half) += halves(half, k);
      });
  EXPECT_EQ(value_at(sums, 0), 28);
  EXPECT_EQ(value_at(sums, 1), 92);
}

TEST(ReshapeErrors, name_the_elements) {
  const View<int**, LayoutRight, hpk::HostSpace> small("small", 3, 4);
  hpk_test::expect_error([&] { hpk::reshape<View<int*, hpk::HostSpace>>(small, 13); },
                         {"hpk::reshape", "takes 13 elements", "\"small\" has 12"});
  hpk_test::expect_error([&] { hpk::reshape<View<int*, hpk::HostSpace>>(small, -1); },
                         {"reshape", "extent 0 of [-1] is -1"});
  EXPECT_EQ((hpk::reshape<View<int*, hpk::HostSpace>>(small, 0).extent(0)), 0u);
}

}  // namespace
}  // namespace view_reshape_test
