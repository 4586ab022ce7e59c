// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the machines of all host spaces. A launch is type-erased once per group, so that the pool
// and the OpenMP region are compiled once (rule "compiled once"). A backend derives from
// host::machine, or from host::pooled_machine if it has several workers; its run() distributes the
// groups of a launch over its workers.
#pragma once

#include <hpk/backends/host/arena.hpp>
#include <hpk/backends/host/failure.hpp>
#include <hpk/backends/host/lane.hpp>
#include <hpk/backends/host/team.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/streaming.hpp>
#include <hpk/seam/turn.hpp>
#include <hpk/spaces/instance.hpp>

#include <cstdint>
#include <new>
#include <type_traits>

namespace hpk::host {

/// The description of a launch, in the memory of the calling thread; workers rarely read it.
struct launch_frame : seam::launch_info {
  seam::shape shape;
  failure_log failures;
};

/// A launch as workers see it: the type-erased body and the number of groups. It is smaller than a
/// cache line, and backends copy it to where workers fetch it soonest: fetching a line from the
/// launching CPU takes longer than a hundred iterations.
class erased_launch {
 public:
  /// No groups.
  erased_launch() noexcept = default;
  /// A launch without a frame; call place() before it runs. `body` must outlive the launch.
  template <class Body>
  explicit erased_launch(const Body& body) noexcept {
    if constexpr (is_copied<Body>) {
      ::new (static_cast<void*>(words_)) Body(body);
      call_ = [](const void* words, lane& l) {
        const Body& copy = *std::launder(static_cast<const Body*>(words));
        fetch_kernel(copy);
        copy(l);
      };
    } else {
      const void* kernel = &body;
      if constexpr (has_kernel<Body>) kernel = &reinterpret_cast<const std::byte&>(body.kernel);
      ::new (static_cast<void*>(words_)) body_reference<Body>{&body, kernel};
      call_ = [](const void* words, lane& l) {
        const auto& where = *std::launder(static_cast<const body_reference<Body>*>(words));
        where.fetch();
        (*where.body)(l);
      };
    }
  }

  /// Sets the description of the launch. Call it before the launch runs. `frame` must outlive the
  /// launch.
  void place(launch_frame& frame) noexcept {
    frame_ = &frame;
    groups_and_scratch_ =
        static_cast<std::uint64_t>(frame.shape.groups < 0 ? 0 : frame.shape.groups) << 1 |
        (frame.shape.scratch[0] + frame.shape.scratch[1] != 0 ? 1 : 0);
  }
  index_t groups() const noexcept { return static_cast<index_t>(groups_and_scratch_ >> 1); }
  launch_frame& frame() const noexcept { return *frame_; }
  const seam::shape& shape() const noexcept { return frame_->shape; }
  /// Whether shape() asks for scratch memory; known without fetching the frame.
  bool with_scratch() const noexcept { return (groups_and_scratch_ & 1) != 0; }
  void call(lane& l) const { call_(words_, l); }

 private:
  // Enough for a parallel_for with a static schedule. Larger bodies claim chunks, fold or scan,
  // which takes longer than fetching the body.
  static constexpr std::size_t most_bytes = 32;
  template <class Body>
  static constexpr bool is_copied =
      std::is_trivially_copyable_v<Body> && std::is_copy_constructible_v<Body> &&
      sizeof(Body) <= most_bytes && alignof(Body) <= alignof(void*);
  template <class T>
  static constexpr bool has_bytes = std::is_object_v<T> && !std::is_empty_v<T>;
  // Whether the body refers to a user's kernel in the memory of the calling thread.
  template <class Body>
  static constexpr bool has_kernel =
      requires(const Body& b) { requires has_bytes<std::remove_cvref_t<decltype(b.kernel)>>; };
  // Prefetches the kernel while the body computes its chunk.
  template <class Body>
  static void fetch_kernel([[maybe_unused]] const Body& body) noexcept {
    if constexpr (has_kernel<Body>) HPK_PREFETCH(&reinterpret_cast<const std::byte&>(body.kernel));
  }
  // The address of a body that is not copied. The body and the first line of the kernel are fetched
  // at the same time, because each wait for a line from another chip costs some hundred iterations.
  template <class Body>
  struct body_reference {
    const Body* body;
    const void* kernel;
    void fetch() const noexcept {
      HPK_PREFETCH(kernel);
      const auto* const bytes = reinterpret_cast<const std::byte*>(body);
      for (std::size_t k = 0; k < sizeof(Body); k += 64) HPK_PREFETCH(bytes + k);
      HPK_PREFETCH(bytes + sizeof(Body) - 1);
    }
  };

