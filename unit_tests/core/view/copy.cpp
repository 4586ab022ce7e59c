// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy: every pair of layouts and ranks, type conversions, gaps that stay unchanged, values
// that resemble zero, sizes on both sides of the threshold for parallel copies, and refused copies.
#include <hpk/view/copy.hpp>

#include <hpk/core.hpp>

#include <support/counting_space.hpp>
#include <support/elements.hpp>

#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

namespace view_copy_test {
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
using hpk_test::shared_device;
using hpk_test::stars;
using hpk_test::tuple8;
using hpk_test::value_at;

template <class Exec>
class DeepCopy : public testing::Test {};
TYPED_TEST_SUITE(DeepCopy, hpk_test::spaces, hpk_test::space_names);

// Tests with elements that own host memory, or with kernels that throw.
template <class Exec>
class DeepCopyOnHost : public testing::Test {};
TYPED_TEST_SUITE(DeepCopyOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec, int Rank, class To, class From, class Element = int>
void check_pair() {
  const tuple8 extents = {4, 3, 2, 3, 1, 2, 3, 2};
  const auto from = make_in<int, Rank, From, Exec>(extents);
  number_elements(from, 1);
  const auto to = make_in<Element, Rank, To, Exec>(extents);
  hpk::deep_copy(to, from);
  EXPECT_EQ(count_differences(to, from), 0u) << "rank " << Rank;
}

HPK_TYPED_TEST(DeepCopy, between_all_layouts) {
  check_pair<TypeParam, 3, LayoutRight, LayoutRight>();
  check_pair<TypeParam, 3, LayoutRight, LayoutLeft>();
  check_pair<TypeParam, 3, LayoutRight, LayoutStride>();
  check_pair<TypeParam, 3, LayoutLeft, LayoutRight>();
  check_pair<TypeParam, 3, LayoutLeft, LayoutLeft>();
  check_pair<TypeParam, 3, LayoutLeft, LayoutStride>();
  check_pair<TypeParam, 3, LayoutStride, LayoutRight>();
  check_pair<TypeParam, 3, LayoutStride, LayoutLeft>();
  check_pair<TypeParam, 3, LayoutStride, LayoutStride>();
  check_pair<TypeParam, 2, LayoutLeft, LayoutRight, double>();
  check_pair<TypeParam, 2, LayoutStride, LayoutLeft, double>();
}

template <class Exec>
class DeepCopyRanks : public testing::Test {};
// One host space is enough here, because the space does not affect the order of elements.
using rank_spaces = hpk_test::one_host_space_and_devices;
TYPED_TEST_SUITE(DeepCopyRanks, rank_spaces, hpk_test::space_names);

HPK_TYPED_TEST(DeepCopyRanks, every_rank) {
  using exec = TypeParam;
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_pair<exec, Ranks + 1, LayoutLeft, LayoutStride>(), ...);
    (check_pair<exec, Ranks + 1, LayoutStride, LayoutRight>(), ...);
  }(std::make_integer_sequence<int, 8>());
}

// All workers share the fill and the copy of 3 x 40'000 doubles.
HPK_TYPED_TEST(DeepCopy, of_large_views_on_every_number_of_workers) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const tuple8 extents = {3, 40'001};
    const auto from = make_in<double, 2, LayoutRight, TypeParam>(extents);
    number_elements(from, 1);
    const auto same = make_in<double, 2, LayoutRight, TypeParam>(extents);
    hpk::deep_copy(exec, same, from);
    exec.fence();
    EXPECT_EQ(count_differences(same, from), 0u);
    const auto turned = make_in<double, 2, LayoutLeft, TypeParam>(extents);
    hpk::deep_copy(exec, turned, from);
    exec.fence();
    EXPECT_EQ(count_differences(turned, from), 0u);
    const auto gaps = make_in<float, 2, LayoutStride, TypeParam>(extents);
    hpk::deep_copy(exec, gaps, turned);
    exec.fence();
    EXPECT_EQ(count_differences(gaps, from), 0u);
  }
}

template <class T, class Exec>
void check_fill(const Exec& exec, std::size_t n, const T& value) {
  // One more element on each side must stay unchanged.
  const View<T*, Exec> whole("whole", n + 2);
  hpk::deep_copy(whole, T(9));
  hpk::deep_copy(exec, View<T*, Exec>(whole.data() + 1, n), value);
  exec.fence();
  const auto found = hpk_test::on_host(whole);
  std::size_t wrong = 0;
  for (std::size_t i = 1; i <= n; ++i) wrong += found(i) == value ? 0 : 1;
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(found(0), T(9));
  EXPECT_EQ(found(n + 1), T(9));
}

