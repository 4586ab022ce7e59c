// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optional abilities of a backend, beyond the required contract. Each ability is a concept. Its
// comment states what the library gains from it, or does without it. The concepts are here and, for
// graphs, in graph.hpp. docs/backends.md lists them. M is a machine<Exec> or a memory<Space>, L a
// lane, E an execution space.
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
/// stream order. Without this ability the host waits instead of an instance. For a synchronous
/// machine with turns, an event is the end of a turn.
template <class M>
concept has_events = requires(M& m) {
  m.record();
  m.wait(m.record());
  m.idle();
};
/// `Event record_timed()`: the device measures time. Without it the host fences and reads its own
/// clock.
template <class M>
concept has_timed_events = requires(M& m) { m.record_timed(); };
/// `void call(host_call*)`: host functions run in the order of an instance. Without it the caller
/// fences and runs them.
template <class M>
concept has_host_calls = requires(M& m, host_call* call) { m.call(call); };
/// `turns`, a turn_queue: patterns that several host threads submit to one instance do not
/// interleave.
template <class M>
concept has_turns = requires(M& m) { m.turns.take(); };
/// `bool workers_sleep()`: whether the system would have to wake the workers, so that a short
/// launch runs faster without them. The library calls the function before a short launch, while it
/// holds the turn of the instance. Without this ability workers count as awake.
template <class M>
concept has_sleeping_workers = requires(M& m) { m.workers_sleep(); };
/// `erased_body`, `void launch_erased(shape, erased_body&, info)`, and `static void run_erased(
/// erased_body, info)` for one group on the calling thread: launches take type-erased bodies, so
/// that the code of a launch is compiled once, not for each kernel.
template <class M>
concept erases_bodies = requires { typename M::erased_body; };
/// `int device()`: the number of the device that an instance belongs to.
template <class M>
concept has_device_number = requires(const M& m) { m.device(); };
/// `static int device_count()`. Without it there is one device.
template <class M>
concept has_device_count = requires { M::device_count(); };
/// `bool is_only_device()`: whether no other device of the backend is in use. Without this ability
/// all kernels can access all memory of the backend.
template <class M>
concept counts_devices_in_use = requires(const M& m) { m.is_only_device(); };
/// `void describe_device(DeviceProperties&)`: fills in facts that the host cannot know.
template <class M>
concept describes_device =
    requires(const M& m, DeviceProperties& found) { m.describe_device(found); };
/// `void* address_of_symbol(const void*)`: the device address of a global variable of device code.
template <class M>
concept has_device_symbols = requires(const M& m) { m.address_of_symbol(nullptr); };
/// `options`, an array of backend_option: command-line flags and environment variables of the
/// backend. A backend outside of hpk does not need the array: its options are environment
/// variables, see backend_value().
template <class M>
concept has_options = requires { M::options; };
/// `one_worker`, true: one thread runs all lanes, so atomics in its kernels are plain operations.
template <class M>
concept has_one_worker = requires { requires M::one_worker; };
/// `team_lane(group, groups, index, lanes, scratch0, scratch1)` and `run_lanes(body, group,
/// lanes)`: teams have several lanes although `lane` is the only one of its group. run_lanes() is
/// called inside a kernel and calls body(index) for every lane of one group on the calling thread;
/// the team_lanes of these indices synchronise at barriers.
template <class M>
concept has_team_lanes = requires { typename M::team_lane; };
/// `largest_team`: the maximum number of lanes in a team, if it differs from
/// properties().largest_lanes.
template <class M>
concept limits_teams = requires { M::largest_team; };
/// `scratch_bytes[2]`: the most scratch that a team may ask for, per level, if it differs from
/// properties().scratch_bytes.
template <class M>
concept limits_scratch = requires { M::scratch_bytes[0]; };
/// `launches_here`: whether the current translation unit may launch kernels. Without this ability
/// every translation unit may.
template <class M>
concept limits_launching_files = requires { M::launches_here; };
/// `deallocation_waits`: whether memory is freed only after the device has finished. Without this
/// ability deallocation does not wait.
template <class M>
concept decides_on_deallocation = requires { M::deallocation_waits; };
/// `zeroed_workspace(machine, bytes)`: a workspace whose bytes are all 0 when it is leased;
/// launches must leave them 0. Without it the library fills a workspace before the launch.
template <class M>
concept has_zeroed_workspaces = requires { typename M::zeroed_workspace; };
/// `host_workspace(machine, bytes)`: memory of the host that the machine's kernels write, and that
/// the host reads after a fence. Without it, results of variables are copied from a workspace.
template <class M>
concept has_host_workspaces = requires { typename M::host_workspace; };

/// `memory_domains()`: the NUMA domains of the process's CPUs. A domain accesses the pages that it
/// touched first fastest. With several domains a worker scans one contiguous part of a range
/// instead of many blocks, although the range is then read twice.
template <class M>
concept has_memory_domains = requires { M::memory_domains(); };

