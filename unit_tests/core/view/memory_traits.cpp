// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory traits: the flags, and Unmanaged Views, which neither count nor own.
#include <hpk/view/memory_traits.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace view_memory_traits_test {
namespace {

using hpk::MemoryTraits;

static_assert(!MemoryTraits<>::is_unmanaged && !MemoryTraits<>::is_random_access &&
              !MemoryTraits<>::is_restrict);
using both = MemoryTraits<hpk::Unmanaged | hpk::RandomAccess>;
static_assert(both::is_unmanaged && both::is_random_access && !both::is_restrict);
static_assert(MemoryTraits<hpk::Restrict>::is_restrict &&
              !MemoryTraits<hpk::Restrict>::is_unmanaged);
static_assert(std::is_same_v<hpk::MemoryUnmanaged, MemoryTraits<hpk::Unmanaged>>);
static_assert(hpk::is_memory_traits_v<both> && !hpk::is_memory_traits_v<int>);
static_assert(hpk::is_memory_traits<const both>::value && !hpk::is_memory_traits<both&>::value);

using managed = hpk::View<int*, hpk::HostSpace>;
using unmanaged = hpk::View<int*, hpk::HostSpace, hpk::MemoryUnmanaged>;

TEST(MemoryTraits, an_unmanaged_view_does_not_count) {
  const managed owner("owner", 4);
  const unmanaged guest = owner;
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(guest.use_count(), 0);
  EXPECT_EQ(guest.label(), "");
  EXPECT_EQ(guest.data(), owner.data());
  EXPECT_EQ(guest.extent(0), 4u);
}

TEST(MemoryTraits, ownership_does_not_come_back) {
  const managed owner("owner", 4);
  const managed round_trip = unmanaged(owner);
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(round_trip.use_count(), 0);
  EXPECT_EQ(round_trip.data(), owner.data());
}

TEST(MemoryTraits, hints_come_and_go_and_share) {
  const managed owner("owner", 4);
  const hpk::View<const int*, hpk::HostSpace, MemoryTraits<hpk::RandomAccess>> reading = owner;
  EXPECT_EQ(owner.use_count(), 2);
  EXPECT_EQ(reading.label(), "owner");
  const hpk::View<const int*, hpk::HostSpace> plain = reading;
  EXPECT_EQ(owner.use_count(), 3);
}

using aligned = hpk::View<double*, hpk::HostSpace, MemoryTraits<hpk::Aligned>>;
static_assert(MemoryTraits<hpk::Atomic>::is_atomic && !MemoryTraits<hpk::Atomic>::is_aligned &&
              MemoryTraits<hpk::Aligned>::is_aligned);
static_assert(std::is_same_v<hpk::MemoryRandomAccess, MemoryTraits<hpk::RandomAccess>>);

TEST(MemoryTraits, aligned_views_take_aligned_memory_only) {
  const hpk::View<double*, hpk::HostSpace> owner("owner", 20);
  const aligned whole = owner;
  EXPECT_EQ(whole.data(), owner.data());
  const aligned own("own", 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(own.data()) % 64, 0u);
  EXPECT_NO_THROW(aligned(owner.data() + 8, 2));
  EXPECT_NO_THROW(aligned(nullptr, 0));
  const auto refused = [](auto make) {
    try {
      make();
    } catch (const hpk::error& e) {
      return std::string(e.what()).find("multiple of 64 bytes") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused([&] { aligned(owner.data() + 1, 2); }));
  EXPECT_TRUE(refused([&] { aligned(hpk::subview(owner, std::pair(3, 9))); }));
}

TEST(MemoryTraits, wrapped_memory_is_aligned_like_its_elements) {
  struct alignas(16) element {
    double parts[2];
  };
  alignas(16) double memory[8] = {};
  auto* const shifted = reinterpret_cast<element*>(memory + 1);
  const hpk::View<element*, hpk::HostSpace> aligned_view(reinterpret_cast<element*>(memory), 3);
  hpk::View<element*, hpk::HostSpace> other = aligned_view;
  if (HPK_CHECKS == 0) return;
  const std::string text = "its elements requires memory that begins at a multiple of 16 bytes";
  EXPECT_TRUE(hpk_test::contains(
      hpk_test::error_of([&] { hpk::View<element*, hpk::HostSpace>(shifted, 3); }), text));
  EXPECT_TRUE(hpk_test::contains(hpk_test::error_of([&] { other.assign_data(shifted); }), text));
}

// A matrix in compressed sparse row format times a vector. The interface takes plain Views; the
// function adds the traits that describe how the kernel uses each one.
template <class Exec>
void multiply(const hpk::View<const int*, Exec>& begin, const hpk::View<const int*, Exec>& column,
              const hpk::View<const double*, Exec>& value, const hpk::View<double*, Exec>& x,
              const hpk::View<double*, Exec>& y) {
  const hpk::View<const double*, Exec, hpk::MemoryRandomAccess> here_and_there = x;
  const hpk::View<const int*, Exec, hpk::MemoryUnmanaged> row_begin = begin;
  const hpk::View<double*, Exec, MemoryTraits<hpk::Restrict>> result = y;
  const hpk::View<const double*, Exec, MemoryTraits<hpk::Unmanaged | hpk::Aligned>> entries = value;
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, y.extent_int(0)), HPK_LAMBDA(int i) {
        double sum = 0;
        for (int k = row_begin(i); k < row_begin(i + 1); ++k)
          sum += entries(k) * here_and_there(column(k));
        result(i) = sum;
      });
}

template <class Exec>
class TraitsInKernel : public testing::Test {};
TYPED_TEST_SUITE(TraitsInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(TraitsInKernel, are_added_just_before_it) {
  constexpr int n = 300;
  // Rows -1, 2, -1, periodic.
  const hpk::View<int*, TypeParam> begin("begin", n + 1);
  const hpk::View<int*, TypeParam> column("column", 3 * n);
  const hpk::View<double*, TypeParam> value("value", 3 * n);
  const hpk::View<double*, TypeParam> x("x", n);
  const hpk::View<double*, TypeParam> y("y", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        begin(i + 1) = 3 * (i + 1);
        for (int k = 0; k < 3; ++k) {
          column(3 * i + k) = (i + k - 1 + n) % n;
          value(3 * i + k) = k == 1 ? 2 : -1;
        }
        x(i) = i * i;
      });
  multiply<TypeParam>(begin, column, value, x, y);
  hpk::fence();
  EXPECT_EQ(x.use_count(), 1);
  EXPECT_EQ(y.use_count(), 1);
  const auto found = hpk_test::on_host(y);
  for (int i = 1; i < n - 1; ++i) ASSERT_EQ(found(i), -2);
  EXPECT_EQ(found(0), -1 - (n - 1) * (n - 1));
}

TEST(MemoryTraits, views_that_differ_in_traits_are_equal) {
  const managed owner("owner", 4);
  EXPECT_TRUE(unmanaged(owner) == owner);
}

}  // namespace
}  // namespace view_memory_traits_test
