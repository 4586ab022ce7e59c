// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of static rank from DynRankViews: every rank, in host code and kernels, and rejected ranks.
#include <hpk/containers/dyn_rank_static.hpp>

#include <support/elements.hpp>

namespace dyn_rank_static_test {
namespace {

using hpk::DynRankView;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::View;

template <class Exec>
class DynRankStatic : public testing::Test {};
TYPED_TEST_SUITE(DynRankStatic, hpk_test::spaces, hpk_test::space_names);

// A number that depends on every extent.
struct digits {
  template <class V>
  HPK_FUNCTION long operator()(const V& view) const {
    long result = static_cast<long>(V::rank());
    for (std::size_t r = 0; r != V::rank(); ++r)
      result = result * 10 + static_cast<long>(view.extent(r));
    return result;
  }
};

HPK_TYPED_TEST(DynRankStatic, visits_every_rank) {
  using view = DynRankView<int, LayoutRight, TypeParam>;
  const view of_rank[] = {view("0"),
                          view("1", 3),
                          view("2", 3, 4),
                          view("3", 3, 4, 2),
                          view("4", 3, 4, 2, 1),
                          view("5", 3, 4, 2, 1, 2),
                          view("6", 3, 4, 2, 1, 2, 3),
                          view("7", 3, 4, 2, 1, 2, 3, 2)};
  long expected[] = {0, 13, 234, 3342, 43421, 534212, 6342123, 73421232};
  for (int r = 0; r < 8; ++r) {
    EXPECT_EQ(hpk::visit_rank(digits(), of_rank[r]), expected[r]);
    EXPECT_EQ(hpk::Impl::apply_to_view_of_static_rank(digits(), of_rank[r]), expected[r]);
  }
  const View<long, TypeParam> found("found");
  const view in_kernel = of_rank[4];
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1),
      HPK_LAMBDA(int) { found() = hpk::visit_rank(digits(), in_kernel); });
  EXPECT_EQ(hpk_test::value_at(found), expected[4]);
  EXPECT_EQ(hpk::visit_rank(digits(), view()), 0);
}

HPK_TYPED_TEST(DynRankStatic, shares_elements) {
  const DynRankView<int, LayoutLeft, TypeParam> view("view", 3, 4);
  const View<int**, LayoutLeft, TypeParam> same = hpk::as_view_of_rank<2>(view);
  EXPECT_EQ(view.use_count(), 2);
  hpk_test::number_elements(same, 1);
  EXPECT_EQ(hpk_test::value_at(hpk::Impl::as_view_of_rank_n<2>(view), 2, 3), 12);
  const View<const int**, LayoutLeft, TypeParam> reading = hpk::as_view_of_rank<2>(view);
  EXPECT_EQ(reading.data(), view.data());
}

TEST(DynRankStaticHost, padded_rows_stay) {
  const DynRankView<int, LayoutRight, hpk::HostSpace> padded(
      hpk::view_alloc("padded", hpk::AllowPadding), 3, 20);
  const auto view = hpk::as_view_of_rank<2>(padded);
  EXPECT_EQ(view.stride(0), 32u);
  EXPECT_EQ(view.span(), padded.span());
}

TEST(DynRankStaticErrors, name_both_ranks) {
  const DynRankView<int, hpk::HostSpace> view("view", 3, 4);
  hpk_test::expect_error(
      [&] { hpk::as_view_of_rank<3>(view); },
      {"hpk::as_view_of_rank<3>", "\"view\" is of rank 2", "dyn_rank_static.cpp"});
}

}  // namespace
}  // namespace dyn_rank_static_test
