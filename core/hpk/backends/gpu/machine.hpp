// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine of every GPU space: a stream, workspaces that are used again in stream order, and
// launches that return early. All of it is written once; R spells the calls (runtime.hpp).
#pragma once

#include <hpk/backends/gpu/lane.hpp>
#include <hpk/backends/gpu/runtime.hpp>
#include <hpk/backends/gpu/workspace_pool.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/host_call.hpp>
#include <hpk/seam/memory.hpp>
#include <hpk/seam/turn.hpp>
#include <hpk/spaces/instance.hpp>

#include <utility>

namespace hpk::gpu {

/// Throws hpk::error naming pattern, label and limit when a launch asks for more than there is.
void check_shape(const seam::shape& shape, const seam::machine_properties& limits,
                 const seam::launch_info& info);

/// Ends the access of host code to device memory: throws hpk::error with label and index.
[[noreturn]] void reject_host_access(const seam::element_access& access);

/// Throws hpk::error: a kernel of a GPU launches, copies and fills nothing.
[[noreturn]] void reject_in_kernel(std::string_view pattern);

/// Base of the machines of GPU spaces over a runtime R. One object per instance.
template <class R>
class machine {
 public:
  using runtime = R;
  using lane = gpu::lane<R>;
  static constexpr bool runs_on_host = false;
  static constexpr bool synchronous = false;
  /// The memory of a vendor waits for kernels before it ends, so that nothing need be kept for
  /// them.
  static constexpr bool deallocation_waits = !R::owns_bodies;

  /// Device memory for the launches made during its lifetime. Given back at the end of it, though
  /// the launches may not have run: the next to get it is behind them in the stream.
  class workspace {
   public:
    workspace(machine& owner, std::size_t bytes)
        : pool_(&owner.pool_), block_(pool_->lease(bytes)) {}
    ~workspace() { pool_->give_back(block_); }
    workspace(const workspace&) = delete;
    workspace& operator=(const workspace&) = delete;
    /// Aligned to 64 at least; the address that kernels use.
    void* data() const noexcept { return block_.data; }

   private:
    workspace_pool* pool_;
    workspace_pool::block block_;
  };

  /// An instance with a queue of its own, on the device that the settings choose.
  machine() : machine(NewInstance()) {}
  /// The same, as `what` asks for.
  explicit machine(const NewInstance& what) : machine(create_stream(what), what.blocking) {}
  /// An instance over a queue that R made.
  explicit machine(typename R::stream_type stream, bool blocking = false)
      : stream_(stream),
        pool_(allocator()),
        blocking_(blocking || seam::current_settings().launch_blocking) {}
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() {
    R::synchronize(stream_);
    seam::forget_host_calls(this);
    pool_.clear();
    R::destroy_stream(stream_);
  }

  seam::machine_properties properties() const { return R::properties(stream_); }

  /// Runs body(lane&) for every lane of every group, after all that the instance was given before.
  /// Returns early, unless the instance blocks; the body is copied, or moved if it may be. Throws
  /// hpk::error when the shape asks for more lanes or scratch than a group may have.
  template <class Body>
  void launch(const seam::shape& shape, Body&& body, const seam::launch_info& info) {
    if (seam::inside_queue()) reject_in_kernel(info.pattern);
    check_shape(shape, properties(), info);
    if (shape.groups > 0) R::launch(*this, shape, std::forward<Body>(body), info);
    finish_if_blocking();
  }
  /// Copies bytes between any two of host memory and device memory.
  void copy(void* to, const void* from, std::size_t bytes) {
    if (seam::inside_queue()) reject_in_kernel("copy");
    if (bytes != 0) R::copy(stream_, to, from, bytes);
    finish_if_blocking();
  }
  /// Sets bytes of device memory.
  void fill(void* to, int value, std::size_t bytes) {
    if (seam::inside_queue()) reject_in_kernel("fill");
    if (bytes != 0) R::fill(stream_, to, value, bytes);
    finish_if_blocking();
  }
  /// Throws what a host call threw.
  void fence() {
    R::synchronize(stream_);
    seam::settle_host_calls(this);
  }
  /// Runs `call` on the host, between what the instance was given before and after.
  void call(seam::host_call* call)
    requires requires(typename R::stream_type s) { R::call(s, call); }
  {
    R::call(stream_, call);
    finish_if_blocking();
  }
  /// Events, of runtimes that have them.
  Event record()
    requires requires(typename R::stream_type s) { R::record(s); }
  {
    return R::record(stream_);
  }
  /// The same, and elapsed_seconds() knows when the work was done.
  Event record_timed()
    requires requires(typename R::stream_type s) { R::record_timed(s); }
  {
    return R::record_timed(stream_);
  }
  void wait(const Event& event)
    requires requires(typename R::stream_type s) { R::wait(s, event); }
  {
    if (!event.ready()) R::wait(stream_, event);
  }
  bool idle()
    requires requires(typename R::stream_type s) { R::is_idle(s); }
  {
    return R::is_idle(stream_);
  }
  static void fence_all() {
    R::synchronize_all();
    seam::settle_host_calls(nullptr);
  }

  /// From now on no workspace is used twice: a graph holds all launches that follow.
  void keep_workspaces() noexcept { pool_.keep(); }

  /// What the runtime calls a queue of work.
  typename R::stream_type stream() const noexcept { return stream_; }

  /// Counts the copies of the space that hold this instance.
  detail::atomic_word<int> owners{0};
  /// The threads that want to give it work: what belongs together stays together in its stream.
  seam::turn_queue turns;

 private:
  static typename R::stream_type create_stream(const NewInstance& what) {
    if constexpr (requires { R::create_stream(0, 0); }) {
      return R::create_stream(what.device, what.priority);
    } else {
      return R::create_stream(what.device);
    }
  }
  void finish_if_blocking() {
    // A queue that ends what a kernel captured does not wait for itself.
    if (!blocking_ || seam::load_occupation() == seam::occupation::works) [[likely]]
      return;
    // What is recorded runs later.
    if constexpr (requires { stream_->recording; }) {
      if (stream_->recording) return;
    }
    fence();
  }
  workspace_pool::allocator allocator() const {
    return {[](void* stream, std::size_t bytes) {
              return R::allocate_workspace(static_cast<typename R::stream_type>(stream), bytes);
            },
            &R::free_workspace, stream_};
  }

  typename R::stream_type stream_;
  workspace_pool pool_;
  bool blocking_;
};

}  // namespace hpk::gpu
