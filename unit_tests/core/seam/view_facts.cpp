// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inspection sees every View that a kernel captures, at any place in the kernel, with its
// elements, addresses and shape. No copy owns memory.
#include <hpk/seam/view_facts.hpp>

#include <hpk/array.hpp>
#include <hpk/core.hpp>

#include <support/inspected.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "../../../example/own_layout/layouts.hpp"

namespace seam_view_facts_test {
namespace {

using hpk::ALL;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::subview;
using hpk::View;
using hpk::seam::view_facts;
using hpk_test::all_views;
using hpk_test::views_of;

// Compares the inspected facts with the View.
template <class V>
void expect_view(const view_facts& found, const V& view) {
  using value = typename V::value_type;
  ASSERT_NE(found.type, nullptr);
  EXPECT_EQ(found.type->element.name,
            hpk::detail::element_type_of<std::remove_const_t<value>>.name);
  EXPECT_EQ(found.type->element.bytes, sizeof(value));
  EXPECT_EQ(found.type->space, V::memory_space::name());
  EXPECT_EQ(found.type->is_const, std::is_const_v<value>);
  EXPECT_EQ(found.data, view.data());
  constexpr int rank = V::rank();
  EXPECT_EQ(found.rank, rank);
  EXPECT_TRUE(found.is_strided);
  EXPECT_EQ(found.span, static_cast<hpk::index_t>(view.span()));
  for (int r = 0; r < rank; ++r) {
    const auto at = static_cast<std::size_t>(r);
    EXPECT_EQ(found.extents[r], static_cast<hpk::index_t>(view.extent(at))) << r;
    EXPECT_EQ(found.strides[r], static_cast<hpk::index_t>(view.stride(at))) << r;
  }
}

// The facts of a View that is the only capture of a kernel.
template <class V>
view_facts facts_of(const V& view) {
  const auto found = views_of([view] { static_cast<void>(view.data()); });
  EXPECT_EQ(found.size(), 1u);
  if (found.size() != 1) return {};
  expect_view(found[0], view);
  return found[0];
}

template <class Layout>
void expect_all_ranks() {
  facts_of(View<double, Layout, HostSpace>("0"));
  facts_of(View<double*, Layout, HostSpace>("1", 9));
  facts_of(View<double**, Layout, HostSpace>("2", 3, 4));
  facts_of(View<double***, Layout, HostSpace>("3", 2, 3, 4));
  facts_of(View<double****, Layout, HostSpace>("4", 5, 2, 3, 4));
  facts_of(View<double*****, Layout, HostSpace>("5", 2, 3, 1, 2, 4));
  facts_of(View<double******, Layout, HostSpace>("6", 2, 3, 1, 2, 4, 2));
  facts_of(View<double*******, Layout, HostSpace>("7", 2, 3, 1, 2, 4, 2, 2));
  facts_of(View<double********, Layout, HostSpace>("8", 2, 3, 1, 2, 4, 2, 2, 3));
  facts_of(View<double** [4][5], Layout, HostSpace>("fixed", 2, 3));
  facts_of(View<double[3], Layout, HostSpace>("fixed"));
}

TEST(ViewFacts, are_those_of_views_of_every_rank) {
  expect_all_ranks<LayoutRight>();
  expect_all_ranks<LayoutLeft>();
}

TEST(ViewFacts, have_the_strides_of_strided_views) {
  facts_of(View<int***, LayoutStride, HostSpace>("s", LayoutStride(3, 20, 4, 1, 5, 4)));
  facts_of(View<int**, LayoutStride, HostSpace>("s", LayoutStride(3, 1, 4, 10)));
  using padding = hpk::View<double**, LayoutLeft, HostSpace>;
  const padding padded(hpk::view_alloc("padded", hpk::AllowPadding), 129, 3);
  EXPECT_EQ(facts_of(padded).strides[1], static_cast<hpk::index_t>(padded.stride(1)));
}

TEST(ViewFacts, are_those_of_parts) {
  const View<float***, LayoutRight, HostSpace> right("right", 4, 5, 6);
  const View<float***, LayoutLeft, HostSpace> left("left", 4, 5, 6);
  const auto check = [](const auto& part) {
    const view_facts found = facts_of(part);
    EXPECT_EQ(found.record, part.record());
  };
  check(subview(right, 1, ALL, ALL));
  check(subview(right, ALL, 2, std::pair(1, 4)));
  check(subview(right, ALL, ALL, 3));
  check(subview(right, 1, 2, 3));
  check(subview(left, 1, ALL, ALL));
  check(subview(left, std::pair(1, 3), std::pair(2, 2), ALL));
  check(subview(left, ALL, 0, 0));
}

TEST(ViewFacts, are_those_of_const_unmanaged_and_atomic_views) {
  const View<double**, HostSpace> owner("owner", 3, 4);
  EXPECT_EQ(facts_of(owner).record, owner.record());
  EXPECT_EQ(owner.record()->label, "owner");
  EXPECT_EQ(facts_of(View<const double**, HostSpace>(owner)).record, owner.record());
  using unmanaged = View<double**, HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>;
  EXPECT_EQ(facts_of(unmanaged(owner)).record, nullptr);
  EXPECT_EQ(facts_of(View<double**, HostSpace>(owner.data(), 3, 4)).record, nullptr);
  const View<double**, HostSpace, hpk::MemoryTraits<hpk::Atomic>> atomic(owner);
  const auto found = views_of([atomic] { static_cast<void>(atomic.data()); });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].data, owner.data());
  EXPECT_EQ(found[0].type->element.name, "double");
  EXPECT_FALSE(found[0].type->is_const);
}

