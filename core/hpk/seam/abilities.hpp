// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backend may offer besides the contract: each ability is a concept that says what it buys.
// The library asks for abilities here and nowhere else; docs/backends.md lists them. M is a
// machine<Exec>, a memory<Space>, or a lane.
#pragma once

#include <hpk/base/types.hpp>

#include <cstddef>
#include <string_view>

namespace hpk {
struct DeviceProperties;
}

namespace hpk::seam {

class host_call;

/// `Event record()`, `void wait(const Event&)`, `bool idle()`: instances wait for each other in
/// their own order. Without, the host waits in their place.
template <class M>
concept has_events = requires(M& m) {
  m.record();
  m.wait(m.record());
  m.idle();
};
/// `Event record_timed()`: the device measures time. Without, the host fences and reads its clock.
template <class M>
concept has_timed_events = requires(M& m) { m.record_timed(); };
/// `void call(host_call*)`: host functions run in the order of an instance. Without, the caller
/// fences and runs them.
template <class M>
concept has_host_calls = requires(M& m, host_call* call) { m.call(call); };
/// `turns`, a turn_queue: patterns that several host threads give one instance do not mix.
template <class M>
concept has_turns = requires(M& m) { m.turns.take(); };
/// `int device()`: instances belong to one of several devices.
template <class M>
concept has_device_number = requires(const M& m) { m.device(); };
/// `static int device_count()`. Without, there is one.
template <class M>
concept has_device_count = requires { M::device_count(); };
/// `void describe_device(DeviceProperties&)`: more facts about the device than the host knows.
template <class M>
concept describes_device =
    requires(const M& m, DeviceProperties& found) { m.describe_device(found); };
/// `void* address_of_symbol(const void*)`: device globals are symbols of the device's program.
template <class M>
concept has_device_symbols = requires(const M& m) { m.address_of_symbol(nullptr); };
/// `options`, an array of backend_option: flags and environment variables of the backend.
template <class M>
concept has_options = requires { M::options; };
/// `one_worker`, true: one thread runs all lanes, so atomics of its kernels are plain operations.
template <class M>
concept has_one_worker = requires { requires M::one_worker; };
/// `team_lane(group, groups, index, lanes, scratch0, scratch1)` and `run_lanes(body, group,
/// lanes)`: teams have many lanes though `lane` is alone in its group. run_lanes() calls
/// body(index) for every lane of one group, on the calling thread inside of a kernel; team_lanes of
/// these indices meet at barriers.
template <class M>
concept has_team_lanes = requires { typename M::team_lane; };
/// `largest_team`: the most lanes of a team, where it is not properties().largest_lanes.
template <class M>
concept limits_teams = requires { M::largest_team; };
/// `launches_here`: whether the file at hand may launch kernels. Without, every file may.
template <class M>
concept limits_launching_files = requires { M::launches_here; };
/// `deallocation_waits`: whether memory is freed only when the device is done. Without, it is not.
template <class M>
concept decides_on_deallocation = requires { M::deallocation_waits; };

/// `converts_to`, a memory space: Views of this space convert to Views of that one, because whoever
/// can access that can access this one too.
template <class M>
concept converts_to_another = requires { typename M::converts_to; };
/// `allocate_on(machine, bytes, align)`: memory on the device of an instance, in its order.
template <class M, class Machine>
concept allocates_on_devices =
    requires(Machine& machine, std::size_t n) { M::allocate_on(machine, n, n); };
/// `allocate_mirror(source, bytes, align)`, host memory for the mirror of what lies at `source`
/// (null: the ordinary), which deallocate() takes back; and `watch_mirror(data)`, called when it is
/// initialised: stale mirrors are found.
template <class M>
concept watches_mirrors = requires { &M::allocate_mirror; };
/// `name(data, label)`: messages of the backend know the labels of allocations.
template <class M>
concept names_allocations = requires(void* data, std::string_view label) { M::name(data, label); };
/// `poison(T* data, n)`: reads of elements that nobody initialised are found.
template <class M, class T>
concept poisons = requires(T* data, index_t n) { M::poison(data, n); };
/// `release_pages(data, bytes)`: frees a block except its addresses and returns the bytes that stay
/// resident, so that checked builds find accesses after the free (memory/quarantine.hpp).
template <class M>
concept releases_pages = requires(void* data, std::size_t n) { M::release_pages(data, n); };
/// `device_address(T*)`: kernels access memory by other addresses than the program. T delays the
/// question for memory that asks all enabled backends (AnonymousSpace).
template <class M, class T>
concept translates_addresses = requires(T* data) { M::device_address(data); };
/// `host_address(T*)`: the way back, of an address that a kernel may have got from an element, or
/// of a variable of its own.
template <class M, class T>
concept translates_back = requires(T* data) { M::host_address(data); };
/// `bool translates(address)`: tells for Views that do not know their memory whether the calling
/// thread accesses it by device_address(), watched by watcher().
template <class M, class T>
concept knows_its_addresses = requires(T* data) { M::translates(data); };
/// `watcher()`, or `watcher(address)`: the receiver of this thread's accesses (element_access), or
/// null.
template <class M>
concept watches_accesses = requires { M::watcher(); } || requires(const char* p) { M::watcher(p); };
/// `unwatched_address(T*)`: device_address() where nobody watches, else null, in one look.
template <class M, class T>
concept has_unwatched_addresses = requires(T* data) { M::unwatched_address(data); };

/// `barrier_of(const void* kind)`: finds lanes that meet at barriers of two kinds.
template <class L>
concept finds_divergence = requires(const L& lane) { lane.barrier_of(nullptr); };
/// `shares_stacks`, true: lanes of a team may access each other's variables.
template <class L>
concept shares_stacks = requires { requires L::shares_stacks; };

}  // namespace hpk::seam
