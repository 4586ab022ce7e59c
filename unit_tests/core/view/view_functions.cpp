// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free functions and concepts for View: rank, view_like, swap, and the types that View(...)
// deduces. The tests of view.hpp cover equality and is_view.
#include <hpk/view/view_functions.hpp>

#include <support/spaces.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace view_functions_test {
namespace {

using hpk::HostSpace;
using hpk::View;

TEST(ViewSwap, exchanges_memory_shape_and_label) {
  using view = View<int**, HostSpace>;
  view a("a", 2, 3);
  view b("b", 4, 1);
  const view held = a;
  a(1, 2) = 7;
  swap(a, b);
  EXPECT_EQ(a.label(), "b");
  EXPECT_EQ(a.extent(0), 4u);
  EXPECT_EQ(b.label(), "a");
  EXPECT_EQ(b(1, 2), 7);
  EXPECT_EQ(b.use_count(), 2) << "the one that holds it, and b";
  EXPECT_EQ(a.use_count(), 1);
  hpk::swap(a, b);
  EXPECT_TRUE(a == held);
  a.swap(b);
  EXPECT_TRUE(b == held);
  using std::swap;
  swap(a, b);
  EXPECT_TRUE(a == held);
  static_assert(noexcept(a.swap(b)) && std::is_nothrow_swappable_v<view>);
}

TEST(ViewSwap, of_itself_and_of_nothing) {
  View<int*, HostSpace> a("a", 2);
  const int* const data = a.data();
  a.swap(a);
  EXPECT_EQ(a.data(), data);
  EXPECT_EQ(a.label(), "a");
  EXPECT_EQ(a.use_count(), 1);
  View<int*, HostSpace> none;
  swap(a, none);
  EXPECT_FALSE(a.is_allocated());
  EXPECT_EQ(a.extent(0), 0u);
  EXPECT_EQ(none.data(), data);
  EXPECT_EQ(none.extent(0), 2u);
}

TEST(ViewSwap, of_wrapped_unmanaged_and_strided_views) {
  int memory[6] = {0, 1, 2, 3, 4, 5};
  View<int*, HostSpace> owned("owned", 3);
  View<int*, HostSpace> wrapped(memory, 6);
  swap(owned, wrapped);
  EXPECT_EQ(owned.use_count(), 0);
  EXPECT_EQ(owned(5), 5);
  EXPECT_EQ(wrapped.use_count(), 1);
  using strided = View<const int*, hpk::LayoutStride, HostSpace, hpk::MemoryUnmanaged>;
  strided odd(memory + 1, hpk::LayoutStride(3, 2));
  strided all(memory, hpk::LayoutStride(6, 1));
  swap(odd, all);
  EXPECT_EQ(all.stride(0), 2u);
  EXPECT_EQ(all(2), 5);
  EXPECT_EQ(odd.extent(0), 6u);
}

// As algorithms swap two buffers between steps.
template <class Exec>
class ViewSwapOfSpace : public testing::Test {};
TYPED_TEST_SUITE(ViewSwapOfSpace, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ViewSwapOfSpace, between_steps) {
  View<int*, TypeParam> now("now", 10);
  View<int*, TypeParam> next("next", 10);
  for (int step = 0; step < 3; ++step) {
    const auto from = now;
    const auto to = next;
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) { to(i) = from(i) + i; });
    swap(now, next);
  }
  hpk::fence();
  EXPECT_EQ(now.label(), "next");
  const auto found = hpk_test::on_host(now);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(i), 3 * i);
}

struct swap_in_kernel {
  View<int*, hpk_test::shared_device<hpk::DefaultExecutionSpace>> a, b;
  HPK_FUNCTION void operator()(int) const {
    auto first = a;
    auto second = b;
    swap(first, second);
    first(0) = 1;
    second(1) = 2;
    auto borrowed = a;
    borrowed.assign_data(b.data());
    borrowed(2) = 3;
  }
};

TEST(ViewSwap, in_a_kernel_touches_no_count) {
  const swap_in_kernel kernel{decltype(kernel.a)("a", 3), decltype(kernel.b)("b", 3)};
  hpk::parallel_for(1, kernel);
  hpk::fence();
  EXPECT_EQ(kernel.b(0), 1);
  EXPECT_EQ(kernel.a(1), 2);
  EXPECT_EQ(kernel.b(2), 3);
  EXPECT_EQ(kernel.a.use_count(), 1);
  EXPECT_EQ(kernel.b.use_count(), 1);
}

