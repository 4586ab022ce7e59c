// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine of every GPU space: a stream, workspaces that are reused in stream order, and
// asynchronous launches. Written once for all runtimes; R supplies the calls (runtime.hpp).
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

/// Throws hpk::error naming pattern, label and limit if a launch exceeds the limits of the device.
void check_shape(const seam::shape& shape, const seam::machine_properties& limits,
                 const seam::launch_info& info);

/// Handles an access of host code to device memory: throws hpk::error with label and index.
[[noreturn]] void reject_host_access(const seam::element_access& access);

/// Throws hpk::error: kernels on a GPU cannot launch, copy or fill.
[[noreturn]] void reject_in_kernel(std::string_view pattern);

/// Base of the machines of GPU spaces with runtime R. One object per instance.
template <class R>
class machine {
 public:
  using runtime = R;
  using lane = gpu::lane<R>;
  static constexpr bool runs_on_host = false;
  static constexpr bool synchronous = false;
  /// Freeing the vendors' device memory waits for running kernels, so they need not keep their
  /// Views alive.
  static constexpr bool deallocation_waits = !R::owns_bodies;

  /// Device memory for the launches made during the lifetime of the object. The destructor returns
  /// it, even if the launches have not run yet: the next user comes later in the stream.
  class workspace {
   public:
    workspace(machine& owner, std::size_t bytes) : workspace(owner.pool_, bytes) {}
    ~workspace() { pool_->give_back(block_); }
    workspace(const workspace&) = delete;
    workspace& operator=(const workspace&) = delete;
    /// The device address, aligned to at least 64 bytes.
    void* data() const noexcept { return block_.data; }

   protected:
    workspace(workspace_pool& pool, std::size_t bytes) : pool_(&pool), block_(pool.lease(bytes)) {}

   private:
    workspace_pool* pool_;
    workspace_pool::block block_;
  };
  /// A workspace whose bytes are 0 when it is leased; launches must leave them 0.
  class zeroed_workspace : public workspace {
   public:
    zeroed_workspace(machine& owner, std::size_t bytes) : workspace(owner.zeroed_pool_, bytes) {}
  };
  /// Memory of the host that kernels write, and that the host reads after a fence.
  class pinned_workspace : public workspace {
   public:
    pinned_workspace(machine& owner, std::size_t bytes) : workspace(owner.host_pool_, bytes) {}
  };

  /// An instance with its own stream, on the device that the settings choose.
  machine() : machine(NewInstance()) {}
  /// An instance with the given options.
  explicit machine(const NewInstance& what) : machine(create_stream(what), what.blocking) {}
  /// An instance that uses a stream made by R.
  explicit machine(typename R::stream_type stream, bool blocking = false)
      : stream_(stream),
        pool_({allocate_block, &R::free_workspace, stream, most_pooled_bytes}),
        zeroed_pool_({allocate_zeroed_block, &R::free_workspace, stream, most_pooled_bytes}),
        host_pool_({allocate_host_block, free_host_block, stream}),
        blocking_(blocking || seam::current_settings().launch_blocking) {}
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() {
    if constexpr (requires { R::drain(stream_); }) {
      R::drain(stream_);
    } else {
      R::synchronize(stream_);
    }
    seam::forget_host_calls(this);
    pool_.clear();
    zeroed_pool_.clear();
    host_pool_.clear();
    R::destroy_stream(stream_);
  }

  seam::machine_properties properties() const { return R::properties(stream_); }

