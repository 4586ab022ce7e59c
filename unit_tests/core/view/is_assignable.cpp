// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether one View can be assigned to another: by types alone, and with run-time information.
#include <hpk/view/is_assignable.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace view_is_assignable_test {
namespace {

using hpk::is_always_assignable_v;
using hpk::is_assignable;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
template <class Data, class Layout = LayoutRight, class Traits = hpk::MemoryTraits<>>
using view = View<Data, Layout, hpk::HostSpace, Traits>;

static_assert(is_always_assignable_v<view<int**>, view<int**>>);
static_assert(is_always_assignable_v<view<const int**>, const view<int**>&>);
static_assert(!is_always_assignable_v<view<int**>, view<const int**>>);
static_assert(!is_always_assignable_v<const view<int**>, view<int**>>);
static_assert(is_always_assignable_v<view<int**>&, const view<int**>&>);
static_assert(!is_always_assignable_v<view<int**>, view<int***>>);
static_assert(!is_always_assignable_v<view<int**>, view<long**>>);
static_assert(is_always_assignable_v<view<int**>, view<int* [4]>>);
static_assert(!is_always_assignable_v<view<int* [4]>, view<int**>>);
static_assert(!is_always_assignable_v<view<int* [4]>, view<int* [5]>>);
static_assert(is_always_assignable_v<view<int**, LayoutStride>, view<int**>>);
static_assert(!is_always_assignable_v<view<int**>, view<int**, LayoutStride>>);
static_assert(!is_always_assignable_v<view<int**>, view<int**, LayoutLeft>>);
static_assert(is_always_assignable_v<view<int*>, view<int*, LayoutLeft>>);
static_assert(!is_always_assignable_v<view<int*>, view<int*, LayoutStride>>);
static_assert(is_always_assignable_v<view<int>, view<int, LayoutStride>>);
using aligned = hpk::MemoryTraits<hpk::Aligned>;
static_assert(!is_always_assignable_v<view<int*, LayoutRight, aligned>, view<int*>>);
static_assert(is_always_assignable_v<view<int*>, view<int*, LayoutRight, aligned>>);
static_assert(is_always_assignable_v<view<int*, LayoutRight, hpk::MemoryUnmanaged>, view<int*>>);
static_assert(!is_always_assignable_v<int, view<int*>> && !is_always_assignable_v<view<int*>, int>);

// is_assignable agrees with the assignment.
template <class Dst, class Src>
void expect_agreement(const Src& src, bool expected) {
  Dst dst;
  EXPECT_EQ(is_assignable(dst, src), expected);
  if constexpr (std::is_constructible_v<Dst, const Src&>) {
    bool assigned = true;
    try {
      dst = src;
    } catch (const hpk::error&) {
      assigned = false;
    }
    EXPECT_EQ(assigned, expected);
  } else {
    EXPECT_FALSE(expected);
  }
}

TEST(IsAssignable, says_what_an_assignment_does) {
  const view<int**> matrix("matrix", 3, 4);
  expect_agreement<view<int**>>(matrix, true);
  expect_agreement<view<int* [4]>>(matrix, true);
  expect_agreement<view<int* [5]>>(matrix, false);
  expect_agreement<view<int[3][4]>>(matrix, true);
  expect_agreement<view<int[2][4]>>(matrix, false);
  expect_agreement<view<long**>>(matrix, false);
  expect_agreement<view<int*>>(matrix, false);
  expect_agreement<view<int**, LayoutLeft>>(matrix, false);
  const view<int**, LayoutStride> as_right(matrix);
  expect_agreement<view<int**>>(as_right, true);
  expect_agreement<view<int**, LayoutLeft>>(as_right, false);
  const view<int**, LayoutStride> as_left("left", LayoutStride(3, 1, 4, 3));
  expect_agreement<view<int**, LayoutLeft>>(as_left, true);
  expect_agreement<view<int**>>(as_left, false);
  const view<int**, LayoutStride> padded("padded", LayoutStride(3, 6, 4, 1));
  expect_agreement<view<int**>>(padded, true);
  expect_agreement<view<int* [4]>>(padded, false);
  const view<int***, LayoutStride> gaps("gaps", LayoutStride(3, 40, 4, 6, 5, 1));
  expect_agreement<view<int***>>(gaps, false);
  const view<int***, LayoutStride> rows("rows", LayoutStride(3, 24, 4, 6, 5, 1));
  expect_agreement<view<int***>>(rows, true);
  // The stride of a dimension with one element has no effect.
  const view<int***, LayoutStride> flat("flat", LayoutStride(3, 5, 1, 99, 5, 1));
  expect_agreement<view<int***>>(flat, true);
  const view<int*> row("row", 40);
  expect_agreement<view<int*, LayoutRight, aligned>>(row, true);
  expect_agreement<view<int*, LayoutRight, aligned>>(hpk::subview(row, std::pair(1, 4)), false);
}

}  // namespace
}  // namespace view_is_assignable_test
