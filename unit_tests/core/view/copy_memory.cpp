// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy between host memory and every other memory: there and back in all ranks, element orders
// that need buffers, instances that can access neither side, and Views that are destroyed while
// work is queued.
#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <string>
#include <vector>

namespace view_copy_memory_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;
using hpk_test::contains;
using hpk_test::count_differences;
using hpk_test::error_of;
using hpk_test::make_in;
using hpk_test::number_elements;
using hpk_test::stars;
using hpk_test::tuple8;
using hpk_test::value_at;

template <class Device>
class DeepCopyMemory : public testing::Test {};
TYPED_TEST_SUITE(DeepCopyMemory, hpk_test::devices, hpk_test::device_names);

template <class Device, class Layout, int Rank>
void check_host_and_back() {
  const tuple8 extents = {4, 3, 2, 3, 1, 2, 3, 2};
  const auto host = hpk_test::make_view<View<stars<int, Rank>, Layout, HostSpace>>("host", extents);
  number_elements(host, 1);
  using view = View<stars<int, Rank>, Layout, Device>;
  const auto device = hpk_test::make_view<view>("device", extents);
  const auto back = hpk_test::make_view<View<stars<int, Rank>, Layout, HostSpace>>("back", extents);
  hpk::deep_copy(device, host);
  hpk::deep_copy(back, typename view::const_type(device));
  EXPECT_EQ(count_differences(back, host), 0u) << "rank " << Rank;
  // With an instance, deep_copy does not wait, and runs in order after earlier work of the
  // instance.
  const auto exec = hpk_test::new_instance<typename Device::execution_space>();
  hpk::deep_copy(exec, device, 0);
  hpk::deep_copy(exec, device, host);
  hpk::deep_copy(back, -1);
  hpk::deep_copy(exec, back, device);
  exec.fence();
  EXPECT_EQ(count_differences(back, host), 0u) << "rank " << Rank << " on an instance";
}

HPK_TYPED_TEST(DeepCopyMemory, from_the_host_and_back_in_every_rank) {
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_host_and_back<TypeParam, LayoutLeft, Ranks>(), ...);
  }(std::make_integer_sequence<int, 9>());
  check_host_and_back<TypeParam, LayoutRight, 3>();
}

HPK_TYPED_TEST(DeepCopyMemory, sets_all_elements_of_dense_and_strided_views) {
  const View<short**, TypeParam> dense("dense", 300, 7);
  const View<short**, LayoutStride, TypeParam> gaps(dense.data(), LayoutStride(40, 2, 3, 100));
  for (const int value : {0, 1, -5}) {
    hpk::deep_copy(dense, 77);
    hpk::deep_copy(gaps, value);
    EXPECT_EQ(value_at(gaps, 0, 0), value);
    EXPECT_EQ(value_at(gaps, 39, 2), value);
    const auto found = hpk_test::on_host(View<short*, TypeParam>(dense.data(), 2100));
    int set = 0;
    for (int i = 0; i < 2100; ++i) set += found(i) == value ? 1 : found(i) == 77 ? 0 : 10'000;
    EXPECT_EQ(set, 120);
  }
}

HPK_TYPED_TEST(DeepCopyMemory, of_rank_0_moves_scalars) {
  const View<double, TypeParam> value("value");
  hpk::deep_copy(value, 2.5);
  double out = 0;
  hpk::deep_copy(out, value);
  EXPECT_EQ(out, 2.5);
  int rounded = 0;
  hpk::deep_copy(rounded, View<const double, TypeParam>(value));
  EXPECT_EQ(rounded, 2);
  out = 0;
  EXPECT_TRUE(
      contains(error_of([&] { hpk::deep_copy(out, View<double, TypeParam>()); }), "not allocated"));
}

