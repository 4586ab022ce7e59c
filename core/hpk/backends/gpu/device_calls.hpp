// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices of a vendor's library, written once for all vendors. Included only by vendor_calls.hpp.
#pragma once

#include <hpk/backends/gpu/device.hpp>
#include <hpk/backends/gpu/error_calls.hpp>
#include <hpk/backends/gpu/recording_turns.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/seam/fork.hpp>

#include <deque>
#include <unordered_set>

namespace hpk::gpu {

namespace {

// Makes a device current for the calling thread, for the lifetime of the object. The device that
// was current before becomes current again, unless it has no context: the library would create one,
// which takes memory of an unused device. Then hpk's device stays current.
class device_switch {
 public:
  explicit device_switch(int device) noexcept {
    int before = 0;
    error_ = HPK_GPU(GetDevice)(&before);
    if (error_ == success && before != device) {
      call_ = "SetDevice";
      error_ = HPK_GPU(SetDevice)(device);
      if (error_ == success && library::has_context(before)) before_ = before;
    }
    ignore(error_);
  }
  ~device_switch() {
    if (before_ >= 0) ignore(HPK_GPU(SetDevice)(before_));
  }
  device_switch(const device_switch&) = delete;
  device_switch& operator=(const device_switch&) = delete;
  status error() const noexcept { return error_; }
  /// The call that returned the error.
  const char* call() const noexcept { return call_; }

 private:
  const char* call_ = "GetDevice";
  status error_ = success;
  int before_ = -1;
};

// A device_switch that throws if the device cannot become current.
template <class A>
class on_device : public device_switch {
 public:
  explicit on_device(int device) : device_switch(device) {
    if (error() != success) fail<A>(error(), call(), {.device = device});
  }
};

// A device: facts, which are read without using the device, and the state of a device in use. Never
// destroyed.
struct device_state {
  std::mutex guard;  // guards the members that have no other lock
  bool is_known = false;
  seam::machine_properties properties;
  std::string name;
  std::size_t memory = 0;
  int multiprocessors = 1;
  bool reads_pageable = false;  // copies may read pageable host memory after their call

