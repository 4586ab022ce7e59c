// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AnonymousSpace: Views of every memory convert to it and back, share the memory, and can be used
// by every space that can access the memory.
#include <hpk/spaces/anonymous_space.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <array>

namespace seam_anonymous_space_test {
namespace {

using hpk::AnonymousSpace;
using hpk::HostSpace;
using hpk::View;

static_assert(hpk::is_memory_space_v<AnonymousSpace> && hpk::is_space_v<AnonymousSpace>);
static_assert(std::is_same_v<AnonymousSpace::memory_space, AnonymousSpace>);
static_assert(std::is_same_v<AnonymousSpace::execution_space, hpk::DefaultExecutionSpace>);
static_assert(std::is_same_v<AnonymousSpace::size_type, std::size_t>);
static_assert(std::string_view(AnonymousSpace::name()) == "Anonymous");
static_assert(!hpk::seam::memory_like<hpk::seam::memory<AnonymousSpace>>, "it allocates nothing");
// A mirror is new host memory, because it is unknown whether host code can access the original.
static_assert(
    std::is_same_v<View<int*, AnonymousSpace>::host_mirror_type::memory_space, HostSpace>);

// Accesses are watched only if some enabled memory translates addresses.
template <class... Execs>
constexpr bool any_translates(hpk::detail::type_list<Execs...>) {
  return (requires(int* p) { hpk::seam::memory<typename Execs::memory_space>::translates(p); } ||
          ...);
}
static_assert(hpk::seam::is_watched<AnonymousSpace> ==
              any_translates(hpk::detail::enabled_spaces()));

template <class Device>
class Anonymous : public testing::Test {};
TYPED_TEST_SUITE(Anonymous, hpk_test::devices, hpk_test::device_names);

HPK_TYPED_TEST(Anonymous, takes_views_and_gives_them_back) {
  View<int* [5], hpk::LayoutLeft, TypeParam> source("source", 3);
  hpk_test::number_elements(source, 10);
  View<const int**, hpk::LayoutLeft, AnonymousSpace> unknown = source;
  static_assert(std::is_same_v<typename decltype(unknown)::memory_space, AnonymousSpace>);
  EXPECT_EQ(unknown.data(), source.data());
  EXPECT_EQ(unknown.extent(0), 3u);
  EXPECT_EQ(unknown.extent(1), 5u);
  EXPECT_EQ(unknown.label(), "source");
  EXPECT_EQ(source.use_count(), 2);
  View<const int**, hpk::LayoutStride, TypeParam> back = unknown;
  EXPECT_TRUE(is_assignable(back, unknown));
  EXPECT_EQ(source.use_count(), 3);
  source = {};
  unknown = {};
  EXPECT_EQ(back.use_count(), 1);
  EXPECT_EQ(hpk_test::value_at(back, 2, 4), 24);
}

HPK_TYPED_TEST(Anonymous, keeps_the_checks_of_assignments) {
  const View<int**, hpk::LayoutRight, TypeParam> source("source", 3, 4);
  const View<int**, hpk::LayoutRight, AnonymousSpace> unknown = source;
  using wrong = View<int* [5], hpk::LayoutRight, TypeParam>;
  EXPECT_FALSE(is_assignable(wrong(), unknown));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { const wrong w = unknown; }), "source"));
  static_assert(
      !std::is_convertible_v<decltype(unknown), View<int**, hpk::LayoutLeft, AnonymousSpace>>);
  const View<int**, AnonymousSpace> none;
  EXPECT_FALSE((View<int**, typename decltype(none)::array_layout, TypeParam>(none).data()));
}

// Written once for Views of any memory.
template <class Exec>
void add_one(const View<int*, AnonymousSpace>& view) {
  const int n = view.extent_int(0);
  hpk::parallel_for(hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) { view(i) += 1; });
}
template <class Exec>
long sum_of(const View<const int*, AnonymousSpace>& view) {
  long sum = 0;
  const int n = view.extent_int(0);
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i, long& s) { s += view[i]; }, sum);
  return sum;
}

HPK_TYPED_TEST(Anonymous, is_read_and_written_by_kernels) {
  using exec = typename TypeParam::execution_space;
  for (const int n : {0, 1, 7, 1000, 4097}) {
    const View<int*, TypeParam> view("view", n);
    hpk_test::number_elements(view, 0);
    add_one<exec>(view);
    EXPECT_EQ(sum_of<exec>(view), static_cast<long>(n) * (n + 1) / 2);
  }
}

