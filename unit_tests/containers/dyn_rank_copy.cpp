// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy of DynRankViews between all layouts, ranks and memories, on instances, with values,
// Views and variables; and calls that are rejected.
#include <hpk/containers/dyn_rank_copy.hpp>
#include <hpk/containers/dyn_rank_subview.hpp>

#include <support/elements.hpp>

namespace dyn_rank_copy_test {
namespace {

using hpk::DynRankView;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::expect_error;

template <class Exec>
class DynRankCopy : public testing::Test {};
TYPED_TEST_SUITE(DynRankCopy, hpk_test::spaces, hpk_test::space_names);

constexpr int extents[] = {3, 2, 4, 2, 3, 1, 2};

template <class V, std::size_t... Rs>
V make(const char* label, std::index_sequence<Rs...>) {
  if constexpr (std::is_same_v<typename V::array_layout, LayoutStride>) {
    LayoutStride layout;
    std::size_t next = 1;
    for (std::size_t r = 0; r != sizeof...(Rs); ++r) {
      layout.dimension[r] = static_cast<std::size_t>(extents[r]);
      layout.stride[r] = next;
      next = next * layout.dimension[r] + 1;
    }
    return V(label, layout);
  } else {
    return V(hpk::view_alloc(label, hpk::AllowPadding), extents[Rs]...);
  }
}

// Numbers host elements, copies them to the space and back in other layouts, and checks them.
template <class Exec, class To, class From, int Rank>
void check_copies() {
  constexpr auto rank = std::make_index_sequence<Rank>();
  const auto first = make<DynRankView<int, From, HostSpace>>("first", rank);
  const auto away = make<DynRankView<int, To, Exec>>("away", rank);
  const auto back = make<DynRankView<long, From, HostSpace>>("back", rank);
  const auto each = [&](const auto& visit) {
    hpk_test::tuple8 box;
    for (std::size_t r = 0; r != 8; ++r)
      box[r] = static_cast<int>(r) < Rank ? static_cast<std::size_t>(extents[r]) : 1;
    hpk_test::for_each_index(7, box, true, [&](const auto& index) {
      hpk_test::spread<7>(index, [&](auto... is) { visit(first(is...), back(is...)); });
    });
  };
  int next = 1;
  each([&](int& a, long&) { a = next++; });
  deep_copy(away, first);
  const auto middle = make<DynRankView<long, To, Exec>>("middle", rank);
  deep_copy(Exec(), middle, away);
  hpk::fence();
  deep_copy(back, middle);
  next = 1;
  int wrong = 0;
  each([&](int&, long& b) { wrong += b == next++ ? 0 : 1; });
  EXPECT_EQ(wrong, 0) << "rank " << Rank;
}

HPK_TYPED_TEST(DynRankCopy, between_layouts_and_ranks) {
  check_copies<TypeParam, LayoutLeft, LayoutRight, 0>();
  check_copies<TypeParam, LayoutRight, LayoutRight, 1>();
  check_copies<TypeParam, LayoutLeft, LayoutRight, 2>();
  check_copies<TypeParam, LayoutRight, LayoutLeft, 3>();
  check_copies<TypeParam, LayoutRight, LayoutRight, 4>();
  check_copies<TypeParam, LayoutStride, LayoutRight, 5>();
  check_copies<TypeParam, LayoutLeft, LayoutLeft, 6>();
  check_copies<TypeParam, LayoutRight, LayoutStride, 7>();
}

HPK_TYPED_TEST(DynRankCopy, values_views_and_variables) {
  const TypeParam exec;
  DynRankView<double, LayoutRight, TypeParam> table("table", 4, 5);
  deep_copy(table, 3);
  View<double**, LayoutLeft, TypeParam> view("view", 4, 5);
  deep_copy(view, table);
  EXPECT_EQ(hpk_test::value_at(view, 3, 4), 3);
  deep_copy(exec, view, 4.5);
  deep_copy(exec, table, view);
  DynRankView<double, TypeParam> scalar("scalar");
  deep_copy(exec, scalar, 2.5);
  double found = 0;
  deep_copy(exec, found, scalar);
  exec.fence();
  EXPECT_EQ(found, 2.5);
  deep_copy(exec, scalar, 7.5);
  deep_copy(exec, view, table);
  hpk::fence();
  EXPECT_EQ(hpk_test::value_at(view, 0, 0), 4.5);
  float narrow = 0;
  deep_copy(narrow, scalar);
  EXPECT_EQ(narrow, 7.5f);
  deep_copy(table, view);
  // Only a part.
  deep_copy(subview(table, 1, hpk::ALL), -1.0);
  deep_copy(found, subview(table, 1, 4));
  EXPECT_EQ(found, -1);
  deep_copy(found, subview(table, 2, 4));
  EXPECT_EQ(found, 4.5);
  // Without elements or memory.
  deep_copy(DynRankView<int, TypeParam>(), DynRankView<int, TypeParam>());
  deep_copy(DynRankView<int, TypeParam>("e", 0, 3), DynRankView<int, TypeParam>("f", 0, 3));
}

TEST(DynRankCopyErrors, name_both_shapes) {
  const DynRankView<int, HostSpace> a("a", 3, 4);
  const DynRankView<int, HostSpace> b("b", 4, 3);
  const DynRankView<int, HostSpace> c("c", 12);
  expect_error([&] { deep_copy(a, b); },
               {"hpk::deep_copy", "\"a\" is of rank 2 and extents [3, 4]",
                "\"b\" is of rank 2 and extents [4, 3]", "dyn_rank_copy.cpp"});
  expect_error([&] { deep_copy(c, a); }, {"\"c\" is of rank 1 and extents [12]"});
  expect_error([&] { deep_copy(hpk::DefaultHostExecutionSpace(), a, c); }, {"\"c\" is of rank 1"});
  expect_error([&] { deep_copy(a, View<int**, HostSpace>("v", 3, 5)); }, {"\"v\"", "[3, 5]"});
  expect_error([&] { deep_copy(a, DynRankView<int, HostSpace>()); }, {"has no memory"});
  int found = 0;
  expect_error([&] { deep_copy(found, c); }, {"rank 0", "\"c\" is of rank 1 and extents [12]"});
}

}  // namespace
}  // namespace dyn_rank_copy_test
