// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quarantine of freed memory: which addresses it holds, for how long, and the release at the
// end. The tests never access the addresses, so any numbers will do.
#include <hpk/memory/quarantine.hpp>

#include <hpk/core.hpp>

#include <support/test.hpp>

#include <string>
#include <thread>
#include <vector>

namespace seam_freed_test {
namespace {

using hpk::detail::is_poisoned;
using hpk::seam::allocation_handle;

std::vector<void*> deallocated;
std::size_t kept_bytes = 0;

void note(void* data, std::size_t, std::size_t) noexcept { deallocated.push_back(data); }
std::size_t release_pages(void*, std::size_t) noexcept { return kept_bytes; }

char* at(std::uint64_t address) { return reinterpret_cast<char*>(address); }

// Frees an allocation at this address.
void end_block(char* data, std::size_t bytes, std::string_view label = "block") {
  auto* const record = hpk::seam::make_record(data, bytes, 64, label, "Test", &note);
  record->release_pages = &release_pages;
  const allocation_handle last(record);
}

class FreedMemory : public testing::Test {
 protected:
  void SetUp() override {
    hpk::detail::empty_quarantine();
    deallocated.clear();
    kept_bytes = 0;
  }
  void TearDown() override { hpk::detail::empty_quarantine(); }
};

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t base = std::uint64_t{1} << 42;

TEST_F(FreedMemory, is_found_by_each_of_its_addresses_and_no_other) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{65},
                                  std::size_t{4096}, std::size_t{3} << 20}) {
    for (const std::uint64_t begin : {base, base + 64 * 63, base + 4 * gib - 64}) {
      const std::size_t taken = (bytes + 63) / 64 * 64;
      EXPECT_FALSE(is_poisoned(at(begin)));
      end_block(at(begin), bytes);
      EXPECT_FALSE(is_poisoned(at(begin) - 1));
      EXPECT_TRUE(is_poisoned(at(begin)));
      EXPECT_TRUE(is_poisoned(at(begin) + bytes / 2));
      EXPECT_TRUE(is_poisoned(at(begin) + bytes - 1));
      EXPECT_FALSE(is_poisoned(at(begin) + taken));
      // Only the upper half of the address differs.
      EXPECT_FALSE(is_poisoned(at(begin + 4 * gib)));
      EXPECT_FALSE(is_poisoned(at(begin - 4 * gib)));
      EXPECT_FALSE(is_poisoned(at(begin + (std::uint64_t{1} << 48))));
      EXPECT_TRUE(hpk::detail::empty_quarantine());
      EXPECT_FALSE(is_poisoned(at(begin)));
      EXPECT_FALSE(is_poisoned(at(begin) + bytes - 1));
      EXPECT_EQ(deallocated, std::vector<void*>{at(begin)});
      deallocated.clear();
    }
  }
  EXPECT_FALSE(hpk::detail::empty_quarantine());
  EXPECT_FALSE(is_poisoned(nullptr));
}

TEST_F(FreedMemory, keeps_its_label) {
  end_block(at(base), 100, "first");
  end_block(at(base + 128), 100, "");
  std::string label = "untouched";
  EXPECT_FALSE(hpk::detail::find_quarantined(at(base + 100), label));
  EXPECT_FALSE(hpk::detail::find_quarantined(at(base) - 1, label));
  EXPECT_EQ(label, "untouched");
  EXPECT_TRUE(hpk::detail::find_quarantined(at(base + 99), label));
  EXPECT_EQ(label, "first");
  EXPECT_TRUE(hpk::detail::find_quarantined(at(base + 128), label));
  EXPECT_EQ(label, "");
}

TEST_F(FreedMemory, of_equal_lower_halves_is_told_apart) {
  end_block(at(base), 64);
  end_block(at(base + 4 * gib), 64);
  EXPECT_TRUE(is_poisoned(at(base)));
  EXPECT_TRUE(is_poisoned(at(base + 4 * gib)));
  EXPECT_FALSE(is_poisoned(at(base + 8 * gib)));
  // 64 MiB fill the quarantine. One more byte releases the older blocks.
  kept_bytes = std::size_t{64} << 20;
  end_block(at(base + 64), 64);
  kept_bytes = 1;
  EXPECT_TRUE(is_poisoned(at(base + 4 * gib)));
  end_block(at(base + 128), 64);
  EXPECT_FALSE(is_poisoned(at(base)));
  EXPECT_FALSE(is_poisoned(at(base + 4 * gib)));
  EXPECT_FALSE(is_poisoned(at(base + 64)));
  EXPECT_TRUE(is_poisoned(at(base + 128)));
}

