// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch memory of a team as a memory space: Views inside a kernel take their elements from
// it.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/seam/space.hpp>

#include <cstdint>

namespace hpk {

namespace detail {
/// Reports a request for more scratch than is left.
[[noreturn]] void reject_scratch(std::size_t bytes, std::size_t left);
}  // namespace detail

/// Scratch memory of a team, or of one of its threads, of kernels of Exec: each request takes the
/// next bytes of a block. They last until the team ends and are uninitialised. All threads of a
/// team that make the same requests in the same order get the same memory.
template <class Exec>
class ScratchMemorySpace : public seam::memory_space_base<ScratchMemorySpace<Exec>, Exec> {
 public:
  /// The granularity of requests, in bytes.
  static constexpr int ALIGN = 8;

  HPK_FUNCTION constexpr ScratchMemorySpace(std::byte* begin, std::size_t bytes) noexcept
      : next_(begin), end_(begin + bytes) {}
  /// "Scratch"
  static constexpr const char* name() noexcept { return "Scratch"; }

  /// The next bytes, aligned to 8 or as asked. If too few are left: hpk::error on hosts, which
  /// names the kernel; on a GPU the kernel ends.
  HPK_FUNCTION void* get_shmem(std::size_t bytes) const { return get_shmem_aligned(bytes, ALIGN); }
  HPK_FORCEINLINE_FUNCTION void* get_shmem_aligned(std::size_t bytes, std::size_t align) const {
    const auto past = reinterpret_cast<std::uintptr_t>(next_) % align;
    const std::size_t gap = past == 0 ? 0 : align - past;
    const auto left = static_cast<std::size_t>(end_ - next_);
    if (left < gap || left - gap < bytes) {
      HPK_IF_ON_HOST((detail::reject_scratch(bytes, left);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk: a team has less scratch than its kernel asks for; ask for "
                                   "more by set_scratch_size");))
    }
    std::byte* const begin = next_ + gap;
    next_ = begin + bytes;
    return begin;
  }

 private:
  mutable std::byte* next_;
  std::byte* end_;
};

namespace seam {

/// Memory that kernels receive; nothing allocates it.
template <class Exec>
class memory<ScratchMemorySpace<Exec>> {
 public:
  using home = Exec;
  static constexpr reach reach_of = machine<Exec>::runs_on_host ? reach::host : reach::device;
  static void* allocate(std::size_t, std::size_t) noexcept { return nullptr; }
  static void deallocate(void*, std::size_t, std::size_t) noexcept {}
};

}  // namespace seam
}  // namespace hpk