HPK_TYPED_TEST(DeepCopy, fills_exactly_its_elements) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::size_t n : {1ul, 7ul, 1000ul, 16'384ul, 30'000ul}) {
      check_fill(exec, n, 0.0);
      check_fill(exec, n, 1.5);
    }
    for (const std::size_t n : {131'071ul, 131'072ul, 131'073ul, 300'001ul}) {
      check_fill(exec, n, char{0});
      check_fill(exec, n, char{'x'});
    }
    check_fill(exec, 20'000, std::complex<double>(1, -1));
  }
}

HPK_TYPED_TEST(DeepCopy, keeps_the_sign_of_zero) {
  const View<double*, TypeParam> dense("dense", 100);
  hpk::deep_copy(dense, -0.0);
  const View<double**, LayoutStride, TypeParam> gaps("gaps", LayoutStride(5, 10, 4, 2));
  hpk::deep_copy(gaps, -0.0);
  const auto negative = hpk_test::on_host(dense);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(std::signbit(negative(i)));
  EXPECT_TRUE(std::signbit(value_at(gaps, 4, 3)));
  hpk::deep_copy(dense, 0.0);
  const auto positive = hpk_test::on_host(dense);
  for (int i = 0; i < 100; ++i) ASSERT_FALSE(std::signbit(positive(i)));
}

HPK_TYPED_TEST(DeepCopy, leaves_gaps_alone) {
  const View<int*, TypeParam> memory("memory", 60);
  hpk::deep_copy(memory, 7);
  const View<int**, LayoutStride, TypeParam> gaps(memory.data(), LayoutStride(5, 10, 4, 2));
  hpk::deep_copy(gaps, 1);
  const View<int**, TypeParam> from("from", 5, 4);
  hpk::deep_copy(from, 2);
  const auto count = [](const auto& elements, int wanted) {
    int found = 0;
    for (int i = 0; i < 60; ++i) found += elements(i) == wanted ? 1 : elements(i) == 7 ? 0 : 1000;
    return found;
  };
  EXPECT_EQ(count(hpk_test::on_host(memory), 1), 20);
  hpk::deep_copy(gaps, from);
  EXPECT_EQ(count(hpk_test::on_host(memory), 2), 20);
}

HPK_TYPED_TEST(DeepCopy, converts_elements_and_scalars) {
  const View<float*, TypeParam> from("from", 3);
  number_elements(from, 0.75f);
  const View<int*, TypeParam> cut("cut", 3);
  hpk::deep_copy(cut, from);
  EXPECT_EQ(value_at(cut, 2), 2);
  hpk::deep_copy(cut, 3.99);
  EXPECT_EQ(value_at(cut, 0), 3);
  const View<std::complex<double>*, TypeParam> complex("complex", 2);
  hpk::deep_copy(complex, 2.0);
  EXPECT_EQ(value_at(complex, 1), std::complex<double>(2, 0));
}

HPK_TYPED_TEST(DeepCopyOnHost, converts_to_strings) {
  const View<std::string*, TypeParam> text("text", 3);
  hpk::deep_copy(text, "many");
  const View<std::string*, TypeParam> copied("copied", 3);
  hpk::deep_copy(copied, text);
  text(2) = "one";
  EXPECT_EQ(copied(2), "many");
}

HPK_TYPED_TEST(DeepCopy, of_rank_0_moves_scalars) {
  const View<double, TypeParam> value("value");
  hpk::deep_copy(value, 2.5);
  double out = 0;
  hpk::deep_copy(out, value);
  EXPECT_EQ(out, 2.5);
  const View<double, TypeParam> other("other");
  hpk::deep_copy(other, value);
  EXPECT_EQ(value_at(other), 2.5);
  const View<const double, TypeParam> reading = other;
  int rounded = 0;
  hpk::deep_copy(rounded, reading);
  EXPECT_EQ(rounded, 2);
}

