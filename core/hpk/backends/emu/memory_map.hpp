// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of the arena and their pages. All memory is one file in memory; each device maps its
// blocks in a range of addresses of its own, and the host's range maps a block while it is open.
// For arena.cpp, and for the detectors that decide which pages are open.
#pragma once

#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/address_quarantine.hpp>
#include <hpk/backends/emu/detectors/host_access_state.hpp>

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

namespace hpk::emu {

inline constexpr std::size_t page = 4096;

/// A lock that a signal handler may take: the handler runs on a thread that faulted in a kernel or
/// in the program, never on one that holds it.
class spin_lock {
 public:
  void lock() noexcept {
    while (taken_.test_and_set(std::memory_order_acquire)) taken_.wait(true);
  }
  void unlock() noexcept {
    taken_.clear(std::memory_order_release);
    taken_.notify_one();
  }

 private:
  std::atomic_flag taken_;
};

/// An allocation. Places are offsets from the start of a range.
struct block {
  std::size_t begin;  ///< of its pages
  std::size_t pages;  ///< their bytes
  std::size_t first;  ///< of its first byte
  std::size_t bytes;
  int device = 0;
  bool shared = false;
  std::uint64_t id = 0;  ///< no other block ever has it
  std::string label = {};
  bool freed = false;
  bool open = false;  ///< mapped in the host's range
  host_access_state access = {};
};

/// The map. Hold `guard` for all that takes or gives a block.
class memory_map {
 public:
  memory_map();
  memory_map(const memory_map&) = delete;
  memory_map& operator=(const memory_map&) = delete;
  /// The one of the process.
  static memory_map& instance();

  spin_lock guard;
  std::uint64_t last_id = 0;

  /// Gives a device its range of addresses, once.
  bool add_device(int device) noexcept;
  /// A place for so many bytes, or no_place: one that was never used as long as there are some,
  /// then the longest in quarantine.
  std::size_t take(std::size_t bytes);
  /// Maps pages for a device, or for all.
  bool map(std::size_t begin, std::size_t bytes, bool shared, int device) noexcept;
  /// Unmaps them for every device.
  void unmap(std::size_t begin, std::size_t bytes) noexcept;
  /// Gives their memory back and puts the place in quarantine.
  void release(std::size_t begin, std::size_t bytes);

  /// Adds a block, in the place of what lay there before.
  block& add(block&& made);
  /// The block that an address lies in or behind; null before the first.
  block* find(const void* address) noexcept;
  /// The block that begins at a place.
  block& at(std::size_t begin) noexcept { return *lower_bound(begin); }
  std::deque<block>& blocks() noexcept { return blocks_; }

  /// Lets host code and plain pointers access a block.
  bool open(block& b, int rights = PROT_READ | PROT_WRITE) noexcept;
  void close(block& b) noexcept;

  std::byte* host_base() const noexcept { return host_base_; }
  std::byte* device_base(int device) const noexcept { return device_base_[device]; }
  /// The range that an address lies in, or null.
  const std::byte* base_of(const void* address) const noexcept;
  /// Whether it lies in this range.
  bool contains(const std::byte* base, const void* address) const noexcept {
    return base != nullptr && address >= base && address < base + size_;
  }

  static constexpr std::size_t no_place = address_quarantine::no_place;

 private:
  std::byte* reserve() const noexcept;
  std::deque<block>::iterator lower_bound(std::size_t begin) noexcept;

  int file_ = -1;
  std::size_t size_ = 0;
  std::byte* host_base_ = nullptr;
  std::byte* device_base_[arena::most_devices] = {};
  std::size_t fresh_ = 0;  // where the places begin that were never used
  address_quarantine quarantine_;
  std::deque<block> blocks_;  // by begin
};

}  // namespace hpk::emu
