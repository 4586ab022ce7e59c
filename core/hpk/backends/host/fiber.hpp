// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of one group as fibres of one OS thread. They run one after another, each until it
// pauses at a barrier. A group without barriers is a plain loop on one fibre; only a lane that
// pauses makes the next one start on a fibre of its own. ThreadSanitizer sees no order between
// lanes except at barriers, so it reports the races of a kernel.
#pragma once

#include <hpk/base/assert.hpp>

#include <exception>

namespace hpk::host {

/// What a fiber_group runs.
struct fiber_plan {
  int lanes = 1;     ///< lanes of the group, 1 to 1024 (more is allowed)
  int subgroup = 1;  ///< power of two; lanes [k * subgroup, (k + 1) * subgroup) form subgroup k
  /// Permutation of the lanes, in which they run within each phase; null for 0, 1, 2, ...
  const int* order = nullptr;
  /// Runs one lane to its end. What it throws stops the group.
  void (*call)(void* context, int lane) = nullptr;
  /// Null, or called on the lane's stack before it pauses and after it returned or threw; not when
  /// the lane is unwound because the group stopped. Must not throw.
  void (*paused)(void* context, int lane) = nullptr;
  void* context = nullptr;  ///< given to call and paused
};

/// How a group ended.
struct fiber_result {
  /// The ways to end.
  enum class kind {
    completed,  ///< every lane returned
    threw,      ///< a lane threw; the others were stopped
    diverged    ///< lanes wait for lanes that never come
  };
  kind how = kind::completed;           ///< which of them it was
  int lane = -1;                        ///< the lane that threw, or the lowest lane that waits
  int waiting = 0;                      ///< lanes that wait where it does (diverged)
  int finished = 0;                     ///< lanes that returned
  bool at_subgroup = false;             ///< `lane` waits in sync_subgroup() or sync() (diverged)
  std::exception_ptr thrown = nullptr;  ///< what the lane threw, or why it got no stack (threw)
};

/// Runs groups, one at a time, on stacks that it keeps: meant to live as long as a worker. A switch
/// makes no system call, and the state of exception handling goes with the lane, so that a lane may
/// pause inside a catch block. Stacks hold 256 KiB; below them lies a page that must not be
/// touched.
class fiber_group {
 public:
  fiber_group();
  ~fiber_group();
  fiber_group(const fiber_group&) = delete;
  fiber_group& operator=(const fiber_group&) = delete;

  /// Runs all lanes of the plan on the calling thread. In each phase the lanes that may go on run
  /// in the plan's order. When a lane throws, or lanes wait for lanes that left, the paused ones
  /// are unwound, so that their destructors run. A lane may run another fiber_group. Throws
  /// hpk::error when this group is running, std::bad_alloc.
  fiber_result run(const fiber_plan& plan);

  /// The group whose lane the calling thread runs, or null.
  static fiber_group* current() noexcept { return current_; }
  /// The lane that runs now. Only from inside a lane.
  int lane() const noexcept { return lane_; }
  /// How many lanes it has. Only from inside a lane.
  int lanes() const noexcept { return lanes_; }

  /// Waits for all lanes of the group. Only from inside a lane of this group, with no other group
  /// running in it. Throws through the lane when the group stops meanwhile: let that pass. `kind`:
  /// barriers of different kinds do not match.
  void barrier(const void* kind = nullptr);
  /// The same; the lane that comes last calls work(context) before any lane goes on.
  void barrier(const void* kind, void (*work)(void*), void* context);
  /// The same for the lanes of this lane's subgroup.
  void sync_subgroup();
  /// The same for the lanes [k * width, (k + 1) * width) of which this is one, as far as there are
  /// so many; a power of two up to the width of a subgroup.
  void sync(int width);
  /// Publishes an address, which other lanes may peek() at after their next synchronisation with
  /// this lane, until it publishes another. For groups with subgroups.
  void publish(const void* value);
  /// What a lane published.
  const void* peek(int lane) const;

 private:
  struct engine;
  static inline constinit thread_local fiber_group* current_ = nullptr;
  engine* engine_;
  int lane_ = -1;
  int lanes_ = 0;
};

}  // namespace hpk::host
