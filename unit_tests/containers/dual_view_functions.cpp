// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dual_view_functions.hpp>

#include <support/spaces.hpp>
#include <support/strict_dual_views.hpp>

#include <utility>

namespace dual_view_functions_test {
namespace {

using hpk::DualView;
using hpk_test::expect_error;

template <class D>
void number(const D& d, int base) {
  for (int i = 0; i != d.extent_int(0); ++i) d.view_host()(i) = base + i;
  d.modify_host();
}

template <class Exec>
class DualFunctions : public testing::Test {
 public:
  // Runs a check with one memory and with two.
  template <class Check>
  static void in_both_modes(const Check& check) {
    check();
    const hpk_test::strict_dual_views two;
    check();
  }
};
TYPED_TEST_SUITE(DualFunctions, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
class DualFunctionsOnHost : public DualFunctions<Exec> {};
TYPED_TEST_SUITE(DualFunctionsOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(DualFunctions, resize_keeps_the_side_that_was_modified_last) {
  this->in_both_modes([] {
    DualView<int*, TypeParam> d("d", 10);
    number(d, 5);
    const auto old = d;
    d.resize(20);
    EXPECT_EQ(d.label(), "d");
    EXPECT_TRUE(d.need_sync_device());
    EXPECT_EQ(d.view_host()(9), 14);
    EXPECT_EQ(d.view_host()(19), 0);
    EXPECT_EQ(d.view_device().extent(0), 20u);
    // The old copy keeps its elements and state.
    EXPECT_EQ(old.extent(0), 10u);
    d.sync_device();
    EXPECT_TRUE(old.need_sync_device());
    old.sync_device();
    hpk::resize(d, 5);
    // Equal extents change nothing.
    const auto* const data = d.view_device().data();
    d.resize(5);
    EXPECT_FALSE(d.need_sync_host());
    EXPECT_EQ(d.view_device().data(), data);
    hpk::resize(hpk::WithoutInitializing, d, 7);
    d.sync_host();
    EXPECT_EQ(d.view_host()(4), 9);
    // With an instance, the side that the instance can access is resized.
    number(d, 30);
    const TypeParam exec;
    hpk::resize(exec, d, 8);
    d.sync_host();
    EXPECT_EQ(d.view_host()(6), 36);
    hpk::resize(hpk::view_alloc(exec, hpk::WithoutInitializing), d, 3);
    exec.fence();
    d.sync_host();
    EXPECT_EQ(d.view_host()(2), 32);
    DualView<int*, TypeParam> none;
    none.resize(4);
    none.sync_host();
    EXPECT_EQ(none.view_host()(3), 0);
    DualView<int**, hpk::LayoutRight, TypeParam> two("two", 2, 3);
    hpk::resize(two, hpk::LayoutRight(4, 3));
    two.resize(hpk::LayoutRight(4, 3));
    EXPECT_EQ(two.extent(0), 4u);
    two.resize(4, 5);
    EXPECT_EQ(two.view_host().extent(1), 5u);
  });
}

// Both sides have the same elements then, so either may be modified next.
HPK_TYPED_TEST(DualFunctions, resize_of_one_in_sync_stays_in_sync) {
  this->in_both_modes([] {
    for (const int old_size : {0, 10}) {
      DualView<int*, TypeParam> d("d", old_size);
      number(d, 5);
      d.sync_device();
      int size = 20;
      const auto expect_same = [&] {
        EXPECT_FALSE(d.need_sync_host());
        EXPECT_FALSE(d.need_sync_device());
        EXPECT_EQ(d.extent_int(0), size);
        const auto device = hpk_test::on_host(d.view_device());
        for (int i = 0; i != size; ++i) {
          EXPECT_EQ(d.view_host()(i), i < old_size ? 5 + i : 0);
          EXPECT_EQ(device(i), d.view_host()(i));
        }
      };
      d.resize(size);
      expect_same();
      hpk::resize(d, size = 30);
      expect_same();
      d.modify_host();
      d.sync_device();
      d.resize(size = 40);
      d.modify_device();
      d.sync_host();
      d.resize(TypeParam(), size = 50);
      d.sync_host();
      expect_same();
    }
  });
}

HPK_TYPED_TEST(DualFunctions, a_host_instance_resizes_what_it_reaches) {
  DualView<int*, TypeParam> d("d", 4);
  number(d, 1);
  const hpk::DefaultHostExecutionSpace exec;
  d.resize(exec, 6);
  exec.fence();
  d.sync_device();
  d.sync_host();
  EXPECT_EQ(d.view_host()(3), 4);
  EXPECT_EQ(d.view_host()(5), 0);
}

HPK_TYPED_TEST(DualFunctions, realloc_drops_elements_and_notes) {
  this->in_both_modes([] {
    DualView<int*, TypeParam> d("d", 10);
    number(d, 5);
    hpk::realloc(d, 10);
    EXPECT_FALSE(d.need_sync_device());
    EXPECT_EQ(d.view_host()(9), 0);
    number(d, 5);
    d.realloc(hpk::WithoutInitializing, 10);
    EXPECT_FALSE(d.need_sync_device());
    EXPECT_EQ(d.view_host()(9), 14);
    number(d, 5);
    const TypeParam exec;
    hpk::realloc(exec, d, 3);
    exec.fence();
    EXPECT_FALSE(d.need_sync_device());
    EXPECT_EQ(d.extent(0), 3u);
    EXPECT_EQ(d.view_host()(2), 0);
    EXPECT_EQ(d.label(), "d");
    d.realloc(hpk::view_alloc(exec), 3);
    d.realloc(hpk::view_alloc(hpk::WithoutInitializing), 4);
    d.modify_device();
    d.sync_host();
  });
}

TYPED_TEST(DualFunctionsOnHost, realloc_drops_elements_that_are_views) {
  this->in_both_modes([] {
    using inner = hpk::View<int*, TypeParam>;
    const inner shared("inner", 2);
    DualView<inner*, TypeParam> d(hpk::view_alloc("d", hpk::SequentialHostInit), 3);
    for (const int n : {3, 4, 4}) {
      d.view_host()(1) = shared;
      d.modify_host();
      d.sync_device();
      d.realloc(hpk::view_alloc(hpk::SequentialHostInit), n);
      EXPECT_EQ(d.extent_int(0), n);
      EXPECT_FALSE(d.view_host()(1).is_allocated());
      EXPECT_EQ(shared.use_count(), 1);
    }
  });
}

HPK_TYPED_TEST(DualFunctions, deep_copy_takes_the_side_that_is_newer) {
  this->in_both_modes([] {
    using dual = DualView<int*, TypeParam>;
    const dual a("a", 10);
    const dual b("b", 10);
    number(a, 5);
    hpk::deep_copy(b, a);
    EXPECT_TRUE(b.need_sync_device());
    EXPECT_EQ(b.view_host()(9), 14);
    a.sync_device();
    // The destination has changes on the other side, which are all overwritten.
    hpk::deep_copy(b, a);
    EXPECT_TRUE(b.need_sync_host());
    EXPECT_FALSE(a.need_sync_host());
    b.sync_host();
    EXPECT_EQ(b.view_host()(0), 5);
    const TypeParam exec;
    hpk::deep_copy(b, dual("zeros", 10));
    hpk::deep_copy(exec, b, a);
    exec.fence();
    b.sync_host();
    EXPECT_EQ(b.view_host()(9), 14);
    // Only a part.
    const auto part = hpk::subview(b, std::pair<int, int>(0, 3));
    hpk::deep_copy(part, hpk::subview(dual("zeros", 3), std::pair<int, int>(0, 3)));
    b.sync_host();
    EXPECT_EQ(b.view_host()(2), 0);
    EXPECT_EQ(b.view_host()(3), 8);
    expect_error([&] { hpk::deep_copy(b, dual("short", 9)); },
                 {"extents differ", "\"short\"", "dual_view_functions.cpp"});
  });
}

HPK_TYPED_TEST(DualFunctions, mirrors_are_host_views) {
  const hpk::DualView<int*, TypeParam> dual("dual", 5);
  const auto mirror = hpk::create_mirror_view(dual);
  EXPECT_EQ(mirror.data(), dual.view_host().data());
  const auto own = hpk::create_mirror(dual);
  EXPECT_NE(own.data(), dual.view_host().data());
  EXPECT_EQ(own.extent(0), 5u);
  own(4) = 3;
  EXPECT_FALSE(dual.need_sync_device());
}

}  // namespace
}  // namespace dual_view_functions_test
