// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of View with the names of mdspan, assign_data, strides for other libraries, and const
// handles.
#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace view_members_test {
namespace {

using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::View;

// Like a const pointer: the handle is const, the elements need not be.
TEST(ViewConst, is_of_the_handle_alone) {
  using view = View<int*, HostSpace>;
  static_assert(!std::is_assignable_v<const view&, const view&>);
  static_assert(std::is_same_v<decltype(std::declval<const view&>()(0)), int&>);
  const view handle("handle", 3);
  handle(1) = 4;
  handle[2] = 5;
  handle.access(0) = 3;
  EXPECT_EQ(handle(0) + handle(1) + handle(2), 12);
  View<const int*, HostSpace> reading = handle;
  static_assert(std::is_same_v<decltype(reading(0)), const int&>);
  reading = View<const int*, HostSpace>(handle.data(), 2);
  EXPECT_EQ(reading.extent(0), 2u);
}

TEST(ViewStrides, go_to_an_array_of_any_integers) {
  const auto check = [](auto first) {
    using integer = decltype(first);
    const View<char***, LayoutLeft, HostSpace> view("view", 3, 4, 2);
    integer strides[5] = {9, 9, 9, 9, 9};
    view.stride(strides);
    EXPECT_EQ(strides[0], integer{1});
    EXPECT_EQ(strides[1], integer{3});
    EXPECT_EQ(strides[2], integer{12});
    EXPECT_EQ(strides[3], integer{24}) << "the span";
    EXPECT_EQ(strides[4], integer{9}) << "not written";
  };
  check(short{});
  check(int{});
  check(long{});
  check(std::uint8_t{});
  check(std::size_t{});
  int of_one[2] = {9, 9};
  View<int, HostSpace>("scalar").stride(of_one);
  EXPECT_EQ(of_one[0], 1);
  EXPECT_EQ(of_one[1], 9);
}

// y = a x by columns, with arguments like those of BLAS.
void gemv(int rows, int columns, const double* a, int leading, const double* x, double* y) {
  for (int i = 0; i < rows; ++i) y[i] = 0;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) y[i] += a[i + j * leading] * x[j];
  }
}

template <class Matrix>
void check_gemv(const Matrix& a) {
  const View<double*, HostSpace> x("x", a.extent(1));
  const View<double*, HostSpace> y("y", a.extent(0));
  for (int j = 0; j < a.extent_int(1); ++j) {
    x(j) = j + 1;
    for (int i = 0; i < a.extent_int(0); ++i) a(i, j) = 10 * i + j;
  }
  gemv(a.extent_int(0), a.extent_int(1), a.data(), static_cast<int>(a.stride(1)), x.data(),
       y.data());
  for (int i = 0; i < a.extent_int(0); ++i) {
    double expected = 0;
    for (int j = 0; j < a.extent_int(1); ++j) expected += a(i, j) * x(j);
    EXPECT_EQ(y(i), expected);
  }
}

TEST(ViewStrides, give_the_leading_dimension_of_a_matrix) {
  const View<double**, LayoutLeft, HostSpace> dense("dense", 13, 4);
  EXPECT_EQ(dense.stride(1), 13u);
  check_gemv(dense);
  const View<double**, LayoutLeft, HostSpace> padded(hpk::view_alloc("padded", hpk::AllowPadding),
                                                     13, 4);
  EXPECT_EQ(padded.stride(1), 16u);
  check_gemv(padded);
  const auto part = hpk::subview(dense, std::pair(2, 9), std::pair(1, 3));
  static_assert(std::is_same_v<decltype(part)::array_layout, LayoutLeft>);
  EXPECT_EQ(part.stride(1), 13u);
  check_gemv(part);
  check_gemv(View<double[5][3], LayoutLeft, HostSpace>("fixed"));
}