  /// Runs body(lane&) for every lane of every group, after all work submitted to the instance
  /// before. Returns early unless the instance is blocking. Moves or copies the body. Throws
  /// hpk::error if a group would exceed the device's lanes or scratch.
  template <class Body>
  void launch(const seam::shape& shape, Body&& body, const seam::launch_info& info) {
    if (seam::inside_queue()) reject_in_kernel(info.pattern);
    check_shape(shape, properties(), info);
    if (shape.groups > 0) R::launch(*this, shape, std::forward<Body>(body), info);
    finish_if_blocking();
  }
  /// Copies bytes between host memory and device memory, in any direction.
  void copy(void* to, const void* from, std::size_t bytes) {
    if (seam::inside_queue()) reject_in_kernel("copy");
    if (bytes != 0) R::copy(stream_, to, from, bytes);
    finish_if_blocking();
  }
  /// Fills device memory with a byte value.
  void fill(void* to, int value, std::size_t bytes) {
    if (seam::inside_queue()) reject_in_kernel("fill");
    if (bytes != 0) R::fill(stream_, to, value, bytes);
    finish_if_blocking();
  }
  /// Waits for all work; rethrows exceptions of host calls.
  void fence() {
    R::synchronize(stream_);
    seam::settle_host_calls(this);
  }
  /// Runs `call` on the host, in the order of this instance.
  void call(seam::host_call* call)
    requires requires(typename R::stream_type s) { R::call(s, call); }
  {
    R::call(stream_, call);
    finish_if_blocking();
  }
  /// Records an event, if the runtime has events.
  Event record()
    requires requires(typename R::stream_type s) { R::record(s); }
  {
    return R::record(stream_);
  }
  /// Records an event that elapsed_seconds() accepts.
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

  /// Disables the reuse of workspaces: all later launches become parts of a graph.
  void disable_workspace_reuse() noexcept {
    pool_.disable_reuse();
    zeroed_pool_.disable_reuse();
  }

  /// The runtime's handle of the stream.
  typename R::stream_type stream() const noexcept { return stream_; }

  /// The number of handles that own this instance.
  detail::atomic_word<int> owners{0};
  /// Serialises host threads, so that the launches of one pattern are contiguous in the stream.
  seam::turn_queue turns;

 private:
  // Bytes that a sort of 2^26 numbers needs. A larger workspace is freed, which takes less time
  // than the work that used it.
  static constexpr std::size_t most_pooled_bytes =
      deallocation_waits ? std::size_t{1} << 30 : workspace_pool::all;

  static typename R::stream_type create_stream(const NewInstance& what) {
    if constexpr (requires { R::create_stream(0, 0); }) {
      return R::create_stream(what.device, what.priority);
    } else {
      return R::create_stream(what.device);
    }
  }
  void finish_if_blocking() {
    // A thread that runs part of the queue must not wait for the queue, for instance while it
    // destroys the captures of a kernel.
    if (!blocking_ || seam::load_occupation() == seam::occupation::works) [[likely]]
      return;
    // Recorded work runs later.
    if constexpr (requires { stream_->recording; }) {
      if (stream_->recording) return;
    }
    fence();
  }
  static void* allocate_block(void* stream, std::size_t bytes) {
    return R::allocate_workspace(static_cast<typename R::stream_type>(stream), bytes);
  }
  static void* allocate_zeroed_block(void* stream, std::size_t bytes) {
    void* const data = allocate_block(stream, bytes);
    try {
      R::fill(static_cast<typename R::stream_type>(stream), data, 0, bytes);
    } catch (...) {
      R::free_workspace(data, bytes);
      throw;
    }
    return data;
  }
  static void* allocate_host_block(void* stream, std::size_t bytes) {
    if constexpr (requires(typename R::stream_type s) { R::allocate_host_workspace(s, bytes); }) {
      return R::allocate_host_workspace(static_cast<typename R::stream_type>(stream), bytes);
    } else {
      return nullptr;
    }
  }
  static void free_host_block(void* data, std::size_t bytes) noexcept {
    if constexpr (requires { R::free_host_workspace(data, bytes); })
      R::free_host_workspace(data, bytes);
  }

  typename R::stream_type stream_;
  workspace_pool pool_;
  workspace_pool zeroed_pool_;
  workspace_pool host_pool_;
  bool blocking_;
};

}  // namespace hpk::gpu