TEST_F(FreedMemory, makes_room_for_the_next_when_the_records_are_many) {
  constexpr std::uint64_t most = 16384;
  for (std::uint64_t k = 0; k != most; ++k) end_block(at(base + 64 * k), 64);
  EXPECT_TRUE(deallocated.empty());
  EXPECT_TRUE(is_poisoned(at(base)));
  end_block(at(base + 64 * most), 64);
  EXPECT_FALSE(is_poisoned(at(base)));
  EXPECT_TRUE(is_poisoned(at(base + 64)));
  EXPECT_TRUE(is_poisoned(at(base + 64 * most)));
  EXPECT_EQ(deallocated, std::vector<void*>{at(base)});
}

TEST_F(FreedMemory, makes_room_for_the_next_when_it_takes_much_memory) {
  kept_bytes = std::size_t{20} << 20;
  for (std::uint64_t k = 0; k != 3; ++k) end_block(at(base + gib * k), 64);
  EXPECT_TRUE(deallocated.empty());
  end_block(at(base + gib * 3), 64);
  EXPECT_EQ(deallocated, std::vector<void*>{at(base)});
  EXPECT_TRUE(is_poisoned(at(base + gib)));
  // A block that exceeds the limit of the quarantine is released at once.
  kept_bytes = (std::size_t{64} << 20) + 1;
  end_block(at(base), 64);
  EXPECT_FALSE(is_poisoned(at(base)));
  EXPECT_EQ(deallocated.size(), 2u);
}

TEST_F(FreedMemory, makes_room_for_the_next_when_it_has_many_addresses) {
  end_block(at(base), 9 * gib);
  EXPECT_TRUE(is_poisoned(at(base + 9 * gib - 1)));
  EXPECT_FALSE(is_poisoned(at(base + 9 * gib)));
  end_block(at(base + 16 * gib), 9 * gib);
  EXPECT_FALSE(is_poisoned(at(base)));
  EXPECT_FALSE(is_poisoned(at(base + 9 * gib - 1)));
  EXPECT_TRUE(is_poisoned(at(base + 16 * gib)));
  EXPECT_TRUE(is_poisoned(at(base + 25 * gib - 1)));
}

TEST_F(FreedMemory, is_given_back_at_once_where_it_can_not_rest) {
  end_block(at((std::uint64_t{1} << 48) - 64), 128);
  EXPECT_EQ(deallocated.size(), 1u);
  end_block(at(base + 8), 64);
  EXPECT_EQ(deallocated.size(), 2u);
  {
    const allocation_handle plain(hpk::seam::make_record(at(base), 64, 64, "", "Test", &note));
  }
  EXPECT_EQ(deallocated.size(), 3u);
  EXPECT_FALSE(is_poisoned(at(base)));
  EXPECT_FALSE(hpk::detail::empty_quarantine());
}

// HostSpace: memory in quarantine keeps its addresses, but large blocks release their pages.
TEST_F(FreedMemory, of_the_host_is_not_handed_out_again) {
  using memory = hpk::seam::memory<hpk::HostSpace>;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20, std::size_t{9} << 20}) {
    void* const data = memory::allocate(bytes, 64);
    auto* const record =
        hpk::seam::make_record(data, bytes, 64, "resting", "Host", &memory::deallocate);
    record->release_pages = &memory::release_pages;
    {
      const allocation_handle last(record);
    }
    EXPECT_TRUE(is_poisoned(data));
    std::vector<void*> others;
    for (int k = 0; k != 50; ++k) {
      others.push_back(memory::allocate(bytes, 64));
      EXPECT_FALSE(is_poisoned(others.back()));
    }
    for (void* other : others) memory::deallocate(other, bytes, 64);
  }
}

TEST_F(FreedMemory, threads_add_and_ask_at_the_same_time) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::uint64_t t = 0; t != 4; ++t) {
    threads.emplace_back([&, t] {
      using memory = hpk::seam::memory<hpk::HostSpace>;
      for (int k = 0; k != 2000; ++k) {
        void* const data = memory::allocate(64, 64);
        auto* const record =
            hpk::seam::make_record(data, 64, 64, "short", "Host", &memory::deallocate);
        record->release_pages = &memory::release_pages;
        allocation_handle last(record);
        wrong[t] += is_poisoned(data);
        last = allocation_handle();
        std::string label;
        if (k % 500 == 0)
          wrong[t] += !is_poisoned(data) || !hpk::detail::find_quarantined(data, label);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace seam_freed_test