// A copy to a variable runs in the order of the instance, after the kernel before it.
HPK_TYPED_TEST(DeepCopy, to_a_variable_follows_the_work_of_its_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int, TypeParam> value("value");
    const View<const int, TypeParam> reading = value;
    int first = 0;
    int second = 0;
    const hpk::RangePolicy<TypeParam> once(exec, 0, 1);
    hpk::parallel_for(once, HPK_LAMBDA(int) { value() = 3; });
    hpk::deep_copy(exec, first, value);
    hpk::parallel_for(once, HPK_LAMBDA(int) { value() += 1; });
    hpk::deep_copy(exec, second, reading);
    exec.fence();
    EXPECT_EQ(first, 3);
    EXPECT_EQ(second, 4);
    double converted = 0;
    hpk::parallel_for(once, HPK_LAMBDA(int) { value() += 1; });
    hpk::deep_copy(exec, converted, value);
    EXPECT_EQ(converted, 5) << "a copy that converts is done when the call returns";
    hpk::deep_copy(exec, first, View<int, TypeParam>(hpk::view_alloc("dropped", exec)));
    exec.fence();
    EXPECT_EQ(first, 0);
  }
}

HPK_TYPED_TEST(DeepCopy, to_a_variable_may_be_explicit_and_of_another_spaces_memory) {
  enum class number : int { zero, one };
  const View<int, TypeParam> value("value");
  hpk::deep_copy(value, 1);
  number found = number::zero;
  hpk::deep_copy(found, value);
  EXPECT_TRUE(found == number::one);
  int other = 0;
  hpk::deep_copy(hpk::DefaultHostExecutionSpace(), other, value);
  hpk::DefaultHostExecutionSpace().fence();
  EXPECT_EQ(other, 1);
  const View<int, TypeParam> none;
  EXPECT_NE(error_of([&] { hpk::deep_copy(TypeParam(), other, none); }), "");
  EXPECT_NE(error_of([&] { hpk::deep_copy(other, none); }), "");
}

HPK_TYPED_TEST(DeepCopyOnHost, to_a_variable_of_class_type) {
  const View<std::string, TypeParam> text(hpk::view_alloc("text", hpk::SequentialHostInit));
  text() = "a text that is too long to lie within the string";
  std::string found;
  hpk::deep_copy(TypeParam(), found, text);
  EXPECT_EQ(found, text());
  found.clear();
  hpk::deep_copy(found, text);
  EXPECT_EQ(found, text());
}

HPK_TYPED_TEST(DeepCopy, from_const_elements_and_fixed_extents) {
  const View<int** [3], TypeParam> from("from", 2, 4);
  number_elements(from, 5);
  const View<const int***, TypeParam> reading = from;
  const View<int[2][4][3], TypeParam> to("to");
  hpk::deep_copy(to, reading);
  EXPECT_EQ(count_differences(to, from), 0u);
}

HPK_TYPED_TEST(DeepCopy, of_a_view_to_itself_changes_nothing) {
  const View<int**, TypeParam> view("self", 300, 300);
  number_elements(view, 1);
  const View<int**, TypeParam> same = view;
  hpk::deep_copy(same, view);
  EXPECT_EQ(value_at(view, 299, 299), 90'000);
  EXPECT_EQ(value_at(view, 0, 0), 1);
}

HPK_TYPED_TEST(DeepCopy, of_nothing_does_nothing) {
  using view = View<int**, TypeParam>;
  const view none;
  EXPECT_NO_THROW(hpk::deep_copy(none, view()));
  EXPECT_NO_THROW(hpk::deep_copy(none, 3));
  const view empty("empty", 0, 5);
  EXPECT_NO_THROW(hpk::deep_copy(empty, view("empty too", 0, 5)));
  EXPECT_NO_THROW(hpk::deep_copy(empty, 3));
  EXPECT_NO_THROW(hpk::deep_copy(View<double**, LayoutLeft, TypeParam>("other", 0, 5), empty));
  EXPECT_NO_THROW(hpk::deep_copy(view("rows", 5, 0), view("rows", 5, 0)));
  EXPECT_THROW(hpk::deep_copy(none, view("full", 2, 2)), hpk::error);
}

HPK_TYPED_TEST(DeepCopy, refuses_unlike_extents_and_names_both) {
  const View<int**, TypeParam> to("to here", 3, 4);
  const View<int**, TypeParam> from("from there", 4, 3);
  hpk::deep_copy(to, 1);
  hpk::deep_copy(from, 2);
  const std::string text = error_of([&] { hpk::deep_copy(to, from); });
  for (const char* piece :
       {"hpk::deep_copy", "extents differ", "\"to here\"", "[3, 4]", "\"from there\"", "[4, 3]"})
    EXPECT_TRUE(contains(text, piece));
  EXPECT_EQ(value_at(to, 2, 3), 1);
  EXPECT_THROW(hpk::deep_copy(TypeParam(), to, from), hpk::error);
  EXPECT_EQ(value_at(to, 2, 3), 1);
}

HPK_TYPED_TEST(DeepCopy, refuses_views_that_overlap) {
  const View<int*, TypeParam> memory("memory", 100);
  number_elements(memory, 0);
  const View<int*, TypeParam> low(memory.data(), 60);
  const View<int*, TypeParam> high(memory.data() + 40, 60);
  const std::string text = error_of([&] { hpk::deep_copy(high, low); });
  EXPECT_TRUE(contains(text, "overlap"));
  EXPECT_TRUE(contains(text, "[60]"));
  EXPECT_THROW(hpk::deep_copy(low, high), hpk::error);
  EXPECT_EQ(value_at(memory, 99), 99);
  // Adjacent Views do not overlap.
  hpk::deep_copy(View<int*, TypeParam>(memory.data(), 50),
                 View<int*, TypeParam>(memory.data() + 50, 50));
  EXPECT_EQ(value_at(memory, 0), 50);
}

HPK_TYPED_TEST(DeepCopy, refuses_to_turn_a_matrix_in_its_own_memory) {
  const View<int**, LayoutRight, TypeParam> rows("rows", 3, 4);
  number_elements(rows, 0);
  const View<int**, LayoutLeft, TypeParam> columns(rows.data(), 3, 4);
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy(columns, rows); }), "overlap"));
  const View<float**, LayoutRight, TypeParam> floats(reinterpret_cast<float*>(rows.data()), 3, 4);
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy(floats, rows); }), "overlap"));
  EXPECT_EQ(value_at(rows, 2, 3), 11);
}

