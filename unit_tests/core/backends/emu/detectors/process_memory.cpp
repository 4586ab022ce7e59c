// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kind of memory that a word points to: the stack of a thread, writable memory, or nothing.
#include <support/spaces.hpp>

#include <hpk/backends/emu/detectors/process_memory.hpp>

#include <sys/mman.h>

#include <memory>
#include <thread>

namespace hpk_test::emu_process_memory_cases {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

TEST(EmuProcessMemory, knows_the_stack_of_a_thread) {
  const int here = 0;
  EXPECT_TRUE(hpk::emu::is_on_this_stack(number(&here)));
  EXPECT_FALSE(hpk::emu::is_on_this_stack(number(std::make_unique<int>().get())));
  bool is_there = true;
  std::thread([&] { is_there = hpk::emu::is_on_this_stack(number(&here)); }).join();
  EXPECT_FALSE(is_there);
}

TEST(EmuProcessMemory, knows_what_is_writable) {
  static const char constant[] = "text";
  hpk::emu::writable_memory memory;
  const auto made = std::make_unique<int>();
  EXPECT_TRUE(memory.contains(number(made.get())));
  EXPECT_FALSE(memory.contains(number(constant)));
  EXPECT_FALSE(memory.contains(1));
}

TEST(EmuProcessMemory, reads_only_what_is_there) {
  constexpr std::size_t bytes = 4096;
  void* const place =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(place, MAP_FAILED);
  *static_cast<std::uintptr_t*>(place) = 7;
  std::uintptr_t value = 0;
  EXPECT_TRUE(hpk::emu::read_word(number(place), value));
  EXPECT_EQ(value, 7u);
  munmap(place, bytes);
  EXPECT_FALSE(hpk::emu::read_word(number(place), value));
}

}  // namespace hpk_test::emu_process_memory_cases
