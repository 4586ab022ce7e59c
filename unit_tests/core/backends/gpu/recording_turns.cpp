// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for a device and recordings of graphs never overlap, and neither starves the other.
#include <hpk/backends/gpu/recording_turns.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace hpk_test::recording_turns_cases {

TEST(RecordingTurns, a_thread_that_records_must_not_wait) {
  hpk::gpu::recording_turns turns;
  turns.begin_recording();
  EXPECT_FALSE(hpk::gpu::recording_turns::wait(turns).is_allowed());
  turns.end_recording();
  EXPECT_TRUE(hpk::gpu::recording_turns::wait(turns).is_allowed());
}

TEST(RecordingTurns, waits_and_recordings_exclude_each_other) {
  hpk::gpu::recording_turns turns;
  std::atomic<int> recordings{0};
  std::atomic<int> waits{0};
  std::atomic<int> overlaps{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> waiting;
  for (int t = 0; t < 3; ++t) {
    waiting.emplace_back([&] {
      while (!done) {
        const hpk::gpu::recording_turns::wait turn(turns);
        ++waits;
        if (!turn.is_allowed() || recordings != 0) ++overlaps;
        --waits;
      }
    });
  }
  // The test ends only if threads that wait again and again let recordings pass.
  std::vector<std::thread> recording;
  for (int t = 0; t < 2; ++t) {
    recording.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        turns.begin_recording();
        ++recordings;
        if (waits != 0) ++overlaps;
        --recordings;
        turns.end_recording();
      }
    });
  }
  for (std::thread& t : recording) t.join();
  done = true;
  for (std::thread& t : waiting) t.join();
  EXPECT_EQ(overlaps, 0);
}

}  // namespace hpk_test::recording_turns_cases