HPK_TYPED_TEST(DeepCopy, interleaved_views_do_not_overlap) {
  const View<int*, TypeParam> memory("memory", 10);
  number_elements(memory, 0);
  const View<int*, LayoutStride, TypeParam> even(memory.data(), LayoutStride(5, 2));
  const View<int*, LayoutStride, TypeParam> odd(memory.data() + 1, LayoutStride(5, 2));
  hpk::deep_copy(even, odd);
  const auto found = hpk_test::on_host(memory);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(i), i | 1);
}

HPK_TYPED_TEST(DeepCopy, follows_the_work_of_its_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int*, TypeParam> a("a", 50'000);
    const View<int*, TypeParam> b("b", 50'000);
    const hpk::RangePolicy<TypeParam> all(exec, 0, 50'000);
    hpk::parallel_for(all, HPK_LAMBDA(int i) { a(i) = i; });
    hpk::deep_copy(exec, b, a);
    hpk::parallel_for(all, HPK_LAMBDA(int i) { b(i) += 1; });
    hpk::deep_copy(exec, a, b);
    exec.fence();
    const auto found = hpk_test::on_host(a);
    std::size_t wrong = 0;
    for (int i = 0; i < 50'000; ++i) wrong += found(i) == i + 1 ? 0 : 1;
    EXPECT_EQ(wrong, 0u);
  }
}

HPK_TYPED_TEST(DeepCopyOnHost, without_an_instance_is_refused_inside_a_kernel) {
  const View<int*, TypeParam> view("view", 4);
  const std::string text = error_of([&] {
    hpk::parallel_for("copies inside", hpk::RangePolicy<TypeParam>(0, 1),
                      [&](int) { hpk::deep_copy(view, 1); });
  });
  EXPECT_TRUE(contains(text, "hpk::deep_copy"));
  EXPECT_TRUE(contains(text, "copies inside"));
}

// Elements that are Views share ownership of their memory, which outlives the source.
HPK_TYPED_TEST(DeepCopy, of_views_shares_what_they_refer_to) {
  using device = shared_device<TypeParam>;
  using inner = View<int*, device>;
  // Each allocation of an emulated device takes mappings, and a process may have 65530 of them.
  for (const int n : {1, 7, hpk_test::is_host<TypeParam> ? 20000 : 2000}) {
    View<inner*, device> from(hpk::view_alloc("from", hpk::SequentialHostInit), n);
    const View<inner*, device> to(hpk::view_alloc("to", hpk::SequentialHostInit), n);
    for (int i = 0; i < n; ++i) {
      from(i) = inner(hpk::view_alloc("inner", hpk::WithoutInitializing), 2);
      from(i)(1) = i;
    }
    hpk::deep_copy(to, from);
    ASSERT_EQ(to(n - 1).use_count(), 2);
    from = View<inner*, device>();
    for (int i = 0; i < n; ++i) {
      ASSERT_EQ(to(i).use_count(), 1);
      ASSERT_EQ(to(i)(1), i);
    }
  }
}

TEST(DeepCopyErrors, name_the_line_of_the_call) {
  const View<int*, HostSpace> a("a", 3);
  const View<int*, HostSpace> b("b", 4);
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy(a, b); }), "copy.cpp:"));
}

