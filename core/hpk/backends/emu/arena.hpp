// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of an emulated device. Each block has whole pages of its own, ends where its last page
// ends, and is followed by one that nobody has, so that running over the end traps. Freed pages are
// taken away, and their addresses rest as long as there are others, so that use after free traps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::emu {

/// A block that a kernel holds.
struct block_hold {
  const void* address;
  std::uint64_t block;
};

/// What is known of the block that an address belongs to, or last belonged to.
struct block_facts {
  bool known = false;
  bool freed = false;
  std::string label;
  std::size_t bytes = 0;
  std::ptrdiff_t offset = 0;  ///< of the address from the first byte
  bool held = false;          ///< a shared block that a kernel may be using
  std::string holder;         ///< the label of that kernel
  int device = 0;             ///< whose memory it is
  bool shared = false;        ///< memory that every device and the host reach
  bool mirror = false;        ///< host memory that mirrors a block
  std::string source;         ///< the label of that block
};

/// The one arena of the process, made on first use. Thread-safe. Programs see the memory of all
/// devices in one range of addresses; the kernels of each device have a range of their own, in
/// which only its blocks, and shared ones, are there.
class arena {
 public:
  /// Who reaches a block.
  enum class access {
    device,  ///< kernels and copies
    shared   ///< host code too, while no kernel holds it
  };
  /// The most devices that there can be.
  static constexpr int most_devices = 16;

  /// Poisoned bytes; null without memory left.
  static void* allocate(std::size_t bytes, std::size_t align, access who = access::device,
                        int device = 0) noexcept;
  /// Takes a block back; its pages are gone at once.
  static void deallocate(void* data) noexcept;
  /// The label by which messages call a block.
  static void name(void* data, std::string_view label);

  /// From the address that programs see to that of the kernels of a device.
  static std::ptrdiff_t shift(int device) noexcept;
  /// Whether programs see this address as device memory.
  static bool contains(const void* address) noexcept;
  /// Whether it is one of the addresses of device memory.
  static bool find_alias(const void* address) noexcept;
  /// The address by which copies reach any memory of the process.
  static void* resolve(void* address) noexcept;
  static const void* resolve(const void* address) noexcept {
    return resolve(const_cast<void*>(address));
  }

  /// Keeps host code out of the shared block of an address, for a kernel that will use it. Gives
  /// the block; 0 when it lies in no shared one.
  static std::uint64_t hold(const void* address, std::string_view kernel);
  /// The kernel of a hold is done. Host code stays out, since it can't know: a kernel that was done
  /// in time by luck is no fence.
  static void finish(const block_hold& done);
  /// Host code waited for a queue, or asked whether it is done: ends the holds of kernels that are,
  /// of whatever queue. The last one of a block lets host code in again.
  static void release_finished() noexcept;

  /// Host memory that mirrors the block of `source`, where the arena can see who reads it; null
  /// when it can't.
  static void* allocate_mirror(const void* source, std::size_t bytes, std::size_t align) noexcept;
  /// From now on a mirror is watched: when a kernel that captured its source was launched, host
  /// code may not read it until it has received something, by a copy or from host code. With
  /// HPK_EMU_MIRRORS host code may never read it while its bytes are not those of the source.
  static void watch_mirror(const void* data) noexcept;
  /// Whether an address lies in a mirror.
  static bool is_mirror(const void* address) noexcept;
  /// A copy from or to a mirror: the two are alike again.
  static void touch_mirror(const void* address) noexcept;
  /// Whether host code may go on where it faulted, in a mirror. Callable from a signal handler.
  static bool admit_host(const void* address, bool writes) noexcept;

  /// Opens the block of an address to plain pointers, until close_blocks(). False when it is no
  /// living block. Callable from a signal handler.
  static bool open_block(const void* address) noexcept;
  /// Closes what open_block() opened.
  static void close_blocks() noexcept;

  /// Whether kernels may write to the page of an address of theirs; for write_watch. False when it
  /// lies in no living block. Callable from a signal handler.
  static bool set_writable(const void* address, bool writable) noexcept;

  /// What is known of an address, as programs or kernels see it.
  static block_facts find(const void* address);
};

}  // namespace hpk::emu
