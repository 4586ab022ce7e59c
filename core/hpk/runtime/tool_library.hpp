// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads tools: shared libraries with the C interface of tools for Kokkos. Internal to runtime/.
#pragma once

#include <hpk/seam/tool_events.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// What to load and what to tell it.
struct tool_request {
  std::string libraries;  ///< paths with ';' between; each is loaded
  std::string arguments;  ///< handed over in pieces, behind the program's name
  std::string program;    ///< the program's name
  bool help = false;      ///< print the help of the tools, and end the program
  std::string profile;    ///< the profile that is built in, as HPK_PROFILE has it
};

/// Loads the tools, sets their callbacks, beside those that the program has set, and tells them
/// that the program begins. A library that can't be loaded is reported on standard error. Does
/// nothing the second time, until end_tools().
void begin_tools(const tool_request& request);
/// Tells the tools that the program ends; nobody is told of anything from then on.
void end_tools();

/// The callbacks of several listeners as one set: each is called in order, with the handles that it
/// gave. Listeners stay alive; one set at a time.
seam::tool_events join_events(std::vector<seam::tool_events> listeners);

/// The name of an event's function in a tool: "kokkosp_begin_parallel_for".
std::string symbol_of(std::size_t event);

}  // namespace hpk::detail
