// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of the arena and their pages. All memory is one file in memory. Each device maps its
// blocks in a separate range of addresses, and the host's range maps a block while the block is
// open. Used by arena.cpp, and by the detectors that decide which pages are open.
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
/// in the program, never on a thread that holds the lock.
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
  std::size_t begin;         ///< offset of its first page
  std::size_t mapped_bytes;  ///< bytes of its pages
  std::size_t data_offset;   ///< offset of its first byte
  std::size_t bytes;
  int device = 0;
  bool shared = false;
  std::uint64_t id = 0;  ///< never reused by another block
  std::string label = {};
  bool freed = false;
  bool open = false;  ///< mapped in the host's range
  host_access_state access = {};
};

/// The map. Hold `guard` during calls that take or return a block, and while the block is in use.
class memory_map {
 public:
  memory_map();
  memory_map(const memory_map&) = delete;
  memory_map& operator=(const memory_map&) = delete;
  /// Returns the map of the process.
  static memory_map& instance();

  spin_lock guard;
  std::uint64_t last_id = 0;

  /// Gives a device its range of addresses, unless it has one. Returns false if that fails.
  bool add_device(int device) noexcept;
  /// Returns a place for `bytes` bytes, or no_place: a fresh one as long as there are some, then
  /// the one that has been in quarantine longest.
  std::size_t take(std::size_t bytes);
  /// Maps pages for one device, or for all if `shared`. Returns false if that fails.
  bool map(std::size_t begin, std::size_t bytes, bool shared, int device) noexcept;
  /// Unmaps pages for every device.
  void unmap(std::size_t begin, std::size_t bytes) noexcept;
  /// Frees the memory of pages and puts their place in quarantine.
  void release(std::size_t begin, std::size_t bytes);

  /// Adds a block. Replaces the block that began at the same place.
  block& add(block&& made);
  /// Returns the last block that begins at or before an address; null if there is none. The address
  /// may be past its end.
  block* find(const void* address) noexcept;
  /// Returns the block that begins at a place. There must be one.
  block& at(std::size_t begin) noexcept { return *lower_bound(begin); }
  std::deque<block>& blocks() noexcept { return blocks_; }

  /// Lets host code and plain pointers access a block.
  bool open(block& b, int rights = PROT_READ | PROT_WRITE) noexcept;
  void close(block& b) noexcept;

  std::byte* host_base() const noexcept { return host_base_; }
  std::byte* device_base(int device) const noexcept { return device_base_[device]; }
  /// Returns the start of the range that contains an address, or null.
  const std::byte* base_of(const void* address) const noexcept;
  /// Returns whether an address is in the range that starts at `base`.
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
  std::size_t fresh_ = 0;  // start of the places that were never used
  address_quarantine quarantine_;
  std::deque<block> blocks_;  // ordered by begin
};

}  // namespace hpk::emu