TEST(ViewAssignData, wraps_other_memory_of_the_same_shape) {
  int memory[6] = {0, 1, 2, 3, 4, 5};
  View<int**, LayoutLeft, HostSpace> view("view", 2, 3);
  const auto held = view;
  view.assign_data(memory);
  EXPECT_EQ(view.data(), memory);
  EXPECT_EQ(view(1, 2), 5);
  EXPECT_EQ(view.extent(0), 2u);
  EXPECT_EQ(view.use_count(), 0);
  EXPECT_EQ(view.label(), "");
  EXPECT_EQ(held.use_count(), 1) << "the share was given up";
  EXPECT_EQ(held(1, 2), 0);
}

TEST(ViewAssignData, keeps_strides_and_takes_null) {
  int memory[6] = {0, 1, 2, 3, 4, 5};
  View<const int*, LayoutStride, HostSpace, hpk::MemoryUnmanaged> view(memory, LayoutStride(2, 3));
  view.assign_data(memory + 1);
  EXPECT_EQ(view(1), 4);
  EXPECT_EQ(view.stride(0), 3u);
  view.assign_data(nullptr);
  EXPECT_FALSE(view.is_allocated());
  EXPECT_EQ(view.extent(0), 2u);
  View<int, HostSpace> scalar;
  scalar.assign_data(memory + 2);
  EXPECT_EQ(scalar(), 2);
}

TEST(ViewAssignData, of_an_aligned_view_takes_aligned_memory_only) {
  alignas(64) int memory[32] = {};
  View<int*, HostSpace, hpk::MemoryTraits<hpk::Aligned>> view("view", 8);
  const int* const before = view.data();
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { view.assign_data(memory + 1); }), "64"));
  EXPECT_EQ(view.data(), before) << "nothing has changed";
  EXPECT_EQ(view.label(), "view");
  view.assign_data(memory + 16);
  EXPECT_EQ(view.data(), memory + 16);
}

// assign_data may drop the last owner, which destroys the elements.
TEST(ViewAssignData, may_end_the_elements) {
  struct counted {
    int* ended = nullptr;
    counted() = default;
    counted(const counted&) = default;
    counted& operator=(const counted&) = default;
    ~counted() {
      if (ended != nullptr) ++*ended;
    }
  };
  int ended = 0;
  View<counted*, HostSpace> view(hpk::view_alloc("view", hpk::SequentialHostInit), 3);
  for (int i = 0; i < 3; ++i) view(i).ended = &ended;
  view.assign_data(nullptr);
  EXPECT_EQ(ended, 3);
}

TEST(ViewExtentsObject, is_that_of_the_type) {
  const View<double** [3], HostSpace> view("view", 5, 4);
  const auto extents = view.extents();
  static_assert(
      std::is_same_v<decltype(view)::extents_type,
                     hpk::extents<hpk::index_t, hpk::dynamic_extent, hpk::dynamic_extent, 3>>);
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(extents)>, decltype(view)::extents_type>);
  EXPECT_EQ(extents.extent(0), 5);
  EXPECT_EQ(extents.extent(1), 4);
  EXPECT_EQ(extents.extent(2), 3);
  EXPECT_TRUE((View<double, HostSpace>().extents() == hpk::extents<hpk::index_t>()));
  EXPECT_EQ((View<double* [2], HostSpace>().extents().extent(0)), 0);
}

TEST(ViewExtentsObject, makes_a_view) {
  const View<double** [3], LayoutLeft, HostSpace> view("view", 5, 4);
  const View<int** [3], LayoutRight, HostSpace> like("like", view.extents());
  EXPECT_TRUE(like.extents() == view.extents());
  EXPECT_EQ(like.stride(0), 12u);
  const hpk::extents<short, 5, hpk::dynamic_extent, hpk::dynamic_extent> other(4, 3);
  const View<int** [3], HostSpace> from_other(like.data(), other);
  EXPECT_TRUE(from_other.extents() == view.extents());
  EXPECT_EQ(from_other.data(), like.data());
  const View<int, HostSpace> scalar("scalar", hpk::extents<int>());
  EXPECT_EQ(scalar.size(), 1u);
  const View<int**, LayoutRight, HostSpace> padded(hpk::view_alloc("padded", hpk::AllowPadding),
                                                   hpk::extents<int, 3, 17>());
  EXPECT_EQ(padded.stride(0), 32u);
  using view_type = std::remove_const_t<decltype(like)>;
  EXPECT_EQ(view_type::required_allocation_size(other), 60 * sizeof(int));
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([] { view_type("wrong", hpk::extents<int, 5, 4, 2>()); }),
      "extent 2 is fixed at 3"));
}

