// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrong index is an hpk::error that names the View, the index, the extents, and, inside a kernel,
// the kernel and the line that launched it. The tests are compiled with HPK_CHECKS=1.
#include <hpk/view/bounds.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>
#include <support/output.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace view_bounds_test {
namespace {

using hpk::HostSpace;
using hpk::View;
using hpk_test::contains;
using hpk_test::error_of;

TEST(ViewBounds, names_label_index_and_extents) {
  const View<int***, HostSpace> view("temperature", 4, 5, 6);
  const std::string text = error_of([&] { view(1, 5, 2) = 0; });
  EXPECT_TRUE(contains(text, "\"temperature\""));
  EXPECT_TRUE(contains(text, "(1, 5, 2)"));
  EXPECT_TRUE(contains(text, "[4, 5, 6]"));
}

// " (at <this file>:line)".
std::string at(int line) { return "bounds.cpp:" + std::to_string(line) + ")"; }

TEST(ViewBounds, names_the_line_of_the_access) {
  const View<int**, HostSpace> matrix("matrix", 2, 3);
  const View<int*, HostSpace> row("row", 3);
  const View<int, HostSpace> none;
  int line = 0;
  EXPECT_TRUE(contains(error_of([&] { matrix(0, 3) = 0; }), at(__LINE__)));
  const std::string spread = error_of([&] {
    line = __LINE__ + 1;
    matrix(2L, std::int8_t{0}) = 1;
  });
  EXPECT_TRUE(contains(spread, at(line)));
  EXPECT_TRUE(contains(error_of([&] { row[3] = 0; }), at(__LINE__)));
  EXPECT_TRUE(contains(error_of([&] { row.access(3, 0) = 0; }), at(__LINE__)));
  EXPECT_TRUE(contains(error_of([&] { none() = 0; }), at(__LINE__)));
  // Inside a kernel the message names the line of the access, then the line of the launch.
  int access = 0;
  const int launch = __LINE__ + 2;
  const std::string kernel = error_of([&] {
    hpk::parallel_for("fill", hpk::RangePolicy<hpk::Serial>(0, 1),
                      [&](int i) { access = __LINE__, row(i - 1) = 0; });
  });
  EXPECT_TRUE(contains(kernel, at(access) + ", in parallel_for \"fill\" (at "));
  EXPECT_TRUE(contains(kernel, at(launch)));
  // No line is named if it would be one of a header of hpk or of the standard library.
  EXPECT_FALSE(contains(error_of([&] { std::invoke(row, 3) = 0; }), "(at "));
}

template <int Rank>
void check_corners() {
  hpk_test::tuple8 extents{};
  for (int r = 0; r < Rank; ++r) extents[r] = static_cast<std::size_t>(2 + r % 2);
  const auto view =
      hpk_test::make_view<View<hpk_test::stars<char, Rank>, HostSpace>>("box", extents);
  hpk_test::tuple8 last{};
  for (int r = 0; r < Rank; ++r) last[r] = extents[r] - 1;
  EXPECT_NO_THROW(hpk_test::element(view, last) = 'x');
  for (int r = 0; r < Rank; ++r) {
    hpk_test::tuple8 outside{};
    outside[r] = extents[r];
    EXPECT_THROW(hpk_test::element(view, outside) = 'x', hpk::error) << "dimension " << r;
  }
}

TEST(ViewBounds, every_dimension_of_every_rank_is_checked) {
  check_corners<1>();
  check_corners<2>();
  check_corners<3>();
  check_corners<4>();
  check_corners<5>();
  check_corners<6>();
  check_corners<7>();
  check_corners<8>();
}

TEST(ViewBounds, negative_and_huge_indices_are_outside) {
  const View<int*, HostSpace> view("line", 10);
  EXPECT_TRUE(contains(error_of([&] { view(-1) = 0; }), "(-1)"));
  EXPECT_TRUE(contains(error_of([&] { view[10] = 0; }), "(10)"));
  EXPECT_THROW(view(std::int8_t{-128}) = 0, hpk::error);
  EXPECT_THROW(view(~std::size_t{0}) = 0, hpk::error);
  EXPECT_THROW(view(std::int64_t{1} << 32) = 0, hpk::error) << "not cut to 32 bits";
  EXPECT_NO_THROW(view(9u) = 0);
}

TEST(ViewBounds, fixed_extents_and_strides_are_checked_by_extent) {
  const View<int[3][2], HostSpace> fixed("fixed");
  EXPECT_TRUE(contains(error_of([&] { fixed(0, 2) = 1; }), "[3, 2]"));
  int memory[20] = {};
  const View<int**, hpk::LayoutStride, HostSpace> strided(memory, hpk::LayoutStride(2, 10, 3, 1));
  EXPECT_TRUE(contains(error_of([&] { strided(0, 3) = 1; }), "(wrapped memory)"));
  EXPECT_NO_THROW(strided(1, 2) = 1);
}

TEST(ViewBounds, an_empty_view_has_no_inside) {
  const View<int*, HostSpace> empty("empty", 0);
  EXPECT_TRUE(contains(error_of([&] { empty(0) = 1; }), "[0]"));
}

TEST(ViewBounds, access_without_memory_says_so) {
  const View<int*, HostSpace> none;
  EXPECT_TRUE(contains(error_of([&] { none(0) = 1; }), "not allocated"));
  const View<double, HostSpace> rank0;
  EXPECT_TRUE(contains(error_of([&] { rank0() = 1; }), "without memory"));
  const View<int[3], HostSpace> fixed;
  EXPECT_TRUE(contains(error_of([&] { fixed(2) = 1; }), "without memory"));
}

// The kernel throws the error and the caller catches it.
template <class Exec>
class BoundsInKernel : public testing::Test {};
TYPED_TEST_SUITE(BoundsInKernel, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(BoundsInKernel, names_kernel_and_launch_site) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int*, TypeParam> view("target", 100);
    const int line = __LINE__ + 2;
    const std::string text = error_of([&] {
      hpk::parallel_for("one too far", hpk::RangePolicy<TypeParam>(exec, 0, 101),
                        [=](int i) { view(i) = i; });
    });
    EXPECT_TRUE(contains(text, "\"target\""));
    EXPECT_TRUE(contains(text, "(100)"));
    EXPECT_TRUE(contains(text, "[100]"));
    EXPECT_TRUE(contains(text, "parallel_for \"one too far\""));
    EXPECT_TRUE(contains(text, "bounds.cpp:" + std::to_string(line)));
    // The program continues, and indices inside the extents work.
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100), [=](int i) { view(i) = 2 * i; });
    EXPECT_EQ(view(99), 198);
  }
}