TEST(ViewFacts, of_an_empty_view_have_no_address) {
  const View<double**, HostSpace> empty;
  EXPECT_EQ(facts_of(empty).data, nullptr);
  EXPECT_EQ(facts_of(View<double**, HostSpace>("empty", 0, 3)).span, 0);
}

TEST(ViewFacts, of_a_layout_without_strides_have_none) {
  const View<double**, own::LayoutMorton, HostSpace> view("morton", 3, 5);
  const auto found = views_of([view] { static_cast<void>(view.data()); });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].is_strided);
  EXPECT_EQ(found[0].data, view.data());
  EXPECT_EQ(found[0].rank, 2);
  EXPECT_EQ(found[0].extents[0], 3);
  EXPECT_EQ(found[0].extents[1], 5);
  EXPECT_EQ(found[0].span, 64);
}

struct fields {
  View<double*, HostSpace> x;
  int n = 3;
  View<const int**, HostSpace> y;
};
struct derived : fields {
  std::array<View<float*, HostSpace>, 2> more;
};

TEST(ViewFacts, are_those_of_all_views_in_order) {
  const View<double*, HostSpace> x("x", 3);
  const View<int**, HostSpace> y("y", 3, 4);
  const View<float*, HostSpace> u("u", 5), v("v", 6);
  const auto addresses = [](const auto& kernel) {
    std::vector<const void*> found;
    for (const view_facts& view : views_of(kernel)) found.push_back(view.data);
    return found;
  };
  using list = std::vector<const void*>;
  EXPECT_EQ(addresses(fields{x, 1, y}), (list{x.data(), y.data()}));
  EXPECT_EQ(addresses(derived{{x, 1, y}, {u, v}}), (list{x.data(), y.data(), u.data(), v.data()}));
  EXPECT_EQ(addresses(std::pair(x, y)), (list{x.data(), y.data()}));
  EXPECT_EQ(addresses(hpk::Array<View<float*, HostSpace>, 2>{v, u}), (list{v.data(), u.data()}));
  EXPECT_EQ(addresses(std::vector<View<float*, HostSpace>>{v, u}), (list{v.data(), u.data()}));
  const fields all{x, 1, y};
  EXPECT_EQ(addresses([all, u] { static_cast<void>(all.n + u.extent_int(0)); }),
            (list{x.data(), y.data(), u.data()}));
  // A View captured twice is seen twice; one captured by reference is not seen.
  const View<double*, HostSpace> same = x;
  list twice =
      addresses([x, same, &u] { static_cast<void>(x.data() + same.extent(0) + u.extent(0)); });
  EXPECT_EQ(twice, (list{x.data(), x.data()}));
  View<float*, HostSpace> plain[2] = {u, v};
  EXPECT_EQ(addresses([plain] { static_cast<void>(plain[0].data()); }), (list{u.data(), v.data()}));
}

