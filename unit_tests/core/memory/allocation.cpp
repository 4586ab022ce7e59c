// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counted handle of an allocation: the record ends once, with the last handle, and copies made
// inside a kernel take no part in the count.
#include <hpk/memory/allocation.hpp>

#include <support/spaces.hpp>

#include <thread>
#include <vector>

namespace seam_allocation_test {
namespace {

using hpk::seam::allocation_handle;

int live = 0;
std::size_t freed_bytes = 0;
std::size_t freed_align = 0;

void give_back(void* data, std::size_t bytes, std::size_t align) noexcept {
  freed_bytes = bytes;
  freed_align = align;
  --live;
  delete[] static_cast<std::byte*>(data);
}

allocation_handle make(std::string_view label) {
  ++live;
  return allocation_handle(
      hpk::seam::make_record(new std::byte[48], 48, 16, label, "Test", &give_back));
}

TEST(AllocationHandle, null_owns_nothing) {
  const allocation_handle none;
  const allocation_handle copy = none;
  EXPECT_EQ(none.record(), nullptr);
  EXPECT_EQ(copy.use_count(), 0);
}

TEST(AllocationHandle, the_last_share_ends_the_record) {
  ASSERT_EQ(live, 0);
  {
    allocation_handle first = make("shared");
    EXPECT_EQ(first.use_count(), 1);
    {
      const allocation_handle second = first;
      EXPECT_EQ(second.record(), first.record());
      EXPECT_EQ(first.use_count(), 2);
      first = allocation_handle();
      EXPECT_EQ(second.use_count(), 1);
      EXPECT_EQ(live, 1);
    }
    EXPECT_EQ(live, 0);
  }
  EXPECT_EQ(freed_bytes, 48u);
  EXPECT_EQ(freed_align, 16u);
}

TEST(AllocationHandle, records_what_it_was_made_with) {
  const allocation_handle handle = make("a label");
  EXPECT_EQ(handle.record()->label, "a label");
  EXPECT_EQ(handle.record()->space, "Test");
  EXPECT_EQ(handle.record()->bytes, 48u);
  EXPECT_NE(handle.record()->data, nullptr);
}

TEST(AllocationHandle, moves_hand_the_share_over) {
  allocation_handle from = make("moved");
  const allocation_handle to = std::move(from);
  EXPECT_EQ(to.use_count(), 1);
  EXPECT_EQ(from.use_count(), 0);
}

TEST(AllocationHandle, assignment_releases_what_was_held) {
  allocation_handle a = make("a");
  allocation_handle b = make("b");
  a = b;
  EXPECT_EQ(live, 1);
  EXPECT_EQ(b.use_count(), 2);
  a = *&a;
  EXPECT_EQ(b.use_count(), 2);
  a = std::move(b);
  EXPECT_EQ(a.use_count(), 1);
  EXPECT_EQ(live, 1);
  a = allocation_handle();
  EXPECT_EQ(live, 0);
}

TEST(AllocationHandle, swap_exchanges_shares) {
  allocation_handle a = make("a");
  allocation_handle b;
  a.swap(b);
  EXPECT_EQ(a.record(), nullptr);
  EXPECT_EQ(b.record()->label, "a");
  EXPECT_EQ(b.use_count(), 1);
}

TEST(AllocationHandle, copies_inside_a_kernel_borrow) {
  const allocation_handle owner = make("borrowed");
  const hpk::seam::launch_info info{.pattern = "test", .label = {}, .where = {}};
  {
    const hpk::seam::kernel_scope scope(info);
    const allocation_handle borrowed = owner;
    const allocation_handle again = borrowed;
    EXPECT_EQ(owner.use_count(), 1);
    EXPECT_EQ(again.use_count(), 1);
    EXPECT_EQ(again.record(), owner.record());
  }
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(live, 1);
}

TEST(AllocationHandle, counts_from_many_threads) {
  {
    const allocation_handle shared = make("threads");
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int k = 0; k < 2000; ++k) {
          const allocation_handle copy = shared;
          allocation_handle other = copy;
          other = shared;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(shared.use_count(), 1);
  }
  EXPECT_EQ(live, 0);
}

TEST(AllocationRecord, no_memory_is_an_error_that_says_how_much_of_which) {
  const std::string text = hpk_test::error_of(
      [] { hpk::seam::make_record(nullptr, 3u << 20, 64, "too much", "Test", &give_back); });
  for (const char* piece : {"too much", "Test", "3145728", "3.0 MiB"})
    EXPECT_TRUE(hpk_test::contains(text, piece));
}

TEST(AllocationRecord, no_memory_is_an_error_that_lists_the_largest_of_the_space) {
  const auto make = [](std::string_view label, std::size_t bytes, std::string_view space) {
    ++live;
    return allocation_handle(
        hpk::seam::make_record(new std::byte[1], bytes, 64, label, space, &give_back));
  };
  std::vector<allocation_handle> held;
  for (const std::size_t kib : {3, 9, 1, 7, 5, 2, 8})
    held.push_back(make(std::to_string(kib) + " KiB", kib << 10, "Full"));
  held.push_back(make("elsewhere", std::size_t{99} << 20, "Other"));
  held.erase(held.begin());  // an allocation that has ended is not listed
  const std::string text = hpk_test::error_of(
      [] { hpk::seam::make_record(nullptr, 1, 64, "too much", "Full", &give_back); });
  EXPECT_TRUE(hpk_test::contains(text, "6 allocations of 32.0 KiB live there, the largest: "));
  EXPECT_TRUE(hpk_test::contains(text,
                                 "\"9 KiB\" 9.0 KiB, \"8 KiB\" 8.0 KiB, \"7 KiB\" 7.0 KiB, "
                                 "\"5 KiB\" 5.0 KiB, \"2 KiB\" 2.0 KiB"));
  EXPECT_FALSE(hpk_test::contains(text, "elsewhere"));
}

TEST(AllocationRecord, is_found_by_an_address_as_long_as_it_lives) {
  auto* const data = new std::byte[24];
  hpk::seam::allocation_place place;
  {
    ++live;
    const allocation_handle held(hpk::seam::make_record(data, 24, 64, "found", "Test", &give_back));
    EXPECT_TRUE(hpk::seam::find_allocation(data + 23, place));
    EXPECT_EQ(place.label, "found");
    EXPECT_EQ(place.space, "Test");
    EXPECT_EQ(place.offset, 23u);
    EXPECT_FALSE(hpk::seam::find_allocation(data + 24, place));
  }
  EXPECT_FALSE(hpk::seam::find_allocation(data, place));
}

}  // namespace
}  // namespace seam_allocation_test
