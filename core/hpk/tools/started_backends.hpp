// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends that run in this program, for fences of all of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// Tells the library that a backend has started, so that a global fence reaches it. A backend calls
/// it when its first instance starts; calling again does nothing. `device` is the tool_id() of its
/// machines. Thread-safe.
void register_backend(void (*fence_all)(), std::uint32_t device = 0) noexcept;
/// Waits for all work of every backend that has started. Tells tools of a fence for each; of one on
/// device 0 when there is none.
void fence_all_backends(std::string_view name = {});

}  // namespace hpk::seam