// Elements in the same order are copied as bytes. Otherwise a kernel that can access both sides
// copies them, or, without one, buffers are used.
HPK_TYPED_TEST(DeepCopyMemory, to_the_host_and_back_in_any_order_and_type) {
  const View<int**, LayoutRight, TypeParam> there("there", 6, 5);
  const View<int**, LayoutRight, HostSpace> expected("expected", 6, 5);
  number_elements(expected, 1);
  const auto goes_round = [&](const auto& here) {
    hpk::deep_copy(there, 0);
    hpk::deep_copy(here, expected);
    hpk::deep_copy(there, here);
    hpk::deep_copy(here, 0);
    hpk::deep_copy(here, there);
    EXPECT_EQ(count_differences(here, expected), 0u);
    const typename TypeParam::execution_space exec;
    hpk::deep_copy(exec, there, 0);
    hpk::deep_copy(exec, there, here);
    exec.fence();
    EXPECT_EQ(count_differences(hpk_test::on_host(there), expected), 0u);
  };
  goes_round(View<int**, LayoutRight, HostSpace>("same", 6, 5));
  goes_round(View<int**, LayoutLeft, HostSpace>("turned", 6, 5));
  goes_round(View<int**, LayoutStride, HostSpace>("gaps", LayoutStride(6, 10, 5, 2)));
  goes_round(View<int* [5], LayoutLeft, HostSpace>("fixed", 6));
  goes_round(View<double**, LayoutRight, HostSpace>("doubles", 6, 5));
  goes_round(View<short**, LayoutLeft, HostSpace>("shorts", 6, 5));
  LayoutRight padded(6, 5);
  padded.stride = 8;
  goes_round(View<int**, LayoutRight, HostSpace>("padded", padded));
  const View<int***, LayoutLeft, HostSpace> cube("cube", 6, 3, 5);
  goes_round(hpk::subview(cube, hpk::ALL, 1, hpk::ALL));
}

HPK_TYPED_TEST(DeepCopyMemory, of_device_parts_leaves_what_is_between_them) {
  const View<int**, LayoutRight, TypeParam> grid("grid", 8, 9);
  const auto inner = hpk::subview(grid, std::pair(2, 6), std::pair(3, 8));
  const View<int**, LayoutLeft, HostSpace> numbers("numbers", 4, 5);
  number_elements(numbers, 100);
  hpk::deep_copy(grid, -1);
  hpk::deep_copy(inner, numbers);
  const auto seen = hpk_test::on_host(grid);
  int wrong = 0;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 9; ++j) {
      const bool inside = i >= 2 && i < 6 && j >= 3 && j < 8;
      wrong += seen(i, j) != (inside ? numbers(i - 2, j - 3) : -1);
    }
  }
  EXPECT_EQ(wrong, 0);
  hpk::deep_copy(numbers, 0);
  hpk::deep_copy(numbers, inner);
  EXPECT_EQ(count_differences(numbers, hpk::subview(seen, std::pair(2, 6), std::pair(3, 8))), 0u);
}

HPK_TYPED_TEST(DeepCopyMemory, direct_takes_no_buffer) {
  const View<int**, LayoutRight, TypeParam> there("there", 6, 5);
  number_elements(there, 1);
  const View<int**, LayoutRight, HostSpace> same("same", 6, 5);
  hpk::deep_copy_direct(same, there);
  hpk::deep_copy_direct(typename TypeParam::execution_space(), there, same);
  hpk::fence();
  EXPECT_EQ(count_differences(same, hpk_test::on_host(there)), 0u);
  const View<int**, LayoutLeft, HostSpace> turned("turned", 6, 5);
  const View<int**, LayoutStride, HostSpace> gaps("gaps", LayoutStride(6, 10, 5, 2));
  if constexpr (hpk::seam::host_may_access<typename TypeParam::memory_space>) {
    hpk::deep_copy_direct(turned, there);
    EXPECT_EQ(count_differences(turned, there), 0u);
  } else {
    const std::string order = error_of([&] { hpk::deep_copy_direct(turned, there); });
    for (const char* piece :
         {"\"there\"", "\"turned\"", "[6, 5]", "another order",
          "copy to a mirror of the same layout first, or write deep_copy", "copy_memory.cpp:"})
      EXPECT_TRUE(contains(order, piece));
    EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy_direct(there, turned); }), "another order"));
    for (const std::string& text : {error_of([&] { hpk::deep_copy_direct(gaps, there); }),
                                    error_of([&] { hpk::deep_copy_direct(there, gaps); })}) {
      EXPECT_TRUE(contains(text, "with gaps"));
      EXPECT_TRUE(contains(text, "copy to a mirror of the same layout first"));
    }
    EXPECT_EQ(turned(5, 4), 0);
    // The layouts may differ if the order of the elements is the same.
    const View<int**, LayoutLeft, HostSpace> column("column", 5, 1);
    hpk::deep_copy_direct(column, View<int**, LayoutRight, TypeParam>(there.data(), 5, 1));
    EXPECT_EQ(column(4, 0), 5);
  }
}

