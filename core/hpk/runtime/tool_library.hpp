// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads tools: shared libraries with the C interface of Kokkos tools. Internal to runtime/.
#pragma once

#include <hpk/runtime/option_table.hpp>
#include <hpk/tools/tool_events.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// The libraries to load and their arguments.
struct tool_request {
  tool_request(const run_settings& values, std::string program_name)
      : libraries(values.tools_libs),
        only_first(values.only_first_tool),
        arguments(values.tools_args),
        program(std::move(program_name)),
        help(values.tools_help),
        profile(values.profile),
        gpu_model(values.gpu_model),
        gpu_limits(values.gpu_limits),
        capture(values.capture),
        replay(values.replay),
        hash(values.hash),
        tune(values.tune),
        tune_use(values.tune_use),
        tune_internals(values.tune_internals) {}
  /// Whether the program can initialize without starting any tool.
  bool is_empty() const {
    return libraries.empty() && profile.empty() && gpu_limits.empty() && hash.empty() &&
           capture.empty() && replay.empty() && tune.empty() && tune_use.empty() && !tune_internals;
  }

  std::string libraries;    ///< paths, separated by ';'; each is loaded
  bool only_first = false;  ///< load only the first one, which loads the next itself
  std::string arguments;    ///< the arguments for the tools, which receive them as words after the
                            ///< program's name
  std::string program;      ///< the program's name
  bool help = false;        ///< print the help of the tools, and end the program
  std::string profile;      ///< as in HPK_PROFILE
  std::string gpu_model;    ///< the model for a profile of a GPU
  std::string gpu_limits;   ///< a file; empty: none
  std::string capture;      ///< as in HPK_CAPTURE
  std::string replay;       ///< as in HPK_REPLAY
  std::string hash;         ///< a file and options, as in HPK_HASH
  std::string tune;         ///< the files of the built-in tuner
  std::string tune_use;
  bool tune_internals = false;  ///< let a tool choose tile and team sizes
};

/// Loads the tools, adds their callbacks to the callbacks that the program has set, and notifies
/// both that the program begins. Prints a message on standard error for a library that can't be
/// loaded. Further calls do nothing until end_tools().
void begin_tools(const tool_request& request);
/// The paths of the loaded libraries.
std::vector<std::string> loaded_tools();
/// Notifies the tools and the program's callbacks that the program ends; no callback is called
/// afterwards. Does nothing if begin_tools() has not been called.
void end_tools();

/// Joins the callbacks of several listeners into one set. Each event calls the listeners in order,
/// each with its own handle. Listeners must stay alive; only one joined set at a time.
tool_events join_events(std::vector<tool_events> listeners);

}  // namespace hpk::detail
