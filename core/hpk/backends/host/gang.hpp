// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the machines of all host spaces share: launches become calls of one group body by several
// workers, type-erased once per group, so that a pool or an OpenMP region is compiled once (R18).
// A backend derives from gang and says in run() how its workers call the groups.
#pragma once

#include <hpk/backends/host/arena.hpp>
#include <hpk/backends/host/failure.hpp>
#include <hpk/backends/host/lane.hpp>
#include <hpk/seam/machine.hpp>

#include <atomic>

namespace hpk::host {

/// A kernel body without its type: call(object, lane).
struct group_body {
  const void* object;
  const void* kernel;  ///< what the body reads next, to be fetched early by another CPU
  void (*call)(const void*, lane&);
  void operator()(lane& l) const { call(object, l); }
};

/// The user's kernel of a body that has one, else the body.
template <class Body>
const void* kernel_of(const Body& body) noexcept {
  if constexpr (requires { &body.kernel; }) {
    return static_cast<const void*>(&body.kernel);
  } else {
    return &body;
  }
}

/// A launch takes about as long as copying this much.
inline constexpr std::size_t single_group_bytes = std::size_t{128} << 10;

/// Runs the groups that worker `rank` of `workers` owns, one after another; failures are collected.
void run_share(index_t rank, index_t workers, const seam::shape& shape, group_body body,
               const seam::launch_info& info, failure_log& failures) noexcept;

/// Base of the machines of host spaces. Launches are synchronous: a launch returns when its work is
/// done. Any thread may launch; a launch from inside a kernel runs inline on the calling thread
/// (R6).
class gang {
 public:
  using lane = host::lane;
  using workspace = host::workspace;
  static constexpr bool runs_on_host = true;
  static constexpr bool synchronous = true;
  static constexpr int subgroup = 1;

  gang() = default;
  gang(const gang&) = delete;
  gang& operator=(const gang&) = delete;
  virtual ~gang() = default;

  /// Runs body(lane&) once for every group; returns when all are done. Throws what the lowest
  /// failing iteration threw; hpk::error when more lanes are asked for than a host group has.
  template <class Body>
  void launch(const seam::shape& shape, const Body& body, const seam::launch_info& info) {
    const group_body erased{&body, kernel_of(body), [](const void* object, host::lane& l) {
                              (*static_cast<const Body*>(object))(l);
                            }};
    if (shape.groups <= 1 || seam::inside_kernel()) {
      run_inline(shape, erased, info);
    } else {
      run(shape, erased, info);
    }
  }

  /// Copies bytes; large copies are shared among the workers.
  void copy(void* to, const void* from, std::size_t bytes);
  /// Sets bytes to `value`; large fills are shared among the workers, so that they touch first.
  void fill(void* to, int value, std::size_t bytes);
  /// Nothing to wait for: launches are synchronous.
  void fence() const noexcept {}
  static void fence_all() noexcept {}

  /// Counts the copies of the space that hold this instance.
  std::atomic<int> owners{0};

 protected:
  /// Runs the groups on the workers; at least two groups, not from inside a kernel.
  virtual void run(const seam::shape& shape, group_body body, const seam::launch_info& info) = 0;
  /// Groups that run at the same time.
  virtual index_t workers() const noexcept = 0;

 private:
  static void run_inline(const seam::shape& shape, group_body body, const seam::launch_info& info);
};

/// Holds the default instance of a host machine M: made on first use by make(), which may throw;
/// never destroyed at exit (a static View may still need it), only by reset().
template <class M>
class default_instance {
 public:
  template <class Make>
  static M& get(Make make) {
    M* machine = current_.load(std::memory_order_acquire);
    return machine != nullptr ? *machine : start(make);
  }
  /// Ends the default instance; the next use makes a new one. No launch may be running.
  static void reset() noexcept { delete current_.exchange(nullptr, std::memory_order_acq_rel); }

 private:
  template <class Make>
  static M& start(Make make) {
    M* fresh = make();
    M* expected = nullptr;
    if (current_.compare_exchange_strong(expected, fresh, std::memory_order_acq_rel)) return *fresh;
    delete fresh;
    return *expected;
  }
  static inline constinit std::atomic<M*> current_{nullptr};
};

}  // namespace hpk::host