HPK_TYPED_TEST(DeepCopyMemory, by_an_instance_that_reaches_neither_goes_to_one_that_does) {
  const View<int**, LayoutRight, TypeParam> a("a", 30, 50);
  const View<int**, LayoutLeft, TypeParam> b("b", 30, 50);
  const View<long**, LayoutRight, HostSpace> host_a("host a", 30, 50);
  const View<int**, LayoutLeft, HostSpace> host_b("host b", 30, 50);
  number_elements(a, 1);
  number_elements(host_b, 1);
  const hpk::DefaultHostExecutionSpace host;
  hpk::deep_copy(host, b, a);
  EXPECT_EQ(count_differences(b, a), 0u);
  hpk::deep_copy(host, b, 5);
  EXPECT_EQ(value_at(b, 29, 49), 5);
  const typename TypeParam::execution_space exec;
  hpk::deep_copy(exec, host_a, host_b);
  EXPECT_EQ(count_differences(host_a, host_b), 0u);
  hpk::deep_copy(exec, host_a, 6);
  EXPECT_EQ(host_a(29, 49), 6);
}

// An element with a user-provided assignment.
struct weighed {
  HPK_FUNCTION weighed(double v = 0) noexcept : value(v) {}
  weighed(const weighed&) = default;
  HPK_FUNCTION weighed& operator=(const weighed& other) noexcept {
    value = other.value;
    ++assignments;
    return *this;
  }
  double value;
  int assignments = 0;
};

HPK_TYPED_TEST(DeepCopyMemory, of_class_types_assigns_each_element_once) {
  using exec = typename TypeParam::execution_space;
  const View<weighed**, LayoutRight, TypeParam> from("from", 30, 40);
  const View<weighed**, LayoutLeft, TypeParam> to("to", 30, 40);
  const View<weighed**, LayoutStride, TypeParam> gaps("gaps", LayoutStride(30, 90, 40, 2));
  hpk::parallel_for(
      hpk::RangePolicy<exec>(0, 1200), HPK_LAMBDA(int k) { from(k / 40, k % 40).value = k; });
  hpk::deep_copy(to, from);
  hpk::deep_copy(gaps, to);
  hpk::deep_copy(from, weighed(-1));
  const View<int, exec> wrong("wrong");
  hpk::parallel_for(
      hpk::RangePolicy<exec>(0, 1200), HPK_LAMBDA(int k) {
        const weighed& copy = gaps(k / 40, k % 40);
        const weighed& filled = from(k / 40, k % 40);
        if (copy.value != k || copy.assignments != 1 || filled.value != -1 ||
            filled.assignments != 1)
          hpk::atomic_add(&wrong(), 1);
      });
  EXPECT_EQ(value_at(wrong), 0);
}

// A copy on an instance keeps its Views alive until it is done.
HPK_TYPED_TEST(DeepCopyMemory, on_an_instance_keeps_the_views_until_it_is_done) {
  using exec_type = typename TypeParam::execution_space;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<int**, TypeParam> result("result", 300, 400);
  for (int round = 1; round < 5; ++round) {
    {
      const View<int**, TypeParam> first(hpk::view_alloc(exec, "first"), 300, 400);
      hpk::parallel_for(
          hpk::RangePolicy<exec_type>(exec, 0, 300), HPK_LAMBDA(int i) {
            for (int j = 0; j < 400; ++j) first(i, j) += round * i + j;
          });
      const View<int**, TypeParam> second(hpk::view_alloc(exec, "second", hpk::WithoutInitializing),
                                          300, 400);
      hpk::deep_copy(exec, second, first);
      const View<double**, LayoutStride, TypeParam> third(
          hpk::view_alloc(exec, "third", hpk::WithoutInitializing),
          LayoutStride(300, 1000, 400, 2));
      hpk::deep_copy(exec, third, second);
      hpk::deep_copy(exec, result, third);
      const View<int*, TypeParam> never_used(hpk::view_alloc(exec, "never used"), 100'000);
      const View<float*, TypeParam> only_filled(
          hpk::view_alloc(exec, "only filled", hpk::WithoutInitializing), 100'000);
      hpk::deep_copy(exec, only_filled, 1.5f);
    }
    exec.fence();
    const auto found = hpk_test::on_host(result);
    std::size_t wrong = 0;
    for (int i = 0; i < 300; ++i) {
      for (int j = 0; j < 400; ++j) wrong += found(i, j) == round * i + j ? 0 : 1;
    }
    ASSERT_EQ(wrong, 0u);
  }
}

}  // namespace
}  // namespace view_copy_memory_test
