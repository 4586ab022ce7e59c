// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_REPLAY: runs a captured launch, compares its results with the captured ones, and ends the
// program. Internal to recording/.
#pragma once

#include <hpk/tools/launch_observer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::detail {

/// The launch to replay and how to run it: "file,space=Threads,times=100".
struct replay_request {
  std::string path;
  std::string space;        ///< the host space to run it on; empty: the one it was captured on
  std::uint64_t times = 1;  ///< number of runs; more than one are timed
  bool in_place = false;    ///< runs the program up to the launch, instead of the launch alone
};
/// Reads the value of HPK_REPLAY; false if it is invalid.
bool read_replay_request(std::string_view text, replay_request& into);

/// Prepares a replay. Returns the observer that replays the launch and passes all events on to
/// `next` unless it is null. `end_tools` completes the files of other tools before the replay ends
/// the program. Throws hpk::error if the file holds no launch or this program can't run it.
launch_observer& make_replay(const replay_request& request, launch_observer* next,
                             void (*end_tools)());
/// Runs the launch alone and ends the program. The status is 0 if the bits are the same, 1 if they
/// differ, and 2 if the launch failed. Does nothing unless make_replay() has prepared to run a
/// launch alone.
void run_replay();
/// Called when the program ends. Returns whether the program may end with its own status. Returns
/// false, with a message, if the launch was not reached or its results are not complete. Returns
/// true while an exception of the launch ends the program.
bool end_replay();

}  // namespace hpk::detail
