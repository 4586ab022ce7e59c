// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch memory of a team as a memory space: Views made inside a kernel allocate their
// elements from it.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/spaces/space.hpp>

#include <cstdint>

namespace hpk {

namespace detail {
/// The unused scratch of a team, as seen by one of its threads. Threads that make the same requests
/// in the same order get the same addresses.
struct scratch_pool {
  std::byte* front = nullptr;  ///< requests of the team grow upwards from here
  std::byte* back = nullptr;   ///< requests of threads grow downwards from here

  /// The distance in bytes from the previous multiple of `align` to an address in the pool.
  HPK_INLINE_FUNCTION static std::uintptr_t past(const std::byte* address,
                                                 std::size_t align) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % align;
  }
};
/// The pool on a device. It also holds its begin, an address of known alignment. The compiler can
/// derive alignment from offsets to `begin`, not from addresses, and then loads several aligned
/// elements at once.
struct device_scratch_pool : scratch_pool {
  static constexpr std::size_t alignment = 16;
  std::byte* begin = nullptr;

  HPK_INLINE_FUNCTION std::uintptr_t past(const std::byte* address,
                                          std::size_t align) const noexcept {
    if (alignment % align != 0) return scratch_pool::past(address, align);
    return (reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin)) %
           align;
  }
};
template <class Exec>
using scratch_pool_of =
    std::conditional_t<seam::machine<Exec>::lane::single, scratch_pool, device_scratch_pool>;

/// Handles a request that exceeds the free scratch: throws hpk::error that names the kernel, or
/// returns null if a compatibility layer set null_scratch. `threads` is 0 for a request of the
/// team.
void* give_no_scratch(std::size_t bytes, int threads, std::size_t left);
}  // namespace detail

/// Scratch memory of a team, or of one of its threads, in kernels of Exec. Each of the two levels
/// is one pool, shared by the team and its threads. A request takes the next bytes of a level: one
/// block for the team, or one block for each thread. Blocks last until the team ends and are
/// uninitialised. All threads of a team must make the same requests in the same order. An object
/// refers to the team handle that returned it, and must not outlive it.
template <class Exec>
class ScratchMemorySpace : public seam::memory_space_base<ScratchMemorySpace<Exec>, Exec> {
 public:
  using array_layout = typename Exec::array_layout;  ///< the default layout of its Views
  /// The granularity of requests, in bytes.
  static constexpr int ALIGN = 8;

  /// For team handles: allocates from pools[0] and pools[1], by default from pools[level]; for one
  /// of `threads` threads, or for the whole team if `threads` is 0.
  HPK_FUNCTION constexpr ScratchMemorySpace(detail::scratch_pool_of<Exec>* pools, int level,
                                            int threads = 0, int thread = 0) noexcept
      : pools_(pools), level_(level), threads_(threads), thread_(thread) {}
  /// For older programs: returns a handle of the same memory that allocates from pools[level] for
  /// thread `thread` of `threads`, or for the whole team if `threads` is at most 1.
  HPK_FUNCTION ScratchMemorySpace set_team_thread_mode(int level, std::size_t threads,
                                                       std::size_t thread) const noexcept {
    return {pools_, level, threads <= 1 ? 0 : static_cast<int>(threads), static_cast<int>(thread)};
  }
  /// "Scratch"
  static constexpr const char* name() noexcept { return "Scratch"; }

  /// Returns the next bytes of a level (0 or 1; -1 means the level of this object), aligned to 8
  /// bytes. If too few bytes are left, hosts throw hpk::error that names the kernel; a GPU ends the
  /// kernel.
  HPK_FUNCTION void* get_shmem(std::size_t bytes, int level = -1) const {
    return get_shmem_aligned(bytes, ALIGN, level);
  }
  /// Returns the next bytes of a level like get_shmem(), aligned to `align` bytes, which may be any
  /// number above 0.
  HPK_FORCEINLINE_FUNCTION void* get_shmem_aligned(std::size_t bytes, std::size_t align,
                                                   int level = -1) const {
    HPK_EXPECTS(level >= -1 && level <= 1);
    detail::scratch_pool_of<Exec>& pool = pools_[level < 0 ? level_ : level];
    const auto left = static_cast<std::size_t>(pool.back - pool.front);
    if (threads_ == 0) {
      const auto past = pool.past(pool.front, align);
      const std::size_t gap = past == 0 ? 0 : align - past;
      if (left < gap || left - gap < bytes) return give_none(bytes, left);
      std::byte* const begin = pool.front + gap;
      pool.front = begin + bytes;
      return begin;
    }
    const auto threads = static_cast<std::size_t>(threads_);
    if (bytes > left / threads) return give_none(bytes, left);
    const std::size_t step = (bytes + align - 1) / align * align;
    const std::size_t taken = step * (threads - 1) + bytes;
    if (taken > left) return give_none(bytes, left);
    const auto past = pool.past(pool.back - taken, align);
    if (left - taken < past) return give_none(bytes, left);
    pool.back -= taken + past;
    return pool.back + step * static_cast<std::size_t>(thread_);
  }

 private:
  HPK_FUNCTION void* give_none([[maybe_unused]] std::size_t bytes,
                               [[maybe_unused]] std::size_t left) const {
    HPK_IF_ON_HOST((return detail::give_no_scratch(bytes, threads_, left);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk: a team has less scratch than its kernel asks for; ask for "
                                 "more by set_scratch_size");
                      HPK_UNREACHABLE();))
  }

  detail::scratch_pool_of<Exec>* pools_;
  int level_;
  int threads_;
  int thread_;
};

namespace seam {

/// Memory that only kernels obtain, from their team handle; allocate() always fails. Accesses are
/// watched if the machine has a scratch_watcher().
template <class Exec>
class memory<ScratchMemorySpace<Exec>> {
 public:
  using home = Exec;
  static constexpr accessibility access =
      machine<Exec>::runs_on_host ? accessibility::host : accessibility::device;
  static void* allocate(std::size_t, std::size_t) noexcept { return nullptr; }
  static void deallocate(void*, std::size_t, std::size_t) noexcept {}
  static constexpr bool reports_places = watches_scratch<machine<Exec>>;
  HPK_FORCEINLINE static auto watcher() noexcept
    requires watches_scratch<machine<Exec>>
  {
    return machine<Exec>::scratch_watcher();
  }
  template <class T>
    requires watches_scratch<machine<Exec>>
  HPK_FORCEINLINE static T* unwatched_address(T* data) noexcept {
    return machine<Exec>::scratch_watcher() == nullptr ? data : nullptr;
  }
};

}  // namespace seam
}  // namespace hpk
