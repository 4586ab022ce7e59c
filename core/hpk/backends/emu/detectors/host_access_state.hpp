// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the host access detector for each block of the memory map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hpk::emu {

/// The content of a mirror.
enum class mirror_content {
  nothing,  ///< nothing was written to it since its allocation
  copy,     ///< a copy of its whole View
  other     ///< other data
};

/// What the detector knows about a block.
struct host_access_state {
  static constexpr std::size_t no_source = ~std::size_t{0};
  int pending_kernels = 0;             ///< kernels that may use it
  std::string holder = {};             ///< label of the last of these kernels
  std::vector<std::size_t> mirrors{};  ///< where the mirrors of this block begin

  // State of a View that has, or had, mirrors.
  bool launched = false;        ///< a kernel that captured it was launched
  bool written = false;         ///< a copy wrote to it, or a kernel left nonzero data in it
  bool copied_to_host = false;  ///< after a launch that captured it
  std::string unsent = {};      ///< label of a mirror that host code filled and never copied
  bool watches_use = false;     ///< a kernel was launched that needs the unsent elements
  bool read_zeros = false;      ///< this kernel used the View while it held zeros
  std::string reader = {};      ///< label of this kernel

  // State of a mirror. "Since" is since the last copy of the View.
  bool host = false;               ///< allocated as a mirror
  std::size_t source = no_source;  ///< where the mirrored block begins
  mirror_content content = mirror_content::other;
  std::uint64_t sum = 0;    ///< checksum of the copy of the View; 0 until the copy is done
  bool may_be_old = false;  ///< old elements may be intended: stay open
  bool outdated = false;    ///< a kernel that captured the View was launched since
  int waits = 0;            ///< waits of host code for these kernels
  int next_look = 0;        ///< the wait at which mirror and View are compared
  int steps = 0;            ///< single-stepped reads of unchanged elements since
  bool sent = false;        ///< it was copied to other memory

  bool is_mirror() const noexcept { return source != no_source; }
};

}  // namespace hpk::emu