TEST(ViewHandle, is_the_pointer) {
  const View<const int*, HostSpace> view(hpk::view_alloc("view", hpk::WithoutInitializing), 2);
  static_assert(std::is_same_v<decltype(view)::data_handle_type, const int*>);
  static_assert(std::is_same_v<decltype(view.data_handle()), const int*>);
  EXPECT_EQ(view.data_handle(), view.data());
}

template <class T, class Layout>
using host_view = View<T, Layout, HostSpace>;
static_assert(host_view<int**, LayoutRight>::is_always_unique());
static_assert(host_view<int**, LayoutLeft>::is_always_strided());
static_assert(!host_view<int**, LayoutRight>::is_always_exhaustive(), "it may be padded");
static_assert(host_view<int* [3], LayoutRight>::is_always_exhaustive());
static_assert(!host_view<int* [3], LayoutLeft>::is_always_exhaustive());
static_assert(host_view<int[2][3], LayoutLeft>::is_always_exhaustive());
static_assert(host_view<int*, LayoutLeft>::is_always_exhaustive());
static_assert(!host_view<int*, LayoutStride>::is_always_exhaustive());
static_assert(!host_view<int*, LayoutStride>::is_always_unique());
static_assert(host_view<int*, LayoutStride>::is_always_strided());
static_assert(host_view<int, LayoutStride>::is_always_unique() &&
              host_view<int, LayoutStride>::is_always_exhaustive());

TEST(ViewQueries, are_about_the_strides) {
  const host_view<double**, LayoutRight> dense("dense", 3, 17);
  EXPECT_TRUE(dense.is_unique() && dense.is_exhaustive() && dense.is_strided());
  const host_view<double**, LayoutRight> padded(hpk::view_alloc("padded", hpk::AllowPadding), 3,
                                                17);
  EXPECT_TRUE(padded.is_unique() && !padded.is_exhaustive());
  double memory[100] = {};
  const auto strided = [&](std::size_t n0, std::size_t s0, std::size_t n1, std::size_t s1) {
    return host_view<double**, LayoutStride>(memory, LayoutStride(n0, s0, n1, s1));
  };
  EXPECT_TRUE(strided(3, 5, 5, 1).is_unique() && strided(3, 5, 5, 1).is_exhaustive());
  EXPECT_TRUE(strided(5, 1, 3, 5).is_unique());
  EXPECT_TRUE(strided(3, 7, 5, 1).is_unique() && !strided(3, 7, 5, 1).is_exhaustive());
  EXPECT_FALSE(strided(3, 4, 5, 1).is_unique()) << "rows overlap";
  EXPECT_FALSE(strided(3, 0, 5, 1).is_unique()) << "a row three times";
  EXPECT_FALSE(strided(3, 2, 5, 2).is_unique());
  EXPECT_TRUE(strided(1, 0, 5, 1).is_unique()) << "there is no second row";
  EXPECT_TRUE(strided(3, 0, 0, 0).is_unique()) << "there are no elements";
  EXPECT_TRUE(strided(2, 3, 2, 2).is_unique());
  EXPECT_FALSE(strided(2, 3, 3, 2).is_unique()) << "it is, but its dimensions interleave";
  EXPECT_FALSE(strided(2, 2, 3, 1).is_unique());
}

