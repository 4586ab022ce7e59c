// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views with the Streaming trait: every operator, elements of all sizes, and that later kernels,
// copies and threads see the values of streaming stores.
#include <hpk/view/streaming_element.hpp>

#include <hpk/mdspan.hpp>

#include <support/spaces.hpp>

#include "element_operators.hpp"

#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <string>
#include <thread>

namespace view_streaming_element_test {
namespace {

using streaming = hpk::MemoryTraits<hpk::Streaming>;
static_assert(streaming::is_streaming && !streaming::is_atomic);
static_assert(!hpk::MemoryTraits < hpk::Atomic | hpk::Restrict > ::is_streaming);

using on_host_view = hpk::View<int*, hpk::HostSpace, streaming>;
static_assert(!on_host_view::reference_type_is_lvalue_reference);
static_assert(std::is_same_v<on_host_view::reference_type, hpk::streaming_element<int>>);
static_assert(std::is_same_v<on_host_view::accessor_type, hpk::streaming_accessor<int>>);

TEST(StreamingElement, has_the_operators_of_its_type) {
  hpk_test::check_element_operators_of_numbers<streaming>();
}

// Stored in words of 8 or 4 bytes, or by ordinary stores if the element is too large, of odd size,
// or not trivially copyable.
TEST(StreamingElement, takes_elements_of_any_type) {
  const auto round_trip = [](const auto& value) {
    using value_type = std::remove_cvref_t<decltype(value)>;
    const hpk::View<value_type*, hpk::HostSpace> plain("plain", 3);
    const hpk::View<value_type*, hpk::HostSpace, streaming> past_caches = plain;
    past_caches(1) = value;
    return plain(1) == value && plain(0) == value_type() && plain(2) == value_type();
  };
  EXPECT_TRUE(round_trip(std::complex<double>(1, 2)));
  EXPECT_TRUE(round_trip(std::complex<float>(1, 2)));
  EXPECT_TRUE(round_trip(std::array<int, 3>{1, 2, 3}));
  EXPECT_TRUE(round_trip(std::array<double, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(round_trip(std::array<double, 9>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_TRUE(round_trip(std::array<char, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(round_trip(std::array<short, 3>{1, 2, 3}));
  EXPECT_TRUE(round_trip(std::string("longer than what fits into a string")));
  EXPECT_TRUE(round_trip(true));
}

TEST(StreamingElement, of_const_is_read) {
  const hpk::View<int*, hpk::HostSpace> source("source", 3);
  source(1) = 4;
  const hpk::View<const int*, hpk::HostSpace, streaming> reading = source;
  EXPECT_EQ(reading(1) + 1, 5);
  EXPECT_EQ(source.use_count(), 2);
}

TEST(StreamingElement, is_what_an_mdspan_of_the_view_gives) {
  const hpk::View<int*, hpk::HostSpace> source("source", 3);
  const hpk::View<int*, hpk::HostSpace, streaming> view = source;
  const auto access = hpk::get_accessor(view);
  access.access(view.data(), 2) = 7;
  EXPECT_EQ(source(2), 7);
  const hpk::streaming_accessor<const int> reading = access;
  EXPECT_EQ(reading.access(view.data(), 2), 7);
  EXPECT_EQ(hpk::streaming_accessor<int>(hpk::get_accessor(source)).access(view.data(), 2), 7);
}

TEST(StreamingElement, is_seen_by_other_threads_after_a_fence) {
  constexpr int n = 1 << 14;
  const hpk::View<int*, hpk::HostSpace> shared("shared", n);
  const hpk::View<int*, hpk::HostSpace, streaming> stored = shared;
  std::atomic<int> round = 0;
  int wrong = 0;
  constexpr int rounds = 200;
  std::thread reader([&] {
    for (int r = 1; r <= rounds; ++r) {
      while (round.load(std::memory_order_acquire) != 2 * r - 1) std::this_thread::yield();
      for (int i = 0; i < n; ++i) wrong += shared(i) != r + i;
      round.store(2 * r, std::memory_order_release);
    }
  });
  for (int r = 1; r <= rounds; ++r) {
    hpk::parallel_for(hpk::RangePolicy<hpk::Serial>(0, n), [=](int i) { stored(i) = r + i; });
    hpk::Serial().fence();
    round.store(2 * r - 1, std::memory_order_release);
    while (round.load(std::memory_order_acquire) != 2 * r) std::this_thread::yield();
  }
  reader.join();
  EXPECT_EQ(wrong, 0);
}

template <class Exec>
class StreamingView : public testing::Test {};
TYPED_TEST_SUITE(StreamingView, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(StreamingView, is_seen_by_later_kernels_and_copies) {
  for (const int n : {0, 1, 7, 1000, 100'003}) {
    const hpk::View<double*, TypeParam> plain("plain", n);
    const hpk::View<double*, TypeParam, streaming> stored = plain;
    const hpk::View<long, TypeParam> wrong("wrong");
    for (int round = 1; round != 4; ++round) {
      hpk::parallel_for(
          hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) { stored(i) = round * i; });
      // Each worker reads what another worker stored.
      long differing = -1;
      hpk::parallel_reduce(
          hpk::RangePolicy<TypeParam>(0, n),
          HPK_LAMBDA(int i, long& sum) { sum += plain(n - 1 - i) != round * (n - 1 - i); },
          differing);
      EXPECT_EQ(differing, 0);
      const auto seen = hpk_test::on_host(stored);
      for (int i = 0; i < n; ++i) ASSERT_EQ(seen(i), round * i);
    }
  }
}

HPK_TYPED_TEST(StreamingView, keeps_its_trait_in_subviews_of_any_layout) {
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> plain("plain", 5, 6);
  const hpk::View<int**, hpk::LayoutLeft, TypeParam, streaming> stored = plain;
  const auto row = hpk::subview(stored, 2, hpk::ALL);
  static_assert(decltype(row)::memory_traits::is_streaming);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 6), HPK_LAMBDA(int j) {
        row(j) = j;
        row(j) += 10;
      });
  const auto seen = hpk_test::on_host(plain);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 6; ++j) EXPECT_EQ(seen(i, j), i == 2 ? 10 + j : 0);
}

}  // namespace
}  // namespace view_streaming_element_test