HPK_TYPED_TEST(DeepCopy, between_rank_0_converts) {
  const View<float, TypeParam> from("from");
  hpk::deep_copy(from, 3.75f);
  const View<int, TypeParam> to("to");
  hpk::deep_copy(to, from);
  EXPECT_EQ(value_at(to), 3);
}

HPK_TYPED_TEST(DeepCopy, between_rank_0_without_memory_does_nothing) {
  const View<int, TypeParam> none;
  const View<int, TypeParam> full("full");
  hpk::deep_copy(full, 7);
  EXPECT_NO_THROW(hpk::deep_copy(none, View<int, TypeParam>()));
  EXPECT_NO_THROW(hpk::deep_copy(none, full));
  EXPECT_NO_THROW(hpk::deep_copy(full, none));
  EXPECT_NO_THROW(hpk::deep_copy(full, View<float, TypeParam>()));
  EXPECT_EQ(value_at(full), 7);
}

HPK_TYPED_TEST(DeepCopy, speaks_of_the_overlap_before_the_extents) {
  const View<int*, TypeParam> memory("memory", 100);
  const View<int*, TypeParam> low(memory.data(), 60);
  const View<int*, TypeParam> high(memory.data() + 40, 50);
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy(high, low); }), "overlap"));
  EXPECT_TRUE(contains(error_of([&] { hpk::deep_copy(low, memory); }), "overlap"));
}

using hpk_test::Counting;
using hpk_test::fence_counts;

// There are two global fences, even if there is nothing to copy.
TEST(DeepCopyFences, two_global_ones_without_an_instance) {
  using view = View<double**, Counting>;
  const view to("to", 30, 4);
  const view from("from", 30, 4);
  const View<float**, LayoutLeft, Counting> turned("turned", 30, 4);
  const View<double, Counting> scalar("scalar");
  const view none;
  const view empty("empty", 0, 4);
  const view also_empty("also empty", 0, 4);
  double variable = 1;
  const auto expect_two = [](const char* what, auto&& copy) {
    SCOPED_TRACE(what);
    const fence_counts counts;
    copy();
    EXPECT_TRUE(counts.only_global(2));
  };
  expect_two("View", [&] { hpk::deep_copy(to, from); });
  expect_two("View of another layout", [&] { hpk::deep_copy(turned, from); });
  expect_two("value", [&] { hpk::deep_copy(to, 3.5); });
  expect_two("zero", [&] { hpk::deep_copy(to, 0.0); });
  expect_two("value of rank 0", [&] { hpk::deep_copy(scalar, 3.5); });
  expect_two("variable", [&] { hpk::deep_copy(variable, scalar); });
  expect_two("itself", [&] { hpk::deep_copy(to, to); });
  expect_two("without memory", [&] { hpk::deep_copy(none, view()); });
  expect_two("value, without memory", [&] { hpk::deep_copy(none, 3.5); });
  expect_two("empty", [&] { hpk::deep_copy(empty, also_empty); });
  EXPECT_EQ(variable, 3.5);
}

TEST(DeepCopyFences, none_with_an_instance) {
  using view = View<double**, Counting>;
  const view to("to", 30, 4);
  const view from("from", 30, 4);
  const View<float**, LayoutLeft, Counting> turned("turned", 30, 4);
  const View<double, Counting> scalar("scalar");
  const Counting exec(hpk::NewInstance{});
  double variable = 1;
  const fence_counts counts(exec);
  hpk::deep_copy(exec, to, from);
  hpk::deep_copy(exec, variable, scalar);
  hpk::deep_copy(exec, turned, from);
  hpk::deep_copy(exec, to, 3.5);
  hpk::deep_copy(exec, to, 0.0);
  hpk::deep_copy(exec, scalar, 3.5);
  hpk::deep_copy(exec, to, to);
  hpk::deep_copy(exec, view(), view());
  EXPECT_TRUE(counts.only(0));
}

}  // namespace
}  // namespace view_copy_test
