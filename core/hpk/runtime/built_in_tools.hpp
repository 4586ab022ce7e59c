// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in tools as the runtime calls them. Two folders beside core implement these functions:
// profiler/ (profiles and the tuner) and recording/ (hashes, captures and replay). Both are
// compiled into hpk::core, and no other file of core knows them. Internal.
#pragma once

#include <hpk/runtime/run_facts.hpp>
#include <hpk/tools/tool_events.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace hpk::detail {

/// Whether HPK_PROFILE accepts the text.
bool is_profile(std::string_view kinds);

/// A profile that has begun.
struct started_profile {
  tool_events events;
  bool needs_times;  ///< whether launches must wait until their kernels have run
};
/// Starts the profiles in `kinds` (HPK_PROFILE) on the model of a GPU (HPK_GPU_MODEL), and the
/// check of limits in a file (HPK_GPU_LIMITS); nothing if both are empty. Throws hpk::error for a
/// file that can't be written or read.
std::optional<started_profile> begin_profile(std::string_view kinds, const std::string& gpu_model,
                                             const std::string& gpu_limits);

/// Starts the tuner and returns its callbacks. `path`: a file that is read if it exists, and
/// written at the end (HPK_TUNE). `use`: a file that is only read (HPK_TUNE_USE). One of them is
/// empty. Throws hpk::error for a file that can't be read or written.
tool_events begin_tuner(const std::string& path, const std::string& use);

/// The texts that HPK_HASH, HPK_CAPTURE and HPK_REPLAY accept, for messages and --hpk-help.
inline constexpr std::string_view hash_syntax =
    "a path, then any of every=N, label=TEXT, regions, keep=N, keep-bytes=N, unset=BYTE (01 to ff, "
    "or none), limit=BYTES, with ',' between";
inline constexpr std::string_view capture_syntax =
    "the label of a launch, its number among those of this label (1 for the first; without a "
    "label: "
    "among all launches) and a path, as in update:17:update.capture";
inline constexpr std::string_view replay_syntax =
    "a path, then any of space=NAME, times=N, in-place, with ',' between";
/// Whether the settings accept the text.
bool is_hash(std::string_view text);
bool is_capture(std::string_view text);
bool is_replay(std::string_view text);

/// What to record or replay, as in HPK_HASH, HPK_CAPTURE and HPK_REPLAY; empty texts are off.
struct recording_request {
  std::string_view hash;
  std::string_view capture;
  std::string_view replay;
};
/// Starts to record or replay. `end_tools` ends all tools after a replayed launch. Throws
/// hpk::error for a file that can't be written or read.
void begin_recording(const recording_request& request, void (*end_tools)());
/// Completes the files. Returns false if a launch should have been replayed and was not.
bool end_recording();
/// Runs the launch that a file replays alone, and ends the program; else returns.
void run_replay();

}  // namespace hpk::detail
