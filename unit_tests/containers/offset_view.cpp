// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/offset_view.hpp>

#include <support/spaces.hpp>

#include "offset_views.hpp"

#include <utility>

namespace offset_view_test {
namespace {

using hpk::OffsetView;
using hpk::View;
using hpk_test::contains;
using hpk_test::error_of;
using hpk_test::expect_error;
using hpk_test::number_row;
using hpk_test::on_host;

template <class V>
struct axpy {
  V x;
  typename V::non_const_type y;
  HPK_FUNCTION void operator()(std::int64_t i) const { y[i] = 2 * x(i) + static_cast<int>(i); }
};
// Reads begins, ends, parts and the underlying View in a kernel.
template <class V>
struct look {
  V view;
  View<std::int64_t*, typename V::device_type> seen;
  HPK_FUNCTION void operator()(int) const {
    seen(0) = view.begin(0);
    seen(1) = view.end(1);
    seen(2) = view.begins()[1];
    const auto row = hpk::subview(view, view.begin(0) + 1, hpk::ALL);
    seen(3) = row.begin(0);
    seen(4) = row(row.end(0) - 1);
    const auto column = hpk::subview(view, hpk::pair<int, int>(0, 2), view.end(1) - 1);
    seen(5) = column.begin(0) + column.end(0) * 10;
    seen(6) = column(1);
    const V again(view.view(), view.begins());
    seen(7) = again(0, 0);
    const V from_zero(view.view());
    seen(8) = from_zero(0, 0);
  }
};

template <class Exec>
class OffsetViews : public testing::Test {};
TYPED_TEST_SUITE(OffsetViews, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(OffsetViews, kernels_use_indices_from_begin_to_end) {
  using ints = OffsetView<int**, TypeParam>;
  const ints a("a", {-2, 3}, {0, 4});
  EXPECT_EQ(a.extent(0), 6u);
  EXPECT_EQ(a.extent(1), 5u);
  EXPECT_EQ(a.label(), "a");
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(a.begin(0), a.end(0)), number_row<ints>{a});
  const auto h = on_host(a.view());
  EXPECT_EQ(h(0, 0), -200);
  EXPECT_EQ(h(5, 4), 304);
  const View<std::int64_t*, TypeParam> seen("seen", 9);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 1), look<ints>{a, seen});
  const auto s = on_host(seen);
  const std::int64_t expected[] = {-2, 5, 0, 0, -96, 20, 104, 0, -200};
  for (int k = 0; k != 9; ++k) EXPECT_EQ(s(k), expected[k]) << k;

  using line = OffsetView<int*, TypeParam>;
  const line x("x", {-3, 900});
  const line y("y", {-3, 900});
  hpk::deep_copy(x, 5);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(x.begin(0), x.end(0)),
                    axpy<OffsetView<const int*, TypeParam>>{x, y});
  const auto sum = on_host(y.view());
  EXPECT_EQ(sum(0), 7);
  EXPECT_EQ(sum(903), 910);
}

TEST(OffsetView, wraps_pointers_with_ends_that_are_not_included) {
  int memory[6] = {1, 2, 3, 4, 5, 6};
  using ints = OffsetView<int**, hpk::LayoutRight, hpk::HostSpace>;
  const ints a(memory, {-1, 2}, {1, 5});
  EXPECT_EQ(a.extent(1), 3u);
  EXPECT_EQ(a(0, 2), 4);
  const ints::begins_type begins = {{5, 6}};
  const hpk::Array<std::int64_t, 2> ends = {{7, 9}};
  EXPECT_EQ(ints(memory, begins, ends)(6, 8), 6);
  EXPECT_EQ(ints(memory, begins, {7, 9})(6, 8), 6);
  EXPECT_EQ(ints(memory, {5, 6}, ends)(6, 8), 6);
  char text[3] = {'a', 'b', 'c'};
  EXPECT_EQ((OffsetView<char*, hpk::HostSpace>(text, {1}, {4})(2)), 'b');
}

