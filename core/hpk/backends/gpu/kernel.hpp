// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only kernel of the vendors' GPUs: calls a body for every lane of every group. Only for files
// compiled by a GPU compiler; the vendor's header includes it there.
#pragma once

#include <hpk/backends/gpu/vendor.hpp>

namespace hpk::gpu {

/// The launch bound of a body: its maximum number of lanes per group, which limits registers per
/// lane. A body sets it with `most_lanes`.
template <class Body>
constexpr int most_lanes_of() {
  if constexpr (requires { Body::most_lanes; }) {
    return Body::most_lanes;
  } else {
    return 1024;
  }
}
/// The second launch bound of a body, which sets the least number of groups resident on a
/// multiprocessor with `least_groups`. HIP counts in wavefronts per execution unit, of which a
/// multiprocessor has four.
template <class Body>
constexpr int least_groups_of() {
  if constexpr (requires { Body::least_groups; }) {
    constexpr int wavefronts = (most_lanes_of<Body>() + 63) / 64;
    return HPK_HAS_HIP_COMPILER != 0 ? (Body::least_groups * wavefronts + 3) / 4
                                     : Body::least_groups;
  } else {
    return 1;
  }
}

/// Whether no group of a body has scratch of level 1. Then each block runs one group; otherwise
/// blocks that share the scratch run many.
template <class Body>
inline constexpr bool runs_one_group = requires { requires Body::no_large_scratch; };

/// Runs the body for the calling lane of each group that is assigned to its block.
template <class R, class Body>
__device__ inline void run_groups(const Body& body, index_t groups, std::byte* large,
                                  std::size_t large_bytes) {
  const index_t blocks = gridDim.x;
  if (large != nullptr) large += blockIdx.x * large_bytes;
  for (index_t group = blockIdx.x; group < groups; group += blocks) {
    lane<R> me(group, groups, large);
    body(me);
    // The next group reuses the scratch.
    if (groups > blocks) __syncthreads();
  }
}

/// The kernel with the body as its argument.
template <class R, class Body>
__global__ void __launch_bounds__(most_lanes_of<Body>(), least_groups_of<Body>())
    run_body(const HPK_DETAIL_SHARED_ARGUMENT Body body, index_t groups, std::byte* large,
             std::size_t large_bytes) {
  run_groups<R>(body, groups, large, large_bytes);
}

/// The kernel for blocks of one group; the first block runs group `first`.
template <class R, class Body>
__global__ void __launch_bounds__(most_lanes_of<Body>(), least_groups_of<Body>())
    run_body_once(const HPK_DETAIL_SHARED_ARGUMENT Body body, index_t first, index_t groups) {
  lane<R> me(first + blockIdx.x, groups, nullptr);
  body(me);
}

/// The kernel with the body in device memory.
template <class R, class Body>
__global__ void __launch_bounds__(most_lanes_of<Body>(), least_groups_of<Body>())
    run_body_at(const Body* body, index_t groups, std::byte* large, std::size_t large_bytes) {
  run_groups<R>(*body, groups, large, large_bytes);
}

/// Launches the body on a machine of runtime R. Kernel arguments, and pageable host memory as the
/// source of a copy, have been read when the calls return, so the body need not outlive this call.
template <class R, class Machine, class Body>
void run_on(Machine& machine, const seam::shape& shape, const Body& body,
            const seam::launch_info& info) {
  const auto stream = machine.stream();
  index_t groups = shape.groups;
  std::size_t large_bytes = (shape.scratch[1] + 15) / 16 * 16;
  constexpr bool as_argument = sizeof(Body) <= R::largest_argument;
  const bool one_group = as_argument && large_bytes == 0;
  const void* kernel = nullptr;
  if constexpr (as_argument) {
    kernel = reinterpret_cast<const void*>(&run_body_once<R, Body>);
    if constexpr (!runs_one_group<Body>) {
      if (!one_group) kernel = reinterpret_cast<const void*>(&run_body<R, Body>);
    }
  } else {
    kernel = reinterpret_cast<const void*>(&run_body_at<R, Body>);
  }
  if constexpr (as_argument) {
    [[maybe_unused]] static const bool expected =
        (R::expect_argument(stream, kernel, sizeof(Body), info), true);
  }
  // Limits of the hardware: one vendor has at most 2^31 - 1 blocks, the other at most 2^32 - 1
  // lanes.
  index_t most_blocks = index_t{0xffff'ffff} / shape.lanes;
  if (most_blocks > 0x7fff'ffff) most_blocks = 0x7fff'ffff;
  if (one_group) {
    for (index_t first = 0; first < groups; first += most_blocks) {
      const index_t left = groups - first;
      const launch_size part{static_cast<unsigned>(left < most_blocks ? left : most_blocks),
                             static_cast<unsigned>(shape.lanes), shape.scratch[0]};
      void* arguments[] = {const_cast<Body*>(&body), &first, &groups};
      R::submit(stream, kernel, part, arguments, info);
    }
    return;
  }
  index_t blocks = groups < most_blocks ? groups : most_blocks;
  if (large_bytes != 0) {
    const index_t resident = R::resident_groups(stream, kernel, shape);
    blocks = blocks < resident ? blocks : resident;
  }
  const launch_size size{static_cast<unsigned>(blocks), static_cast<unsigned>(shape.lanes),
                         shape.scratch[0]};
  const auto submit = [&](const void* first, std::byte* large) {
    void* arguments[] = {const_cast<void*>(first), &groups, &large, &large_bytes};
    R::submit(stream, kernel, size, arguments, info);
  };
  const auto with_large = [&](const void* first) {
    if (large_bytes == 0) {
      submit(first, nullptr);
    } else {
      const typename Machine::workspace large(machine,
                                              static_cast<std::size_t>(blocks) * large_bytes);
      submit(first, static_cast<std::byte*>(large.data()));
    }
  };
  if constexpr (as_argument) {
    with_large(&body);
  } else {
    const typename Machine::workspace copy(machine, sizeof(Body));
    R::copy_body(stream, copy.data(), &body, sizeof(Body));
    const void* at = copy.data();
    with_large(&at);
  }
}

}  // namespace hpk::gpu
