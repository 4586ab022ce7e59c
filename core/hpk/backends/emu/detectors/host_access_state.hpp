// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host access detector stores in each block of the memory map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hpk::emu {

/// What a mirror holds.
enum class mirror_content {
  nothing,  ///< nobody wrote to it since it was made
  copy,     ///< a copy of its whole View
  own       ///< anything else
};

/// What the detector knows of a block.
struct host_access_state {
  static constexpr std::size_t no_source = ~std::size_t{0};
  int holds = 0;                       ///< kernels that may use it
  std::string holder = {};             ///< the label of the last of them
  std::vector<std::size_t> mirrors{};  ///< where those of this block begin

  // Of a View that has, or had, mirrors.
  bool launched = false;    ///< a kernel that captured it
  bool written = false;     ///< by a copy, or kernels left something else than zeros in it
  bool shown = false;       ///< copied to the host after such a launch
  std::string unsent = {};  ///< the label of a mirror that host code filled and never copied
  bool asked = false;       ///< a kernel was launched that lacks its elements
  bool read_zeros = false;  ///< such a kernel found zeros
  std::string reader = {};  ///< the label of that kernel

  // Of a mirror.
  bool host = false;               ///< allocated for one
  std::size_t source = no_source;  ///< where the block begins that it mirrors
  mirror_content content = mirror_content::own;
  std::uint64_t sum = 0;    ///< over a copy of the View, as it came; 0 until it came
  bool may_be_old = false;  ///< the View was copied elsewhere since: the old elements may be meant
  bool outdated = false;    ///< a kernel over the View was launched since
  int waits = 0;            ///< for kernels over it since
  int next_look = 0;        ///< the wait at which the two are compared
  int steps = 0;            ///< accesses to elements that have not changed since
  bool sent = false;        ///< it was copied somewhere

  bool is_mirror() const noexcept { return source != no_source; }
};

}  // namespace hpk::emu
