// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the machines of all host spaces. A launch is type-erased once per group, so that a pool
// or an OpenMP region is compiled once (R18). A backend derives from host::machine; its run()
// distributes the groups of a launch over its workers.
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

/// What a launch is, where the calling thread keeps it. Its workers rarely look.
struct launch_frame : seam::launch_info {
  seam::shape shape;
  failure_log failures;
};

/// One launch as its workers see it: the body without its type, and how often it is called. Less
/// than a cache line, which a backend copies to where its workers find it soonest: what they need
/// from the CPU that launches takes longer to fetch than a hundred iterations.
class erased_launch {
 public:
  /// No groups.
  erased_launch() noexcept = default;
  /// The body and the frame must outlive the launch.
  template <class Body>
  erased_launch(launch_frame& frame, const Body& body) noexcept
      : frame_(&frame),
        groups_and_scratch_(
            static_cast<std::uint64_t>(frame.shape.groups < 0 ? 0 : frame.shape.groups) << 1 |
            (frame.shape.scratch[0] + frame.shape.scratch[1] != 0 ? 1 : 0)) {
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
      ::new (static_cast<void*>(words_)) elsewhere<Body>{&body, kernel};
      call_ = [](const void* words, lane& l) {
        const auto& where = *std::launder(static_cast<const elsewhere<Body>*>(words));
        where.fetch();
        (*where.body)(l);
      };
    }
  }

  index_t groups() const noexcept { return static_cast<index_t>(groups_and_scratch_ >> 1); }
  launch_frame& frame() const noexcept { return *frame_; }
  const seam::shape& shape() const noexcept { return frame_->shape; }
  /// The memory that shape() asks for; the frame is not looked at when there is none.
  bool with_scratch() const noexcept { return (groups_and_scratch_ & 1) != 0; }
  void call(lane& l) const { call_(words_, l); }

 private:
  // A parallel_for over static pieces fits. Larger bodies claim, fold or scan, which takes longer
  // than to fetch them.
  static constexpr std::size_t most_bytes = 32;
  template <class Body>
  static constexpr bool is_copied =
      std::is_trivially_copyable_v<Body> && std::is_copy_constructible_v<Body> &&
      sizeof(Body) <= most_bytes && alignof(Body) <= alignof(void*);
  template <class T>
  static constexpr bool has_bytes = std::is_object_v<T> && !std::is_empty_v<T>;
  // The user's kernel lies with the calling thread.
  template <class Body>
  static constexpr bool has_kernel =
      requires(const Body& b) { requires has_bytes<std::remove_cvref_t<decltype(b.kernel)>>; };
  // It is fetched while the body finds out its piece.
  template <class Body>
  static void fetch_kernel([[maybe_unused]] const Body& body) noexcept {
    if constexpr (has_kernel<Body>) HPK_PREFETCH(&reinterpret_cast<const std::byte&>(body.kernel));
  }
  // Where a body is that is not copied. It and the first line of the kernel are fetched side by
  // side: what lies on another chip takes as long as some hundred iterations each time that one
  // waits for it.
  template <class Body>
  struct elsewhere {
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
  std::uint64_t groups_and_scratch_ = 0;  // the lowest bit says whether there is scratch
  alignas(void*) std::byte words_[most_bytes];
};
static_assert(sizeof(erased_launch) + 2 * sizeof(int) <= 64, "leaves room for a signal beside it");

/// A launch takes about as long as copying this much.
inline constexpr std::size_t single_group_bytes = std::size_t{128} << 10;

/// Runs the groups of worker `rank` of `workers`, one after another; what they throw goes to
/// the log of the launch.
void run_groups(index_t rank, index_t workers, const erased_launch& launched) noexcept;

/// Base of the machines of host spaces. Launches are synchronous: a launch returns when its work is
/// done. Any thread may launch and waits its turn; a launch from inside a kernel runs inline on the
/// calling thread (R6).
class machine {
 public:
  using lane = host::lane;
  using team_lane = host::team_lane;
  using workspace = host::workspace;
  /// The lanes of a team; what GPUs have (R8).
  static constexpr int largest_team = 1024;
  static constexpr bool runs_on_host = true;
  static constexpr bool synchronous = true;

  machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  virtual ~machine();

  /// Runs body(lane&) once for every group; returns when all are done. Throws what the lowest
  /// failing iteration threw; hpk::error when more lanes are asked for than a host group has.
  template <class Body>
  void launch(const seam::shape& shape, const Body& body, const seam::launch_info& info) {
    launch_frame frame{info, shape, {}};
    launch(erased_launch(frame, body));
  }

  /// Calls body(index) for each of so many lanes of a group, as fibres of the calling thread: in
  /// it, team_lanes of these indices meet at barriers.
  template <class Body>
  static void run_lanes(const Body& body, index_t group, int lanes) {
    const auto run = [](const void* b, int index) { (*static_cast<const Body*>(b))(index); };
    host::run_lanes({run, &body}, group, lanes);
  }

  /// Copies bytes; large copies are shared among the workers.
  void copy(void* to, const void* from, std::size_t bytes);
  /// Sets bytes to `value`; large fills are shared among the workers, so that they touch first.
  void fill(void* to, int value, std::size_t bytes);
  /// Waits for what other threads launched; what the caller did is done, also what it stored past
  /// the caches.
  void fence() noexcept {
    detail::drain_streaming_stores();
    if (!turns.is_free()) const seam::turn last(*this);
  }
  /// The same for every instance of every host space.
  static void fence_all();

  /// Counts the copies of the space that hold this instance.
  detail::atomic_word<int> owners{0};
  /// The threads that want to use it.
  seam::turn_queue turns;

 protected:
  /// Calls run_groups for every rank of as many workers as it takes, and returns when all are done.
  /// At least two groups; not from inside a kernel; one call at a time.
  virtual void run(const erased_launch& launched) = 0;
  /// Groups that run at the same time.
  virtual index_t workers() const noexcept = 0;

 private:
  void launch(const erased_launch& launched);
};

/// Holds the default instance of a host machine M.
template <class M>
using default_instance = seam::default_instance<M>;

}  // namespace hpk::host
