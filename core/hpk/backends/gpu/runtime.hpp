// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU runtime spells so that everything in this folder runs on it. Names of a vendor stand
// in its own folder and nowhere else.
#pragma once

#include <hpk/seam/machine.hpp>
#include <hpk/spaces/event.hpp>

#include <concepts>
#include <cstddef>

namespace hpk::gpu {

/// The names of a runtime R.
///   in a kernel   lane_index() lanes() subgroup() barrier() scratch() shuffle(value, from, width)
///                 any(flag) ballot(flag) sync(width); a width is that of an aligned block of
///                 lanes, a power of two up to the subgroup
///   streams       pointers: create_stream(device) destroy_stream(s) synchronize(s)
///                 synchronize_all()
///                 which may also have record(s) -> Event, record_timed(s) -> Event, wait(s,
///                 event), is_idle(s), create_stream(device, priority), and call(s, host_call),
///                 which takes the call over, runs it in the order of the stream and destroys or
///                 retires it
///   memory        allocate_workspace(s, bytes) (throws) free_workspace(p, bytes), addresses for
///                 kernels; copy(s, to, from, bytes) fill(s, to, value, bytes), of host memory and
///                 any memory of the runtime
///   launches      launch(machine, shape, body, info)
///   facts         properties(s); owns_bodies: whether a queued kernel owns its body, and with it
///                 shares of Views; takes_neighbours: whether a lane does well to do neighbouring
///                 iterations (caches) rather than to leave them to its neighbours (coalescing)
/// This is what machine<R> needs of them, if its space brings a lane of its own.
template <class R>
concept gpu_streams =
    requires(typename R::stream_type s, void* to, const void* from, std::size_t bytes) {
      { R::owns_bodies } -> std::convertible_to<bool>;
      { R::create_stream(0) } -> std::same_as<typename R::stream_type>;
      R::destroy_stream(s);
      R::synchronize(s);
      R::synchronize_all();
      { R::allocate_workspace(s, bytes) } -> std::same_as<void*>;
      R::free_workspace(to, bytes);
      R::copy(s, to, from, bytes);
      R::fill(s, to, 0, bytes);
      { R::properties(s) } -> std::same_as<seam::machine_properties>;
    };

/// All of them.
template <class R>
concept gpu_runtime = gpu_streams<R> && requires(int lane, double value, bool flag) {
  { R::takes_neighbours } -> std::convertible_to<bool>;
  { R::lane_index() } -> std::same_as<int>;
  { R::lanes() } -> std::same_as<int>;
  { R::subgroup() } -> std::same_as<int>;
  R::barrier();
  { R::scratch() } -> std::same_as<std::byte*>;
  { R::shuffle(value, lane, lane) } -> std::same_as<double>;
  { R::any(flag) } -> std::same_as<bool>;
  { R::ballot(flag) } -> std::same_as<std::uint64_t>;
  R::sync(lane);
};

}  // namespace hpk::gpu
