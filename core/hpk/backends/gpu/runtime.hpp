// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that a GPU runtime must supply to the generic code of this folder. Only a vendor's
// own folder uses the vendor's names.
#pragma once

#include <hpk/seam/machine.hpp>
#include <hpk/spaces/event.hpp>

#include <concepts>
#include <cstddef>

namespace hpk::gpu {

/// The functions of a runtime R:
///   in a kernel   lane_index() lanes() subgroup() barrier() scratch() shuffle(value, from, width)
///                 any(flag) ballot(flag) sync(width); width is the size of an aligned block of
///                 lanes, a power of two up to the subgroup size; optional: is_whole(),
///                 shuffle_xor(value, by) (seam::shuffles_whole), for the whole subgroup
///                 shuffle(value, from) and sync(), and the constant least_subgroup
///   streams       pointers: create_stream(device) destroy_stream(s) synchronize(s)
///                 synchronize_all()
///                 optional: drain(s) noexcept, which a destructor calls instead of synchronize(s)
///                 where a failed device would throw; record(s) -> Event, record_timed(s) -> Event,
///                 wait(s, event), is_idle(s), create_stream(device, priority), and call(s,
///                 host_call), which takes ownership of the call, runs it in stream order and
///                 destroys or retires it
///   memory        allocate_workspace(s, bytes) (throws), free_workspace(p, bytes): device
///                 addresses; copy(s, to, from, bytes), fill(s, to, value, bytes): host memory and
///                 any memory of the runtime
///   launches      launch(machine, shape, body, info)
///   facts         properties(s); owns_bodies: whether a queued kernel owns its body, and with it
///                 references to Views; takes_neighbours: whether a lane should run neighbouring
///                 iterations (caches) or leave them to neighbouring lanes (coalescing)
/// gpu_streams is the subset that machine<R> needs if its space has its own lane type.
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

/// All of these functions.
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
