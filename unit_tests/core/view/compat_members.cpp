// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of View with the names of older Kokkos programs equal the members with new names.
#include <support/spaces.hpp>

#include <hpk/core.hpp>
#include <hpk/view/compat_members.hpp>

#include <cstdint>
#include <type_traits>

namespace view_compat_members_test {
namespace {

using cube = hpk::View<int* [3][4], hpk::LayoutLeft, hpk::HostSpace>;
static_assert(cube::Rank == 3 && hpk::View<int>::Rank == 0);
static_assert(std::is_same_v<cube::array_type, cube>);
static_assert(std::is_same_v<cube::scalar_array_type, cube::data_type>);
static_assert(std::is_same_v<cube::traits::scalar_array_type, cube::data_type>);
static_assert(std::is_same_v<cube::const_scalar_array_type, cube::const_data_type>);
static_assert(std::is_same_v<cube::traits::const_scalar_array_type, cube::const_data_type>);
static_assert(std::is_same_v<cube::non_const_scalar_array_type, cube::non_const_data_type>);
static_assert(std::is_same_v<cube::traits::non_const_scalar_array_type, cube::non_const_data_type>);
static_assert(std::is_empty_v<hpk::classes::compat_members<cube>>);

TEST(CompatMembers, are_the_strides) {
  const cube left("left", 2);
  EXPECT_EQ(left.stride_0(), 1u);
  EXPECT_EQ(left.stride_1(), 2u);
  EXPECT_EQ(left.stride_2(), 6u);
  EXPECT_EQ(left.stride_3(), 0u);
  const hpk::View<char********, hpk::LayoutRight, hpk::HostSpace> all("all", 2, 2, 2, 2, 2, 2, 2,
                                                                      2);
  EXPECT_EQ(all.stride_0(), 128u);
  EXPECT_EQ(all.stride_4(), 8u);
  EXPECT_EQ(all.stride_5(), 4u);
  EXPECT_EQ(all.stride_6(), 2u);
  EXPECT_EQ(all.stride_7(), 1u);
  const auto column = hpk::subview(left, 1, hpk::ALL, 2);
  EXPECT_EQ(column.stride_0(), 2u);
  EXPECT_EQ(column.stride_7(), 0u);
}

// Conversions to and from mdspan.
using matrix = hpk::View<double**, hpk::LayoutRight, hpk::HostSpace>;
template <class T, class Layout = hpk::layout_right>
using span2 = hpk::mdspan<T, hpk::dextents<std::int64_t, 2>, Layout>;
static_assert(std::is_same_v<matrix::mdspan_type, span2<double>>);
static_assert(std::is_same_v<matrix::type, matrix::non_const_type>);
static_assert(std::is_same_v<cube::type::data_type, cube::data_type>);
// Conversions are implicit where the types allow them.
static_assert(std::is_convertible_v<matrix, span2<const double>>);
static_assert(!std::is_convertible_v<matrix::const_type, span2<double>>);
static_assert(std::is_convertible_v<matrix, span2<double, hpk::layout_stride>>);
static_assert(!std::is_convertible_v<matrix, span2<double, hpk::layout_left>>);
static_assert(!std::is_convertible_v<matrix, hpk::mdspan<double, hpk::dextents<int, 1>>>);
static_assert(!std::is_convertible_v<cube, hpk::mdspan<int, hpk::extents<int, 2, 3, 5>>>);
static_assert(std::is_convertible_v<span2<double>, matrix>);
static_assert(std::is_convertible_v<span2<double>, matrix::const_type>);
static_assert(!std::is_convertible_v<span2<const double>, matrix>);
static_assert(!std::is_convertible_v<span2<double, hpk::layout_left>, matrix>);

double corner(const span2<const double>& a) { return a(a.extent(0) - 1, a.extent(1) - 1); }
double corner_of_view(const matrix::const_type& a) { return a(a.extent(0) - 1, a.extent(1) - 1); }

TEST(CompatMembers, make_mdspans) {
  const matrix a("a", 3, 4);
  a(2, 3) = 7;
  EXPECT_EQ(corner(a), 7);
  const auto span = a.to_mdspan();
  static_assert(std::is_same_v<decltype(span), const matrix::mdspan_type>);
  EXPECT_EQ(&span(1, 2), &a(1, 2));
  EXPECT_EQ(corner_of_view(span), 7);
  const matrix back = span;
  EXPECT_EQ(back.use_count(), 0);
  EXPECT_EQ(a.mapping()(1, 2), 6);
  EXPECT_EQ(a.mapping().extents().extent(1), 4);
  const hpk::mdspan<double, hpk::extents<int, 3, 4>, hpk::layout_stride> fixed = a;
  EXPECT_EQ(&fixed(2, 1), &a(2, 1));
  using counting = hpk::View<int*, hpk::HostSpace, hpk::MemoryTraits<hpk::Atomic>>;
  const counting counts("counts", 2);
  const auto counted = counts.to_mdspan(counts.accessor());
  static_assert(std::is_same_v<decltype(counted)::reference, hpk::AtomicRef<int>>);
  counted(1) += 5;
  EXPECT_EQ(counts.to_mdspan()(1), 5);
}

TEST(CompatMembers, check_what_an_mdspan_can_not_have) {
  const matrix a("a", 3, 4);
  const auto part = hpk::subview(a, hpk::ALL, hpk::strided_slice{0, 4, 2});
  hpk_test::expect_error([&] { (void)span2<double>(part); },
                         {"its strides do not fit the mdspan's layout"});
  using five = hpk::mdspan<double, hpk::extents<int, 3, 5>>;
  hpk_test::expect_error([&] { (void)five(a); },
                         {"an extent differs from the fixed extent of the mdspan"});
  using bytes = hpk::mdspan<double, hpk::dextents<signed char, 2>>;
  hpk_test::expect_error([] { (void)bytes(matrix("b", 10, 20)); },
                         {"it has more elements than the mdspan's index type can count"});
}

template <class Space>
class CompatMembersIn : public ::testing::Test {};
TYPED_TEST_SUITE(CompatMembersIn, hpk_test::spaces, hpk_test::space_names);
HPK_TYPED_TEST(CompatMembersIn, make_mdspans_in_kernels) {
  using space = TypeParam;
  using view = hpk::View<int**, hpk::LayoutLeft, space>;
  const view a("a", 4, 5);
  hpk::parallel_for(
      hpk::RangePolicy<space>(0, 20), HPK_LAMBDA(int k) {
        const typename view::mdspan_type span = a;
        span(k / 5, k % 5) = static_cast<int>(a.mapping()(k / 5, k % 5)) + a.to_mdspan().extent(1);
      });
  const auto seen = hpk::create_mirror_view_and_copy(hpk::HostSpace(), a);
  EXPECT_EQ(seen(3, 4), 24);
  EXPECT_EQ(seen(1, 2), 14);
}

}  // namespace
}  // namespace view_compat_members_test