  void (*call_)(const void*, lane&) = nullptr;
  launch_frame* frame_ = nullptr;
  std::uint64_t groups_and_scratch_ = 0;  // the lowest bit: whether there is scratch
  alignas(void*) std::byte words_[most_bytes];
};
static_assert(sizeof(erased_launch) + 2 * sizeof(int) <= 64, "leaves room for a signal beside it");

/// Copying or filling this much takes about as long as a launch; smaller requests use one group.
inline constexpr std::size_t single_group_bytes = std::size_t{128} << 10;

/// Throws hpk::error, which names the space, if a new host instance is asked for on a device other
/// than number 0.
void check_request(const NewInstance& what, std::string_view space);
/// Returns `workers`. Throws hpk::error, which names the space, if `workers` < 1.
int expect_workers(int workers, std::string_view space);

/// Runs the groups of worker `rank` of `workers`, one after another; records their exceptions in
/// the log of the launch.
void run_groups(index_t rank, index_t workers, const erased_launch& launched) noexcept;

/// Base of the machines of host spaces. Launches are synchronous. Any thread may launch and waits
/// for its turn; a launch from inside a kernel runs inline on the calling thread (rule "one
/// instance, one launch at a time").
class machine {
 public:
  using lane = host::lane;
  using team_lane = host::team_lane;
  using workspace = host::workspace;
  /// Largest number of lanes of a team, as on GPUs (rule "teams of up to 1024 threads").
  static constexpr int largest_team = 1024;
  /// Limits of scratch by level: the caches of a core, and a sensible maximum.
  static constexpr std::size_t scratch_bytes[2] = {std::size_t{32} << 10, std::size_t{20} << 20};
  static constexpr bool runs_on_host = true;
  static constexpr bool synchronous = true;

  machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  virtual ~machine();

  /// Runs body(lane&) once for each group; returns when all are done. Rethrows the exception of the
  /// lowest failing iteration; throws hpk::error for more lanes than a host group has.
  template <class Body>
  void launch(const seam::shape& shape, const Body& body, const seam::launch_info& info) {
    erased_launch launched(body);
    launch_erased(shape, launched, info);
  }
  /// Runs a type-erased body in the same way.
  void launch_erased(const seam::shape& shape, erased_launch& launched,
                     const seam::launch_info& info);
  /// Runs one group without scratch. The caller must hold the turn.
  static void run_erased(const erased_launch& launched, const seam::launch_info& info) {
    const seam::working_scope working;
    const seam::kernel_scope scope(info);
    host::lane alone(0, 1, nullptr, nullptr);
    launched.call(alone);
  }

  /// Calls body(index) for each of `lanes` lanes of a group, as fibres of the calling thread.
  /// Inside body, team_lanes of these indices synchronise at barriers.
  template <class Body>
  static void run_lanes(const Body& body, index_t group, int lanes) {
    const auto run = [](const void* b, int index) { (*static_cast<const Body*>(b))(index); };
    host::run_lanes({run, &body}, group, lanes);
  }

  /// Copies bytes; large copies are shared among the workers.
  void copy(void* to, const void* from, std::size_t bytes);
  /// Sets bytes to `value`; large fills are shared among the workers, for first touch.
  void fill(void* to, int value, std::size_t bytes);
  /// Waits for the launches of other threads and drains the caller's streaming stores. The caller's
  /// own launches are done already.
  void fence() noexcept {
    detail::drain_streaming_stores();
    if (!turns.is_free()) const seam::turn last(*this);
  }
  /// Fences every instance of every host space.
  static void fence_all();
  /// Makes this machine run the launches of all host machines. Call it while no launch is under
  /// way.
  void take_all_launches() noexcept;
  /// The NUMA domains of the process.
  static int memory_domains() noexcept;

  /// The number of space objects that refer to this instance.
  detail::atomic_word<int> owners{0};
  /// The threads that wait to use this instance.
  seam::turn_queue turns;

 protected:
  /// Calls run_groups for each rank of as many workers as it needs, and returns when all are done.
  /// Requires at least two groups, one call at a time, and no call from inside a kernel.
  virtual void run(const erased_launch& launched) = 0;
  /// The number of groups that can run at the same time.
  virtual index_t workers() const noexcept = 0;

 private:
  void copy_shared(void* to, const void* from, std::size_t bytes);
  void fill_shared(void* to, int value, std::size_t bytes);
};

}  // namespace hpk::host
