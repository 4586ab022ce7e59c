// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the lanes of one group as fibres of one OS thread, one after another, each until it pauses
// at a barrier. A group without barriers is a plain loop on one fibre; only after a lane pauses
// does the next lane start on another fibre. ThreadSanitizer sees lanes as ordered only by
// barriers, so it reports races within a group.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/macros.hpp>

#include <cstddef>
#include <exception>
#include <string_view>

namespace hpk::fibers {

/// A lane of a kernel, as the message of a stack overflow names it.
struct lane_place {
  std::string_view pattern = {};          ///< "parallel_for", ...; empty if unknown
  std::string_view label = {};            ///< label of the kernel; empty without one
  const char* file = "";                  ///< source file of the launch
  long long line = 0;                     ///< 0 if unknown
  std::string_view group_kind = "group";  ///< what the program calls it: "team"
  long long group = -1;                   ///< number of the group, or -1
  std::string_view lane_kind = "lane";    ///< what the program calls a lane: "thread"
  long long lane = 0;                     ///< the fiber_group sets this and the members below
  long long lanes = 0;
  std::size_t stack_bytes = 0;
};

/// The work of a fiber_group.
struct fiber_plan {
  int lanes = 1;     ///< number of lanes of the group, 1 to 1024 (more is allowed)
  int subgroup = 1;  ///< power of two; lanes [k * subgroup, (k + 1) * subgroup) form subgroup k
  /// The order in which lanes run within each phase, a permutation; null for 0, 1, 2, ...
  const int* order = nullptr;
  /// Runs one lane to its end. An exception stops the group.
  void (*call)(void* context, int lane) = nullptr;
  /// Null, or called on the lane's stack before the lane pauses and after it returned or threw, but
  /// not while the lane is unwound because the group stopped. Must not throw.
  void (*paused)(void* context, int lane) = nullptr;
  /// Null, or describes the kernel and the group when a lane's stack has overflowed. Called in a
  /// signal handler, so it must be async-signal-safe.
  void (*describe)(const void* context, lane_place& place) noexcept = nullptr;
  void* context = nullptr;  ///< passed to call, paused and describe
  /// Whether ThreadSanitizer treats the lanes as ordered, as they run: for code that stores data of
  /// all lanes. Otherwise it treats them as concurrent, and finds their races.
  bool is_ordered = false;
};

/// How a group ended.
struct fiber_result {
  /// The ways to end.
  enum class kind {
    completed,  ///< every lane returned
    threw,      ///< a lane threw; the others were stopped
    diverged    ///< lanes wait for lanes that never arrive
  };
  kind how = kind::completed;           ///< how this group ended
  int lane = -1;                        ///< the lane that threw, or the lowest lane that waits
  int waiting = 0;                      ///< number of lanes that wait at the same place (diverged)
  int finished = 0;                     ///< number of lanes that returned
  bool at_subgroup = false;             ///< `lane` waits in sync_subgroup() or sync() (diverged)
  std::exception_ptr thrown = nullptr;  ///< exception of the lane, or why it got no stack (threw)
};

/// Runs groups, one at a time, on stacks that it reuses; it should live as long as its worker. A
/// switch makes no system call. The state of exception handling is switched with the lane, so a
/// lane may pause inside a catch block. A stack has 256 KiB. The 64 KiB below it are inaccessible,
/// and the 16 MiB below the stack of the first lane that runs. An overflow ends the program with
/// SIGSEGV, after a message that names the lane.
class fiber_group {
 public:
  fiber_group();
  ~fiber_group();
  fiber_group(const fiber_group&) = delete;
  fiber_group& operator=(const fiber_group&) = delete;

  /// Runs all lanes of the plan on the calling thread, in each phase in the plan's order. When a
  /// lane throws, or lanes wait for lanes that have returned, all paused lanes are unwound so that
  /// their destructors run. A lane may run another fiber_group. Throws hpk::error when this group
  /// is already running, and std::bad_alloc.
  fiber_result run(const fiber_plan& plan);

  /// The group whose lane the calling thread runs, or null.
  static fiber_group* current() noexcept { return current_; }
  /// The lane that is running. Call it only from a lane.
  int lane() const noexcept { return lane_; }
  /// The number of lanes of the group. Call it only from a lane.
  int lanes() const noexcept { return lanes_; }

  /// Waits for all lanes of the group. Call it only from a lane of this group that runs no other
  /// group. If the group stops meanwhile, throws an exception through the lane; do not catch it.
  /// Barriers of different `kind` do not match.
  void barrier(const void* kind = nullptr);
  /// Waits for all lanes in the same way; the last lane to arrive calls work(context) before any
  /// lane continues.
  void barrier(const void* kind, void (*work)(void*), void* context);
  /// Waits for the lanes of this lane's subgroup.
  void sync_subgroup();
  /// Waits for the lanes [k * width, (k + 1) * width) that contain this lane and exist. `width`: a
  /// power of two, at most the width of a subgroup.
  void sync(int width);
  /// Publishes an address. Other lanes may peek() at it after their next synchronisation with this
  /// lane, until this lane publishes another. Only for groups with subgroups.
  void publish(const void* value);
  /// Returns the address that a lane published.
  const void* peek(int lane) const;

 private:
  struct engine;
  static HPK_EXPORT constinit thread_local fiber_group* current_;
  engine* engine_;
  int lane_ = -1;
  int lanes_ = 0;
};

}  // namespace hpk::fibers