TEST(OffsetView, refers_to_views_and_other_offset_views) {
  const View<int**, hpk::HostSpace> v("v", 3, 4);
  v(1, 2) = 12;
  const OffsetView<int**, hpk::HostSpace> a(v, {-1, -2});
  EXPECT_EQ(a(0, 0), 12);
  const OffsetView zero(v);
  EXPECT_EQ(zero(1, 2), 12);
  const OffsetView<const int**, hpk::HostSpace> read = a;
  EXPECT_EQ(read(0, 0), 12);
  EXPECT_EQ(read.begin(1), -2);
  View<const int**, hpk::HostSpace> back = read.view();
  EXPECT_EQ(back(1, 2), 12);
  back = a;
  // Comparison includes begins, except with a View.
  EXPECT_TRUE(a == read);
  EXPECT_TRUE(a != zero);
  EXPECT_FALSE(a == zero);
  EXPECT_TRUE(a == v);
  EXPECT_TRUE(v == a);
  EXPECT_FALSE(a != v);
  EXPECT_FALSE(v != a);
  const View<int**, hpk::HostSpace> w("w", 3, 4);
  EXPECT_TRUE(a != w);
  EXPECT_TRUE(w != a);
  OffsetView<int**, hpk::HostSpace> b(w, {5, 5});
  OffsetView<int**, hpk::HostSpace> c = a;
  swap(b, c);
  EXPECT_EQ(b.begin(0), -1);
  EXPECT_TRUE(b == a);
  EXPECT_EQ(c.begin(1), 5);
  using type = OffsetView<int**, hpk::HostSpace>;
  static_assert(std::is_same_v<type::const_type::value_type, const int>);
  static_assert(std::is_same_v<type::begins_type, hpk::Array<std::int64_t, 2>>);
  static_assert(std::is_base_of_v<type::view_type, type>);
  static_assert(hpk::is_offset_view<const type>::value && !hpk::is_offset_view_v<type&>);
  static_assert(!hpk::is_offset_view_v<View<int**, hpk::HostSpace>> && !hpk::is_view_v<type>);
  const type::uniform_const_nomemspace_type uniform = a;
  EXPECT_EQ(uniform(0, 0), 12);
  EXPECT_EQ(uniform.begin(0), -1);
}

TEST(OffsetView, names_label_index_begins_and_ends_in_errors) {
  const OffsetView<int**, hpk::HostSpace> a("a", {-2, 3}, {0, 4});
  const std::string text = error_of([&] { a(4, 0) = 1; });
  const std::string line = std::to_string(__LINE__ - 1);
  EXPECT_TRUE(contains(text,
                       "hpk::OffsetView \"a\": index (4, 0) is outside of the indices from (-2, 0) "
                       "to (4, 5), ends not included (at ") &&
              contains(text, "offset_view.cpp:" + line + ")"))
      << text;
  EXPECT_TRUE(contains(error_of([&] { a(-3, 0) = 1; }), "(-3, 0)"));
  EXPECT_TRUE(contains(error_of([&] { a(0, 5) = 1; }), "(0, 5)"));
  EXPECT_TRUE(contains(error_of([&] { a(INT64_MIN, 0) = 1; }), "outside"));
  const OffsetView<int*, hpk::HostSpace> none;
  EXPECT_TRUE(contains(error_of([&] { none(0) = 1; }), "without memory"));

  using ints = OffsetView<int**, hpk::HostSpace>;
  int memory[4] = {};
  expect_error([&] { const ints b(memory, {0, 0}, {-1, 2}); }, {"dimension 0", "[0, -1)"});
  expect_error([&] { const ints b(memory, {0}, {2, 2}); }, {"1 begins", "rank 2"});
  const View<int**, hpk::HostSpace> v("v", 2, 2);
  expect_error([&] { const ints b(v, {0, 0, 0}); }, {"3 begins", "rank 2"});
}

template <class Exec>
class HostOffsetViews : public testing::Test {};
TYPED_TEST_SUITE(HostOffsetViews, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(HostOffsetViews, errors_in_kernels_name_the_kernel) {
  const OffsetView<int*, TypeParam> x("x", {-3, 9});
  const OffsetView<int*, TypeParam> y("y", {-3, 8});
  expect_error(
      [&] {
        hpk::parallel_for("sum", hpk::RangePolicy<TypeParam>(9, 10),
                          axpy<OffsetView<const int*, TypeParam>>{x, y});
      },
      {"hpk::OffsetView \"y\"", "(9)", "(-3) to (9)", "parallel_for \"sum\""});
}

}  // namespace
}  // namespace offset_view_test