HPK_TYPED_TEST(BoundsInKernel, the_lowest_of_several_is_reported) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const View<int*, TypeParam> view("short", 40);
    for (int repeat = 0; repeat < 20; ++repeat) {
      const std::string text = error_of([&] {
        hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1000), [=](int i) { view(i) = i; });
      });
      ASSERT_TRUE(contains(text, "(40)"));
    }
  }
}

HPK_TYPED_TEST(BoundsInKernel, reductions_and_scans_are_named) {
  const View<int*, TypeParam> view("short", 10);
  int sum = 0;
  EXPECT_TRUE(contains(error_of([&] {
                         hpk::parallel_reduce(
                             "adding", hpk::RangePolicy<TypeParam>(0, 11),
                             [=](int i, int& s) { s += view(i); }, sum);
                       }),
                       "parallel_reduce \"adding\""));
  EXPECT_TRUE(contains(error_of([&] {
                         hpk::parallel_scan("summing", hpk::RangePolicy<TypeParam>(0, 11),
                                            [=](int i, int& s, bool) { s += view(i); });
                       }),
                       "parallel_scan \"summing\""));
}

template <class Exec>
class BoundsDeathTest : public testing::Test {};
TYPED_TEST_SUITE(BoundsDeathTest, hpk_test::spaces, hpk_test::space_names);

// Where a kernel cannot throw, the program ends with the message.
HPK_TYPED_TEST(BoundsDeathTest, names_kernel_and_launch_site_on_a_device) {
  if constexpr (!hpk_test::is_host<TypeParam>) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto one_too_far = []() noexcept {
      hpk_test::print_to_stderr();
      const View<int*, TypeParam> view("target", 100);
      hpk::parallel_for(
          "one too far", hpk::RangePolicy<TypeParam>(0, 101), HPK_LAMBDA(int i) { view(i) = i; });
      hpk::fence();
    };
    EXPECT_DEATH(one_too_far(), "parallel_for \"one too far\".*bounds.cpp:[0-9]+");
    EXPECT_DEATH(one_too_far(), hpk_test::is_emulated<TypeParam>
                                    ? "\"target\".*\\(100\\).*\\[100\\]"
                                    : "an index is outside of the extents.* 100/100");
  }
}

HPK_TYPED_TEST(BoundsDeathTest, all_inside_is_no_error) {
  const View<int*, TypeParam> view("target", 100);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) { view(i) = 2 * i; });
  EXPECT_EQ(hpk_test::value_at(view, 99), 198);
}

}  // namespace
}  // namespace view_bounds_test
