// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_REPLAY: runs a captured launch, compares what it wrote with what it wrote when it was
// captured, and ends the program. Internal to recording/ and runtime/.
#pragma once

#include <hpk/tools/launch_observer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::detail {

/// "file,space=Threads,times=100": a captured launch, and how to run it.
struct replay_request {
  std::string path;
  std::string space;        ///< a host space that runs it instead of its own; empty: its own
  std::uint64_t times = 1;  ///< how often; more than once it is timed
  bool in_place = false;    ///< the program runs up to this launch instead of the launch alone
};
/// Reads the value of HPK_REPLAY; false if it is invalid.
bool read_replay_request(std::string_view text, replay_request& into);

/// Prepares a replay: reads the file. Returns the observer that replays the launch, and passes
/// everything to another observer, if there is one. `end_tools` completes the files of other tools
/// before the replay ends the program. Throws hpk::error if the file is none, or if this program
/// can't run the launch.
seam::launch_observer& make_replay(const replay_request& request, seam::launch_observer* next,
                                   void (*end_tools)());
/// Runs the launch alone and ends the program: with status 0 if it wrote the same bits, with 1 if
/// it wrote others, and with 2 if it failed. Does nothing unless make_replay() has prepared such a
/// replay.
void run_replay();
/// The program ends. Returns whether it may end with a status of its own; if not, because it has
/// not come to the launch, says so. An exception of the launch that ends the program has its own
/// status.
bool end_replay();

}  // namespace hpk::detail