HPK_TYPED_TEST(Anonymous, works_through_every_kind_of_access) {
  using exec = typename TypeParam::execution_space;
  const View<int**, hpk::LayoutRight, TypeParam> source("source", 4, 6);
  const View<int**, hpk::LayoutRight, AnonymousSpace> unknown = source;
  const auto row = hpk::subview(unknown, 2, hpk::ALL);
  const View<int*, AnonymousSpace, hpk::MemoryTraits<hpk::Atomic>> counters = row;
  const View<int, AnonymousSpace> first = hpk::subview(unknown, 0, 0);
  const View<int**, hpk::LayoutRight, AnonymousSpace, hpk::MemoryUnmanaged> wrapped(unknown.data(),
                                                                                    4, 6);
  hpk::parallel_for(
      hpk::RangePolicy<exec>(0, 600), HPK_LAMBDA(int i) {
        counters(i % 6) += 1;
        if (i == 0) {
          first() = 7;
          wrapped.access(3, 5) = 9;
        }
      });
  for (int j = 0; j < 6; ++j) EXPECT_EQ(hpk_test::value_at(source, 2, j), 100);
  EXPECT_EQ(hpk_test::value_at(source, 0, 0), 7);
  EXPECT_EQ(hpk_test::value_at(source, 3, 5), 9);
  EXPECT_EQ(hpk_test::value_at(source, 1, 1), 0);
}

HPK_TYPED_TEST(Anonymous, is_open_to_host_code_that_reaches_the_memory) {
  const View<int**, hpk::LayoutRight, TypeParam> source("source", 3, 5);
  if constexpr (hpk_test::host_reads<decltype(source)>) {
    const View<int**, hpk::LayoutRight, AnonymousSpace> unknown = source;
    hpk::fence();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 5; ++j) unknown(i, j) = 10 * i + j;
    EXPECT_EQ(source(2, 4), 24);
    EXPECT_EQ(&unknown(1, 1), &source(1, 1));
  }
  EXPECT_EQ(source.use_count(), 1);
}

HPK_TYPED_TEST(Anonymous, is_copied_by_a_space_that_reaches_the_memory) {
  const View<int**, hpk::LayoutRight, TypeParam> source("source", 4, 6);
  hpk_test::number_elements(source, 1);
  const View<int**, hpk::LayoutRight, AnonymousSpace> unknown = source;
  const View<int**, hpk::LayoutRight, TypeParam> alike("alike", 4, 6);
  const View<long**, hpk::LayoutLeft, TypeParam> other("other", 4, 6);
  hpk::deep_copy(alike, unknown);
  hpk::deep_copy(other, unknown);
  EXPECT_EQ(hpk_test::count_differences(alike, source), 0u);
  EXPECT_EQ(hpk_test::value_at(other, 3, 5), 24);
  hpk::deep_copy(typename TypeParam::execution_space(), unknown, 5);
  hpk::fence();
  EXPECT_EQ(hpk_test::value_at(source, 3, 5), 5);
  hpk::deep_copy(unknown, other);
  EXPECT_EQ(hpk_test::count_differences(alike, source), 0u);
}

TEST(AnonymousOfTheHost, is_mirrored_in_memory_of_the_host) {
  std::array<int, 5> memory = {1, 2, 3, 4, 5};
  const View<int*, AnonymousSpace> unknown(memory.data(), 5);
  const auto mirror = hpk::create_mirror_view(unknown);
  EXPECT_NE(mirror.data(), unknown.data());
  hpk::deep_copy(mirror, unknown);
  EXPECT_EQ(mirror(4), 5);
}

// Local memory of a lane, wrapped in a View of AnonymousSpace: no space has to translate its
// address.
HPK_TYPED_TEST(Anonymous, wraps_variables_of_a_kernel) {
  using exec = typename TypeParam::execution_space;
  const View<int*, TypeParam> result("result", 64);
  hpk::parallel_for(
      hpk::RangePolicy<exec>(0, 64), HPK_LAMBDA(int i) {
        int local[3] = {i, i + 1, i + 2};
        const View<int[3], AnonymousSpace, hpk::MemoryUnmanaged> view(&local[0]);
        view(0) += view(2);
        result(i) = local[0];
      });
  EXPECT_EQ(hpk_test::value_at(result, 63), 128);
}

}  // namespace
}  // namespace seam_anonymous_space_test
