// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HostSpace: ordinary memory of the process, aligned to cache lines. Large blocks ask for huge
// pages.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/spaces/space.hpp>

namespace hpk {

/// Ordinary host memory; every host execution space may access it.
struct HostSpace : seam::memory_space_base<HostSpace, DefaultHostExecutionSpace> {
  /// "Host"
  static constexpr const char* name() noexcept { return "Host"; }
};

namespace seam {

/// The host memory of every host backend.
template <>
class memory<HostSpace> {
 public:
  using home = DefaultHostExecutionSpace;
  static constexpr accessibility access = accessibility::host;
  /// Aligned to at least 64 bytes; null when memory is exhausted. Thread-safe.
  static void* allocate(std::size_t bytes, std::size_t align) noexcept;
  /// Frees memory from allocate(). Thread-safe.
  static void deallocate(void* data, std::size_t bytes, std::size_t align) noexcept;
  /// Returns the pages within a block to the system, but keeps their addresses reserved; returns
  /// the number of bytes still in use. Thread-safe.
  static std::size_t release_pages(void* data, std::size_t bytes) noexcept;
};

}  // namespace seam
}  // namespace hpk
