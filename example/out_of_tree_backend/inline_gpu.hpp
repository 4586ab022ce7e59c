// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A complete GPU backend outside of hpk. InlineGpu runs kernels as a GPU does, in groups of lanes
// with barriers, scratch and shuffles, on the calling thread. This file only implements the
// interface of a GPU runtime; lane, machine, workspaces, limits and all patterns come from hpk.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>
#include <hpk/backends/gpu/machine.hpp>
#include <hpk/backends/gpu/memory.hpp>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace inline_gpu {

using hpk::index_t;

/// A queue of work. It holds nothing, because each call returns when its work is done.
struct stream {};

/// The group that runs on this thread, for calls from its lanes.
struct group {
  static constexpr int width = 8;  ///< lanes of a sub-group
  hpk::fibers::fiber_group fibers;
  int lanes = 1;
  std::vector<std::byte> scratch[2];
  static inline thread_local group* current = nullptr;
};

/// Models hpk::gpu::gpu_runtime.
class runtime {
 public:
  using stream_type = stream*;
  static constexpr bool takes_neighbours = true;
  static constexpr bool owns_bodies = true;

  static int lane_index() noexcept { return group::current->fibers.lane(); }
  static int lanes() noexcept { return group::current->lanes; }
  static int subgroup() noexcept { return group::width; }
  static void barrier() { group::current->fibers.barrier(); }
  static std::byte* scratch() noexcept { return group::current->scratch[0].data(); }
  template <class T>
  static T shuffle(T value, int from, int width) {
    if (width == 1) return value;
    group& own = *group::current;
    const int source = lane_index() / width * width + from;
    own.fibers.publish(&value);
    own.fibers.sync(width);
    const T result = source < own.lanes ? *static_cast<const T*>(own.fibers.peek(source)) : value;
    own.fibers.sync(width);
    return result;
  }
  static std::uint64_t ballot(bool flag) {
    std::uint64_t flags = 0;
    const int lanes = group::current->lanes - lane_index() / group::width * group::width;
    for (int lane = 0; lane < group::width; ++lane) {
      const bool its = shuffle(flag, lane, group::width);
      if (its && lane < lanes) flags |= std::uint64_t{1} << lane;
    }
    return flags;
  }
  static bool any(bool flag) { return ballot(flag) != 0; }
  static void sync(int width) { group::current->fibers.sync(width); }

  static stream* create_stream(int /*device*/) { return new stream; }
  static void destroy_stream(stream* s) noexcept { delete s; }
  static void synchronize(stream*) {}
  static void synchronize_all() {}
  static void* allocate_workspace(stream*, std::size_t bytes) {
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  }
  static void free_workspace(void* data, std::size_t) noexcept { std::free(data); }
  static void copy(stream*, void* to, const void* from, std::size_t bytes) {
    std::memmove(to, from, bytes);
  }
  static void fill(stream*, void* to, int value, std::size_t bytes) {
    std::memset(to, value, bytes);
  }
  static hpk::seam::machine_properties properties(stream*) {
    return {.name = "InlineGpu",
            .preferred_lanes = 32,
            .largest_lanes = 256,
            .scratch_bytes = {48u << 10, 1u << 20},
            .subgroup = group::width,
            .lane_iterations = 64};
  }

  template <class Machine, class Body>
  static void launch(Machine&, const hpk::seam::shape& shape, const Body& body,
                     const hpk::seam::launch_info& info) {
    const hpk::seam::kernel_scope inside(info);
    static thread_local group own;
    group::current = &own;
    own.lanes = shape.lanes;
    // 16 bytes more, so that scratch can begin at an address aligned to 16, as vectors of bytes
    // need.
    for (int level : {0, 1}) own.scratch[level].resize(shape.scratch[level] + 16);
    struct call {
      const Body* body;
      index_t group, groups;
    } now{&body, 0, shape.groups};
    for (; now.group != shape.groups; ++now.group) {
      const auto result = own.fibers.run(
          {.lanes = shape.lanes,
           .subgroup = group::width,
           .call =
               [](void* context, int) {
                 const call& c = *static_cast<call*>(context);
                 hpk::gpu::lane<runtime> lane(c.group, c.groups, group::current->scratch[1].data());
                 (*c.body)(lane);
               },
           .context = &now});
      if (result.how == hpk::fibers::fiber_result::kind::diverged)
        hpk::abort("InlineGpu: a barrier that not all lanes reach");
      if (result.thrown != nullptr) hpk::abort("InlineGpu: an exception left a kernel");
    }
  }
};
static_assert(hpk::gpu::gpu_runtime<runtime>);

class InlineGpu;
/// The memory of InlineGpu, which host code can access.
struct InlineGpuSpace : hpk::seam::memory_space_base<InlineGpuSpace, InlineGpu> {
  /// "InlineGpu"
  static constexpr const char* name() noexcept { return "InlineGpu"; }
};
/// Runs kernels as a GPU does, on the calling thread.
class InlineGpu : public hpk::seam::space_base<InlineGpu, InlineGpuSpace, hpk::LayoutLeft> {
 public:
  InlineGpu() = default;
  explicit InlineGpu(hpk::NewInstance);
  /// "InlineGpu"
  static constexpr const char* name() noexcept { return "InlineGpu"; }
};

}  // namespace inline_gpu

namespace hpk::seam {

template <>
class machine<inline_gpu::InlineGpu> : public gpu::machine<inline_gpu::runtime> {
  static inline seam::default_instance<machine> only;

 public:
  static machine& default_instance() {
    return only.get([] { return new machine; });
  }
  static void start(const settings&) { only.reset(); }
  static void stop() noexcept { only.reset(); }
  void describe(fact_sink& sink) const {
    sink.section("InlineGpu");
    sink.fact("lanes of a sub-group", "8");
  }
  static constexpr std::uint32_t tool_id() noexcept { return 201u << 24; }
};

template <>
class memory<inline_gpu::InlineGpuSpace> {
 public:
  using home = inline_gpu::InlineGpu;
  static constexpr accessibility access = accessibility::both;
  static void* allocate(std::size_t bytes, std::size_t align) {
    return std::aligned_alloc(align, (bytes + align - 1) / align * align);
  }
  static void deallocate(void* data, std::size_t, std::size_t) noexcept { std::free(data); }
};

}  // namespace hpk::seam

inline inline_gpu::InlineGpu::InlineGpu(hpk::NewInstance)
    : space_base(new hpk::seam::machine<InlineGpu>) {}