/// `converts_to`, a memory space: Views of this space convert to Views of `converts_to`, because
/// any code that can access `converts_to` can access this space too.
template <class M>
concept converts_to_another = requires { typename M::converts_to; };
/// `allocate_on(machine, bytes, align)`: memory on the device of an instance, allocated in its
/// order.
template <class M, class Machine>
concept allocates_on_devices =
    requires(Machine& machine, std::size_t n) { M::allocate_on(machine, n, n); };
/// `device_of(data)`: the number of the device whose memory contains an address. Without this
/// ability it is 0.
template <class M>
concept finds_devices = requires(const void* data) { M::device_of(data); };
/// `allocate_mirror(source, bytes, align)` returns host memory for the mirror of the View at
/// `source` (null: ordinary memory); deallocate() frees the mirror. `watch_mirror(data)` is called
/// after the mirror is initialised. With both functions, stale mirrors are detected.
template <class M>
concept watches_mirrors = requires { &M::allocate_mirror; };
/// `checks_all()`: whether the program asked the backend to detect every mistake at any cost.
/// Containers then also make checks that take a pass over their elements.
template <class M>
concept may_check_all = requires { M::checks_all(); };
/// `name(data, label)`: lets messages of the backend contain the labels of allocations.
template <class M>
concept names_allocations = requires(void* data, std::string_view label) { M::name(data, label); };
/// `poison(T* data, n)`: marks elements as uninitialised, so that reads of them are detected.
template <class M, class T>
concept poisons = requires(T* data, index_t n) { M::poison(data, n); };
/// `release_pages(data, bytes)`: frees the pages of a block but keeps its addresses, and returns
/// the number of bytes that stay resident. Checked builds then detect accesses after the free
/// (memory/quarantine.hpp).
template <class M>
concept releases_pages = requires(void* data, std::size_t n) { M::release_pages(data, n); };
/// `device_address(T*)`: translates a host address to the one that kernels use. T delays overload
/// resolution for memory that asks all enabled backends (AnonymousSpace).
template <class M, class T>
concept translates_addresses = requires(T* data) { M::device_address(data); };
/// `host_address(T*)`: the inverse of device_address(), for the address of an element or of a
/// kernel's own variable, as a kernel may have taken it.
template <class M, class T>
concept translates_back = requires(T* data) { M::host_address(data); };
/// `bool translates(address)`, for Views that do not know their memory space: whether the calling
/// thread accesses the address through device_address() and notifies watcher().
template <class M, class T>
concept knows_its_addresses = requires(T* data) { M::translates(data); };
/// `watcher()`, or `watcher(address)`: the function that is notified of this thread's accesses
/// (element_access), or null.
template <class M>
concept watches_accesses = requires { M::watcher(); } || requires(const char* p) { M::watcher(p); };
/// `scratch_watcher()`, of a machine: the function that is notified of this thread's accesses to
/// scratch through Views (element_access), or null.
template <class M>
concept watches_scratch = requires { M::scratch_watcher(); };
/// `reports_places`, true: accesses pass the source line of the program, also in unchecked builds.
template <class M>
concept reports_places = requires { requires M::reports_places; };
/// `unwatched_address(T*)`: device_address() if accesses are unwatched, else null. One test
/// replaces two.
template <class M, class T>
concept has_unwatched_addresses = requires(T* data) { M::unwatched_address(data); };

/// `bool is_counted()`, `begin_iteration()`: is_counted() tells whether a profile of an emulated
/// device counts the launch. If so, a lane that runs several iterations of a reduction calls
/// begin_iteration() before each.
template <class L>
concept notes_iterations = requires(const L& lane) {
  lane.is_counted();
  lane.begin_iteration();
};
/// `barrier_of(const void* kind)`: detects lanes of a group that wait at barriers of different
/// kinds.
template <class L>
concept finds_divergence = requires(const L& lane) { lane.barrier_of(nullptr); };
/// `exchange_handle()`: the smaller object by which a lane synchronises and exchanges values.
/// Without this ability the lane is copied.
template <class L>
concept has_exchange_handle = requires(const L& lane) { lane.exchange_handle(); };
/// `is_whole()`, `shuffle_xor(value, by)`: is_whole() tells whether all lanes of a complete
/// sub-group make this call at once. It returns the same value to each of these lanes and may
/// always return false. shuffle_xor() exchanges values between lanes whose numbers differ by the
/// bits of `by`; all lanes of the sub-group call it, and the other lane exists. Without this
/// ability every exchange is a shuffle.
template <class L>
concept shuffles_whole = requires(const L& lane) {
  lane.is_whole();
  lane.shuffle_xor(0, 1);
};
/// `shares_stacks`, true: lanes of a team may access each other's local variables.
template <class L>
concept shares_stacks = requires { requires L::shares_stacks; };

/// `shared_memory_space`, of an execution space E: memory that host code and its kernels can
/// access.
template <class E>
concept has_shared_memory = requires { typename E::shared_memory_space; };
/// `pinned_memory_space`: host memory that its kernels can access too.
template <class E>
concept has_pinned_memory = requires { typename E::pinned_memory_space; };

/// `manufacturer`, of a memory<Space>: the vendor whose libraries accept addresses of this memory.
/// Without this ability no vendor's libraries do.
template <class M>
concept has_gpu_vendor = requires { M::manufacturer; };

}  // namespace hpk::seam