  std::atomic<bool> used = false;
  HPK_GPU(Stream_t) allocations = nullptr;  // orders allocations without an instance
  bool has_pools = true;  // false once the library has reported that it has no pools
  HPK_GPU(MemPool_t) pool = nullptr;
  std::unordered_set<const void*> scratch_users;  // kernels that may use the maximum of scratch
};

// Memory that a thread frees while it records a graph.
struct unfreed {
  memory_kind kind;
  void* data;
};

struct vendor_state {
  std::mutex guard;
  std::deque<device_state> devices;
  int chosen = -1;
  recording_turns recordings;
  std::vector<unfreed> to_free;  // freed when the recording ends
  std::mutex start_guard;        // held while a device or its pool starts
  std::atomic<int> first_used = -1;
  std::atomic<int> in_use = 0;
  std::atomic<int> async_malloc = -1;  // the option; -1: not read yet
};
vendor_state& all_devices() {
  static vendor_state& only = *new vendor_state;
  return only;
}

template <class A>
void read_facts(int device, device_state& state) {
  library::device_properties facts{};
  HPK_GPU_CALL(A, nullptr, GetDeviceProperties, &facts, device);
  state.name = facts.name;
  state.memory = facts.totalGlobalMem;
  state.multiprocessors = facts.multiProcessorCount;
  state.reads_pageable = facts.pageableMemoryAccess != 0;
  seam::machine_properties& p = state.properties;
  p.name = A::name;
  p.largest_lanes = facts.maxThreadsPerBlock;
  p.preferred_lanes = 256;
  p.workers =
      index_t{facts.multiProcessorCount} * (facts.maxThreadsPerMultiProcessor / p.preferred_lanes);
  p.lanes_at_once = index_t{facts.multiProcessorCount} * facts.maxThreadsPerMultiProcessor;
  p.scratch_bytes[0] = library::most_scratch(facts);
  p.scratch_bytes[1] = std::size_t{20} << 20;
  p.subgroup = facts.warpSize;
  p.lane_iterations = 1;
}

// Returns the number of devices, and makes the state of each. Throws if there is no device.
template <class A>
int expect_devices() {
  vendor_state& all = all_devices();
  const std::lock_guard lock(all.guard);
  if (!all.devices.empty()) return static_cast<int>(all.devices.size());
  int count = 0;
  const status error = HPK_GPU(GetDeviceCount)(&count);
  ignore(error);
  if (error != success || count == 0) {
    detail::raise((detail::text() << "hpk::" << A::name << ": there is no device to run on ("
                                  << library::prefix << "GetDeviceCount: "
                                  << HPK_GPU(GetErrorString)(
                                         error != success ? error : HPK_GPU(ErrorNoDevice))
                                  << "); ask hpk::num_devices() first, and use "
                                     "hpk::DefaultHostExecutionSpace where it is 0")
                      .str());
  }
  all.devices.resize(static_cast<std::size_t>(count));
  return count;
}

// Returns a device with its facts. Does not use the device and creates no context.
template <class A>
device_state& known_device(int device) {
  seam::check_device(device, expect_devices<A>(), A::name);
  device_state& state = all_devices().devices[static_cast<std::size_t>(device)];
  const std::lock_guard lock(state.guard);
  if (!state.is_known) read_facts<A>(device, state);
  state.is_known = true;
  return state;
}

bool reaches(int from, int to) noexcept {
  int can = 0;
  const status error = HPK_GPU(DeviceCanAccessPeer)(&can, from, to);
  ignore(error);
  return error == success && can != 0;
}

// Lets a device access the memory of a pool on another device.
void open_pool(HPK_GPU(MemPool_t) pool, int to) noexcept {
  HPK_GPU(MemAccessDesc) access{};
  access.location.type = HPK_GPU(MemLocationTypeDevice);
  access.location.id = to;
  access.flags = HPK_GPU(MemAccessFlagsProtReadWrite);
  ignore(HPK_GPU(MemPoolSetAccess)(pool, &access, 1));
}

// Lets kernels and copies of one device access the memory of another device, if the hardware can.
// Otherwise copies go through the host.
void connect(int from, int to) noexcept {
  if (!reaches(from, to)) return;
  const device_switch there(from);
  if (there.error() != success) return;
  ignore(HPK_GPU(DeviceEnablePeerAccess)(to, 0));
  const device_state& owner = all_devices().devices[static_cast<std::size_t>(to)];
  if (owner.pool != nullptr) open_pool(owner.pool, from);
}

// Returns a device and marks it as used.
template <class A>
device_state& device_in_use(int device) {
  device_state& state = known_device<A>(device);
  if (state.used) return state;
  vendor_state& all = all_devices();
  const std::lock_guard lock(all.start_guard);
  if (state.used) return state;
  const on_device<A> there(device);
  HPK_GPU_CALL(A, nullptr, StreamCreateWithFlags, &state.allocations, HPK_GPU(StreamNonBlocking));
  for (std::size_t k = 0; k < all.devices.size(); ++k) {
    const int other = static_cast<int>(k);
    if (!all.devices[k].used) continue;
    connect(device, other);
    connect(other, device);
  }
  // The child of a process that has only been initialised may use devices.
  static const bool watched = (seam::on_fork([] { is_forked = true; }), true);
  static_cast<void>(watched);
  int none = -1;
  all.first_used.compare_exchange_strong(none, device);
  state.used = true;
  ++all.in_use;
  return state;
}

// Returns the pool of a device in use, from which the library allocates in stream order; null if
// the library has no pools. The pool belongs to hpk, because other libraries may configure the
// default pool for themselves.
template <class A>
HPK_GPU(MemPool_t)
pool_of(int device, device_state& state) {
  vendor_state& all = all_devices();
  const std::lock_guard lock(all.start_guard);
  if (state.pool != nullptr || !state.has_pools) return state.pool;
  HPK_GPU(MemPoolProps) what{};
  what.allocType = HPK_GPU(MemAllocationTypePinned);
  what.location.type = HPK_GPU(MemLocationTypeDevice);
  what.location.id = device;
  HPK_GPU(MemPool_t) made = nullptr;
  const status error = HPK_GPU(MemPoolCreate)(&made, &what);
  if (error != success) {
    ignore(error);
    if (error != HPK_GPU(ErrorNotSupported)) fail<A>(error, "MemPoolCreate", {.device = device});
    state.has_pools = false;
    return nullptr;
  }
  // By default the pool gives freed memory back to the device at every synchronisation, and takes
  // it again at the next allocation.
  std::uint64_t keep_all = UINT64_MAX;
  ignore(HPK_GPU(MemPoolSetAttribute)(made, HPK_GPU(MemPoolAttrReleaseThreshold), &keep_all));
  for (std::size_t k = 0; k < all.devices.size(); ++k) {
    const int other = static_cast<int>(k);
    if (other != device && all.devices[k].used && reaches(other, device)) open_pool(made, other);
  }
  return state.pool = made;
}

}  // namespace

template <class A>
int vendor<A>::devices_in_use() noexcept {
  return all_devices().in_use;
}

template <class A>
int vendor<A>::device_count() noexcept {
  int count = 0;
  const status error = HPK_GPU(GetDeviceCount)(&count);
  ignore(error);
  return error == success ? count : 0;
}

template <class A>
int vendor<A>::default_device() {
  vendor_state& all = all_devices();
  {
    const std::lock_guard lock(all.guard);
    if (all.chosen >= 0) return all.chosen;
  }
  const int count = device_count();
  const int chosen = count == 0 ? 0 : choose_device(seam::current_settings(), count, A::name);
  const std::lock_guard lock(all.guard);
  return all.chosen = chosen;
}

template <class A>
void vendor<A>::forget_default_device() noexcept {
  vendor_state& all = all_devices();
  all.async_malloc = -1;
  const std::lock_guard lock(all.guard);
  all.chosen = -1;
}

template <class A>
void vendor<A>::describe(seam::fact_sink& sink) {
  sink.section(A::name);
  const int count = device_count();
  sink.fact("devices", (detail::text() << count).str());
  for (int device = 0; device < count; ++device) {
    const device_state& state = known_device<A>(device);
    sink.fact((detail::text() << "device " << device).str(),
              (detail::text() << state.name << ", " << (state.memory >> 20) << " MiB"
                              << (device == default_device() ? ", in use" : ""))
                  .str());
  }
}

}  // namespace hpk::gpu