// is_unique() never returns true if two elements share a place, and returns true for nested
// strides.
TEST(ViewQueries, say_yes_of_unique_elements_only) {
  int memory[64] = {};
  int yes = 0;
  for (std::size_t code = 0; code != 4 * 4 * 4 * 4 * 4 * 4; ++code) {
    std::size_t digits[6];
    std::size_t rest = code;
    for (std::size_t& digit : digits) {
      digit = rest % 4;
      rest /= 4;
    }
    const std::size_t steps[] = {0, 1, 2, 4};
    const host_view<int***, LayoutStride> view(
        memory, LayoutStride(digits[0], steps[digits[1]], digits[2], steps[digits[3]], digits[4],
                             steps[digits[5]]));
    if (!view.is_unique()) continue;
    ++yes;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i != view.extent(0); ++i) {
      for (std::size_t j = 0; j != view.extent(1); ++j) {
        for (std::size_t k = 0; k != view.extent(2); ++k) {
          const std::uint64_t bit = std::uint64_t{1} << (&view(i, j, k) - memory);
          ASSERT_EQ(seen & bit, 0u) << code;
          seen |= bit;
        }
      }
    }
  }
  EXPECT_GT(yes, 100);
}

// A layout of the program with the required queries only, and one with all queries.
template <class Extents, bool Says>
struct backwards_mapping {
  Extents shape{};
  HPK_FUNCTION constexpr const Extents& extents() const { return shape; }
  HPK_FUNCTION constexpr auto operator()(hpk::index_t i) const { return shape.extent(0) - 1 - i; }
  HPK_FUNCTION constexpr auto required_span_size() const { return shape.extent(0); }
  HPK_FUNCTION constexpr bool is_exhaustive() const { return true; }
  static constexpr bool is_always_unique()
    requires Says
  {
    return true;
  }
  static constexpr bool is_always_exhaustive()
    requires Says
  {
    return true;
  }
  constexpr bool is_unique() const
    requires Says
  {
    return true;
  }
};
template <bool Says>
struct backwards : hpk::LayoutBase<backwards<Says>> {
  using hpk::LayoutBase<backwards>::LayoutBase;
  template <class Extents>
  using mapping = backwards_mapping<Extents, Says>;
};

TEST(ViewQueries, of_a_layout_of_the_program_are_its_mappings) {
  const View<int*, backwards<true>, HostSpace> says("says", 3);
  static_assert(says.is_always_unique() && says.is_always_exhaustive());
  static_assert(!says.is_always_strided());
  EXPECT_TRUE(says.is_unique() && says.is_exhaustive() && !says.is_strided());
  const View<int*, backwards<false>, HostSpace> silent("silent", 3);
  static_assert(!silent.is_always_unique() && !silent.is_always_exhaustive());
  EXPECT_TRUE(!silent.is_unique() && silent.is_exhaustive());
  static_assert(std::is_same_v<decltype(says)::layout_type, backwards<true>>);
  static_assert(std::is_same_v<decltype(says)::mapping_type,
                               backwards_mapping<decltype(says)::extents_type, true>>);
}

// The queries in kernels.
template <class Exec>
class ViewMembersInKernel : public testing::Test {};
TYPED_TEST_SUITE(ViewMembersInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ViewMembersInKernel, work) {
  using device = hpk_test::shared_device<TypeParam>;
  const View<int* [3], LayoutStride, device> view("view", LayoutStride(4, 1, 3, 5));
  const View<hpk::index_t*, device> answers("answers", 6);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        const auto extents = view.extents();
        answers(0) = extents.extent(0);
        answers(1) = extents.extent(1);
        answers(2) = view.is_unique() ? 1 : 0;
        answers(3) = view.is_exhaustive() ? 1 : 0;
        answers(4) = view.data_handle() == view.data() ? 1 : 0;
        const View<int**, LayoutRight, device> wrapped(hpk::view_wrap(view.data_handle()), 2, 2);
        answers(5) = static_cast<hpk::index_t>(wrapped.stride(0));
      });
  hpk::fence();
  const hpk::index_t expected[] = {4, 3, 1, 0, 1, 2};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(answers(i), expected[i]) << i;
}

}  // namespace
}  // namespace view_members_test