TEST(ViewRank, counts_all_dimensions) {
  EXPECT_EQ(rank(View<int, HostSpace>()), 0u);
  EXPECT_EQ(hpk::rank(View<int** [3], HostSpace>()), 3u);
}

template <class Expected, class T>
void expect_type(const T&) {
  static_assert(std::is_same_v<T, Expected>);
}

TEST(ViewDeduced, from_a_pointer_and_extents) {
  int memory[12] = {};
  const int* const constants = memory;
  const View none(memory);
  expect_type<View<int>>(none);
  EXPECT_EQ(none.data(), memory);
  const View matrix(memory + 0, 3, std::size_t{4});
  expect_type<View<int**>>(matrix);
  EXPECT_EQ(matrix.extent(1), 4u);
  EXPECT_EQ(matrix.use_count(), 0);
  expect_type<View<const int*>>(View(constants, 12));
  char text[] = "text";
  expect_type<View<char*>>(View(text, 4));
  expect_type<View<double********>>(View(static_cast<double*>(nullptr), 1, 1, 1, 1, 1, 1, 1, 1));
  expect_type<View<int**>>(View(hpk::view_wrap(memory, "matrix"), 3, 4));
}

TEST(ViewDeduced, from_a_view_and_slices) {
  const View<const double**, hpk::LayoutLeft, HostSpace, hpk::MemoryTraits<hpk::RandomAccess>>
      source;
  const View copy = source;
  expect_type<std::remove_const_t<decltype(source)>>(copy);
  const View<int** [4], hpk::LayoutRight, HostSpace> box("box", 2, 3);
  const View plane(box, 1, hpk::ALL, hpk::ALL);
  expect_type<std::remove_cvref_t<decltype(hpk::subview(box, 1, hpk::ALL, hpk::ALL))>>(plane);
  EXPECT_EQ(plane.data(), &box(1, 0, 0));
  EXPECT_EQ(box.use_count(), 2);
  const View line(box, 1, std::pair(0, 2), 3);
  static_assert(std::is_same_v<decltype(line)::array_layout, hpk::LayoutStride>);
  EXPECT_EQ(&line(1), &box(1, 1, 3));
}

template <class... Args>
concept deduces = requires(const Args&... args) { View(args...); };
// Neither a label nor view_alloc properties determine the element type.
static_assert(!deduces<char[6], int> && !deduces<std::string, int>);
static_assert(!deduces<decltype(hpk::view_alloc("label")), int>);
static_assert(!deduces<std::nullptr_t, int> && !deduces<std::vector<int>>);
static_assert(!deduces<int*, double> && deduces<int*, int>);

// Constraints of overloads and templates.
static_assert(hpk::view_like<View<double**>, double, 2>);
static_assert(hpk::view_like<const View<double* [3], hpk::LayoutLeft, HostSpace>&, double, 2>);
static_assert(hpk::view_like<View<const double**>, const double, 2>);
static_assert(hpk::view_like<View<double**>, const double, 2>);
static_assert(!hpk::view_like<View<const double**>, double, 2>, "const is not dropped");
static_assert(!hpk::view_like<View<double**>, float, 2> &&
              !hpk::view_like<View<double*>, double, 2>);
static_assert(!hpk::view_like<double, double, 0> && !hpk::view_like<double**, double, 2>);

template <class V>
std::string shape_of(const V&) {
  return "another";
}
std::string shape_of(const hpk::view_like<const double, 1> auto& v) {
  return "vector of " + std::to_string(v.extent(0));
}
std::string shape_of(const hpk::view_like<const double, 2> auto& m) {
  return "matrix of " + std::to_string(m.extent(0)) + " rows";
}

TEST(ViewLike, chooses_overloads) {
  EXPECT_EQ(shape_of(View<double*, hpk::LayoutLeft, HostSpace>("v", 7)), "vector of 7");
  EXPECT_EQ(shape_of(View<const double[4], HostSpace>()), "vector of 4");
  EXPECT_EQ(shape_of(View<double* [2], HostSpace, hpk::MemoryUnmanaged>(nullptr, 3)),
            "matrix of 3 rows");
  EXPECT_EQ(shape_of(View<int*, HostSpace>()), "another");
  EXPECT_EQ(shape_of(View<double***, HostSpace>()), "another");
}

}  // namespace
}  // namespace view_functions_test
