// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime of the emulated GPU: lanes are fibres, and streams are queues with a thread.
#pragma once

#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>
#include <hpk/backends/emu/task.hpp>
#include <hpk/backends/gpu/lane.hpp>
#include <hpk/backends/gpu/runtime.hpp>
#include <hpk/seam/host_call.hpp>

#include <cstddef>
#include <type_traits>

namespace hpk::emu {

class queue;

/// Models gpu::gpu_runtime.
class runtime {
 public:
  using stream_type = queue*;
  static constexpr bool takes_neighbours = true;
  static constexpr bool owns_bodies = true;

  static int lane_index() noexcept { return running_group::current()->fibers->lane(); }
  static int lanes() noexcept { return running_group::current()->lanes; }
  static int subgroup() noexcept { return running_group::current()->subgroup; }
  static void barrier(const void* kind = nullptr) { running_group::current()->barrier(kind); }
  static std::byte* scratch() noexcept { return running_group::current()->scratch[0]; }
  template <class T>
  static T shuffle(T value, int from, int width) {
    running_group& me = *running_group::current();
    const int lane = me.fibers->lane();
    if (from < 0 || from >= width) report_missing_lane(from, width);
    const int source = (lane & ~(width - 1)) + from;
    if constexpr (sizeof(T) <= sizeof(exchange_slot) && std::is_trivially_copyable_v<T>) {
      exchange_slot* slots = me.publish(lane, value, width);
      return source < me.lanes ? me.peek<T>(slots, source) : value;
    } else {
      // Too large for a slot: lanes publish the address, and no lane continues until all have read.
      exchange_slot* slots = me.publish(lane, &value, width);
      const T result = source < me.lanes ? *me.peek<const T*>(slots, source) : value;
      me.sync(width);
      return result;
    }
  }
  /// Always false: fibres don't know whether all lanes of a sub-group exist.
  static bool is_whole() noexcept { return false; }
  template <class T>
  static T shuffle_xor(T value, int by) {
    const running_group& me = *running_group::current();
    return shuffle(value, (me.fibers->lane() & (me.subgroup - 1)) ^ by, me.subgroup);
  }
  static bool any(bool flag) { return ballot(flag) != 0; }
  static std::uint64_t ballot(bool flag) {
    running_group& me = *running_group::current();
    const int lane = me.fibers->lane();
    const int first = lane & ~(me.subgroup - 1);
    exchange_slot* slots = me.publish(lane, flag, me.subgroup);
    std::uint64_t flags = 0;
    for (int k = first; k < first + me.subgroup && k < me.lanes; ++k) {
      if (me.peek<bool>(slots, k)) flags |= std::uint64_t{1} << (k - first);
    }
    return flags;
  }
  static void sync(int width) { running_group::current()->sync(width); }
  static bool is_counted() noexcept;
  static void begin_iteration() noexcept;

  static queue* create_stream(int device = -1);
  static int device_of(queue* stream) noexcept;
  static void destroy_stream(queue* stream) noexcept;
  static void synchronize(queue* stream);
  static void synchronize_all();
  static Event record(queue* stream);
  static Event record_timed(queue* stream) { return record(stream); }
  static void wait(queue* stream, const Event& event);
  static bool is_idle(queue* stream) noexcept;
  static void call(queue* stream, seam::host_call* work);
  static void* allocate_workspace(queue* stream, std::size_t bytes);
  static void free_workspace(void* data, std::size_t bytes) noexcept;
  static void copy(queue* stream, void* to, const void* from, std::size_t bytes);
  static void fill(queue* stream, void* to, int value, std::size_t bytes);
  static seam::machine_properties properties(queue* stream);

  template <class Machine, class Body>
  static void launch(Machine& machine, const seam::shape& shape, Body&& body,
                     const seam::launch_info& info) {
    using held = kernel_task<gpu::lane<runtime>, std::remove_cvref_t<Body>>;
    submit(machine.stream(), new held(shape, std::forward<Body>(body), info));
  }

 private:
  // Takes ownership of `work`.
  static void submit(queue* stream, task* work);
};

static_assert(gpu::gpu_runtime<runtime>);

}  // namespace hpk::emu
