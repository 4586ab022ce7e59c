// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies by blocks and by single elements have the same result. Also the choice of the space that
// copies.
#include <hpk/view/copy_kernels.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace view_copy_kernels_test {
namespace {

using hpk::HostSpace;
using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;

template <class Device>
class CopyKernels : public testing::Test {};
TYPED_TEST_SUITE(CopyKernels, hpk_test::devices, hpk_test::device_names);

// Copying by blocks, as on a host, and by elements, as on a device, gives the same result.
HPK_TYPED_TEST(CopyKernels, blocks_and_elements_are_the_same_work) {
  using exec = typename TypeParam::execution_space;
  using device = hpk_test::shared_device<exec>;
  using memory = typename device::memory_space;
  const View<int***, LayoutRight, device> from("from", 4, 5, 6);
  const View<double***, LayoutLeft, device> by_blocks("by blocks", 4, 5, 6);
  const View<double***, LayoutLeft, device> by_element("by element", 4, 5, 6);
  hpk_test::number_elements(from, 1);
  const index_t extents[] = {4, 5, 6};
  using offsets = hpk::detail::strided_offsets;
  using copy = hpk::detail::element_copy<double, memory, int, memory, offsets>;
  using fill = hpk::detail::element_fill<double, memory, double, offsets>;
  using hpk::detail::make_layout;
  using hpk::detail::operand_of;
  const auto source = operand_of(from);
  const hpk::detail::typed_copy<double, int> blocks{
      by_blocks.data(), from.data(), make_layout(operand_of(by_blocks), source, extents)};
  blocks.run(0, blocks.units());
  const copy elements{
      by_element.data(), from.data(), {make_layout(operand_of(by_element), source, extents)}};
  hpk_test::in_kernel_of<exec>(HPK_LAMBDA() {
    for (index_t k = 0; k < 120; ++k) elements(k);
  });
  EXPECT_EQ(hpk_test::count_differences(by_blocks, from), 0u);
  EXPECT_EQ(hpk_test::count_differences(by_element, from), 0u);
  const double value = 2.5;
  auto target = operand_of(by_blocks);
  hpk::detail::measure(target);
  const auto one = hpk::detail::repeat_element(&value, sizeof value);
  const hpk::detail::typed_copy<double, double> set{by_blocks.data(), &value,
                                                    make_layout(target, one, extents)};
  set.run(0, set.units());
  const fill set_each{by_element.data(), value, {make_layout(target, one, extents)}};
  hpk_test::in_kernel_of<exec>(HPK_LAMBDA() {
    for (index_t k = 0; k < 120; ++k) set_each(k);
  });
  EXPECT_EQ(hpk_test::count_differences(by_blocks, by_element), 0u);
  EXPECT_EQ(hpk_test::value_at(by_blocks, 3, 4, 5), 2.5);
}

/// An element of three words.
struct triple {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
  triple() = default;
  HPK_FUNCTION triple(int value) : a(value), b(-value), c(2 * value) {}
  HPK_FUNCTION triple& operator++() { return *this = triple(static_cast<int>(a) + 1); }
  HPK_FUNCTION triple operator++(int) {
    const triple before = *this;
    ++*this;
    return before;
  }
  HPK_FUNCTION friend bool operator==(const triple& x, const triple& y) {
    return x.a == y.a && x.b == y.b && x.c == y.c;
  }
};

// Whole tiles and partial tiles in either direction, for elements of all sizes.
template <class Device, class To, class From>
void transpose_shapes() {
  for (const auto& [n, m] : {std::pair{1, 1},
                             {2, 3},
                             {8, 8},
                             {9, 7},
                             {3, 700},
                             {700, 3},
                             {64, 129},
                             {131, 34},
                             {128, 32}}) {
    const View<From**, LayoutLeft, Device> from("from", n, m);
    const View<To**, LayoutRight, Device> to("to", n, m);
    hpk_test::number_elements(from, From(1));
    hpk::deep_copy(to, from);
    const View<To**, LayoutLeft, Device> back("back", n, m);
    hpk::deep_copy(back, to);
    EXPECT_EQ(hpk_test::count_differences(to, from), 0u) << n << " x " << m;
    EXPECT_EQ(hpk_test::count_differences(back, from), 0u) << n << " x " << m;
  }
}
HPK_TYPED_TEST(CopyKernels, transposes_elements_of_any_size) {
  transpose_shapes<TypeParam, char, char>();
  transpose_shapes<TypeParam, short, short>();
  transpose_shapes<TypeParam, float, float>();
  transpose_shapes<TypeParam, double, double>();
  transpose_shapes<TypeParam, triple, triple>();
  transpose_shapes<TypeParam, double, int>();
  transpose_shapes<TypeParam, int, short>();
}

// Permuted dimensions with gaps, in parts, where the dense dimension of neither side is the last.
HPK_TYPED_TEST(CopyKernels, transposes_any_two_dimensions) {
  const View<int***, LayoutStride, TypeParam> from("from", LayoutStride(6, 40, 40, 1, 35, 250));
  const View<int***, LayoutStride, TypeParam> to("to", LayoutStride(6, 41 * 36, 40, 36, 35, 1));
  hpk_test::number_elements(from, 1);
  hpk::deep_copy(to, from);
  EXPECT_EQ(hpk_test::count_differences(to, from), 0u);
  const View<int***, LayoutStride, TypeParam> wide("wide", LayoutStride(6, 2, 40, 36, 35, 2880));
  hpk::deep_copy(wide, to);
  EXPECT_EQ(hpk_test::count_differences(wide, from), 0u);
}

template <class Element, class Exec, class ToMem, class FromMem>
using assigning =
    typename decltype(hpk::detail::space_that_assigns<Element, Exec, ToMem, FromMem>())::type;
template <class Exec, class ToMem, class FromMem>
using moving = typename decltype(hpk::detail::space_that_moves<Exec, ToMem, FromMem>())::type;

// The space of the call copies if it can access both sides, otherwise the host, otherwise the space
// of the memory.
HPK_TYPED_TEST(CopyKernels, is_done_by_a_space_that_can) {
  using exec = typename TypeParam::execution_space;
  using memory = typename TypeParam::memory_space;
  using host = hpk::DefaultHostExecutionSpace;
  constexpr bool shared = hpk::seam::host_may_access<memory>;
  constexpr bool away = !hpk_test::is_host<exec>;
  static_assert(std::is_same_v<assigning<int, exec, memory, memory>, exec>);
  static_assert(
      std::is_same_v<assigning<int, host, memory, memory>, std::conditional_t<shared, host, exec>>);
  static_assert(std::is_same_v<assigning<int, exec, HostSpace, HostSpace>, host>);
  static_assert(std::is_same_v<assigning<int, exec, memory, HostSpace>,
                               std::conditional_t<shared, host, void>>);
  static_assert(std::is_same_v<assigning<int, exec, HostSpace, memory>,
                               assigning<int, host, memory, HostSpace>>);
  // Host code must take shared ownership.
  static_assert(std::is_same_v<assigning<std::string, exec, memory, memory>,
                               std::conditional_t<shared, host, exec>>);
  static_assert(std::is_same_v<moving<exec, memory, HostSpace>, exec>);
  static_assert(std::is_same_v<moving<exec, memory, memory>, exec>);
  static_assert(
      std::is_same_v<moving<host, memory, HostSpace>, std::conditional_t<shared, host, exec>>);
  static_assert(
      std::is_same_v<moving<host, HostSpace, memory>, std::conditional_t<shared, host, exec>>);
  // A kernel that the caller does not wait for must hold a copy of the value.
  static_assert(std::is_same_v<hpk::detail::held_value<exec, int>,
                               std::conditional_t<away, int, const int&>>);
}

HPK_TYPED_TEST(CopyKernels, by_another_space_is_done_when_the_call_returns) {
  using exec_type = typename TypeParam::execution_space;
  using other =
      std::conditional_t<hpk_test::is_host<exec_type>, exec_type, hpk::DefaultHostExecutionSpace>;
  const auto exec = hpk_test::new_instance<exec_type>();
  const View<int*, hpk_test::shared_device<exec_type>> view("view", 10'000);
  hpk::parallel_for(
      hpk::RangePolicy<exec_type>(exec, 0, 10'000), HPK_LAMBDA(int i) { view(i) = i; });
  int found = 0;
  hpk::detail::on_space<other>(exec, [&](const auto& working) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(working)>, other>);
    for (int i = 0; i < 10'000; ++i) found += view(i) == i ? 1 : 0;
  });
  EXPECT_EQ(found, 10'000);
  const auto negate = HPK_LAMBDA(int i) { view(i) = -i; };
  hpk::detail::on_space<exec_type>(hpk::DefaultHostExecutionSpace(), [&](const auto& working) {
    hpk::parallel_for(hpk::RangePolicy<exec_type>(working, 0, 10'000), negate);
  });
  EXPECT_EQ(view(9'999), -9'999);
}

}  // namespace
}  // namespace view_copy_kernels_test