TEST(ViewFacts, of_views_of_views_lead_to_the_inner_ones) {
  using inner = View<double*, HostSpace>;
  const View<inner*, HostSpace> outer("outer", 3);
  outer(0) = inner("a", 4);
  outer(2) = inner("b", 5);
  const auto found = views_of([outer] { static_cast<void>(outer.data()); });
  ASSERT_EQ(found.size(), 1u);
  const hpk::detail::element_type& element = found[0].type->element;
  EXPECT_FALSE(element.is_bytes);
  ASSERT_NE(element.copy_each, nullptr);
  all_views inners;
  {
    const hpk::seam::inspection_scope inspecting(inners);
    element.copy_each(found[0].data, static_cast<std::size_t>(found[0].span));
  }
  ASSERT_EQ(inners.seen.size(), 3u);
  expect_view(inners.seen[0], outer(0));
  EXPECT_EQ(inners.seen[1].data, nullptr);
  expect_view(inners.seen[2], outer(2));
  EXPECT_EQ(outer(0).use_count(), 1);
}

TEST(ViewFacts, are_seen_by_copies_that_own_nothing) {
  const View<double*, HostSpace> x("x", 3);
  const auto kernel = [x] { static_cast<void>(x.data()); };
  const int before = x.use_count();
  all_views found;
  {
    const hpk::seam::inspection_scope inspecting(found);
    const auto copy = kernel;
    EXPECT_EQ(x.use_count(), before);
    static_cast<void>(copy);
  }
  EXPECT_EQ(x.use_count(), before);
  const auto copy = kernel;
  EXPECT_EQ(x.use_count(), before + 1);
  EXPECT_EQ(found.seen.size(), 1u);
}

TEST(ViewFacts, go_to_the_innermost_inspection) {
  const View<double*, HostSpace> x("x", 3);
  all_views outer, inner;
  {
    const hpk::seam::inspection_scope first(outer);
    {
      const hpk::seam::inspection_scope second(inner);
      const View<double*, HostSpace> one(x);
    }
    EXPECT_TRUE(hpk::seam::inspecting());
    const View<double*, HostSpace> another(x);
  }
  EXPECT_FALSE(hpk::seam::inspecting());
  EXPECT_EQ(inner.seen.size(), 1u);
  EXPECT_EQ(outer.seen.size(), 1u);
}

template <class Exec>
class ViewFactsOf : public testing::Test {};
TYPED_TEST_SUITE(ViewFactsOf, hpk_test::spaces, hpk_test::space_names);

// Memory that the host cannot access is read and written by copies.
HPK_TYPED_TEST(ViewFactsOf, tell_how_to_read_memory) {
  using memory = typename TypeParam::memory_space;
  const View<int*, TypeParam> view("view", 10);
  const view_facts found = facts_of(view);
  EXPECT_EQ(found.type->space, memory::name());
  EXPECT_EQ(found.type->on_host, hpk::seam::host_may_access<memory>);
  ASSERT_EQ(found.type->copy == nullptr, hpk::seam::host_may_access<memory>);
  if (found.type->copy == nullptr) return;
  int numbers[10] = {};
  for (int k = 0; k < 10; ++k) numbers[k] = k * k;
  found.type->copy(const_cast<void*>(found.data), numbers, sizeof numbers);
  std::fill_n(numbers, 10, -1);
  found.type->copy(numbers, found.data, sizeof numbers);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(numbers[k], k * k);
}

TEST(ViewFactsOfMemory, that_anybody_may_own_have_no_way_to_read_it) {
  const View<double*, HostSpace> x("x", 3);
  const decltype(x)::uniform_runtime_nomemspace_type anywhere(x);
  const auto found = views_of([anywhere] { static_cast<void>(anywhere.data()); });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].type->on_host);
  EXPECT_EQ(found[0].type->copy, nullptr);
}

TEST(ViewFactsOfElements, are_those_of_a_row_or_a_variable) {
  double numbers[9] = {};
  const auto& type = hpk::seam::variable_type_of<double>;
  EXPECT_TRUE(type.on_host);
  EXPECT_FALSE(type.is_const);
  const view_facts variable = hpk::seam::facts_of_elements(type, numbers);
  EXPECT_EQ(variable.rank, 0);
  EXPECT_EQ(variable.span, 1);
  EXPECT_EQ(variable.record, nullptr);
  const view_facts row = hpk::seam::facts_of_elements(type, numbers, 5, 2);
  EXPECT_EQ(row.data, numbers);
  EXPECT_EQ(row.rank, 1);
  EXPECT_EQ(row.span, 9);
  EXPECT_EQ(row.extents[0], 5);
  EXPECT_EQ(row.strides[0], 2);
  EXPECT_TRUE(row.is_strided);
  EXPECT_EQ(hpk::seam::facts_of_elements(type, numbers, 0, 2).span, 0);
}

}  // namespace
}  // namespace seam_view_facts_test
