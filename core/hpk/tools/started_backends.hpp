// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends that have started in this program, for global fences.
#pragma once

#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// Registers a backend for global fences. A backend calls it when its first instance starts;
/// further calls do nothing. `device` is the tool_id() of its machines. Backends may share a fence,
/// as the host backends do. Thread-safe.
void register_backend(void (*fence_all)(), std::uint32_t device = 0) noexcept;
/// Waits for all work of every started backend, then throws the first error, if any. Notifies tools
/// of one fence per backend, or of one fence on device 0 if no backend has started.
void fence_all_backends(std::string_view name = {});
/// Waits for all work on behalf of a tool. Notifies no tool, because the program did not fence.
void fence_all_backends_for_tool();

}  // namespace hpk::seam
