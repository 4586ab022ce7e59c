// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in tools of the single header (scripts/single_header): none. A setting that needs one
// is an error.
#include <hpk/base/assert.hpp>
#include <hpk/runtime/built_in_tools.hpp>

namespace hpk::detail {

namespace {
[[noreturn]] void refuse_tool(const char* setting) {
  raise(std::string(setting) +
        " needs an installed hpk; this program was built with the single header");
}
}  // namespace

bool is_profile(std::string_view) { return true; }
bool is_hash(std::string_view) { return true; }
bool is_capture(std::string_view) { return true; }
bool is_replay(std::string_view) { return true; }
std::optional<started_profile> begin_profile(std::string_view kinds, const std::string&,
                                             const std::string& gpu_limits) {
  if (!kinds.empty() || !gpu_limits.empty()) refuse_tool("HPK_PROFILE");
  return std::nullopt;
}
tool_events begin_tuner(const std::string&, const std::string&) { refuse_tool("HPK_TUNE"); }
void begin_recording(const recording_request& request, void (*)()) {
  if (!request.hash.empty() || !request.capture.empty() || !request.replay.empty())
    refuse_tool("HPK_HASH, HPK_CAPTURE or HPK_REPLAY");
}
bool end_recording() { return true; }
void run_replay() {}

}  // namespace hpk::detail
