// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a vendor's library, written once for all vendors. Included only by the vendor's
// .cpp, which first includes the library's header, defines HPK_GPU(Name) as the library's spelling
// of Name (cudaName, hipName), and puts the differences between the libraries into
// hpk::gpu::library.
#pragma once

#include <hpk/backends/gpu/device.hpp>
#include <hpk/backends/gpu/memory.hpp>
#include <hpk/backends/gpu/new_machine.hpp>
#include <hpk/backends/gpu/recording_turns.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

namespace hpk::gpu {

namespace {

using status = HPK_GPU(Error_t);
constexpr status success = HPK_GPU(Success);

// Calls the library; throws with the name of the call if it fails.
#define HPK_GPU_CALL(A, info, Name, ...) \
  ::hpk::gpu::expect<A>(HPK_GPU(Name)(__VA_ARGS__), #Name, info)

// Whether an error of the library was thrown.
constinit std::atomic<bool> has_thrown = false;

// The default instance.
template <class M>
constinit seam::default_instance<M> default_machine{};

template <class A>
[[noreturn]] void fail(status error, const char* call, const seam::launch_info* info) {
  has_thrown = true;
  detail::text message;
  message << "hpk::" << A::name << ": " << library::prefix << call
          << " failed: " << HPK_GPU(GetErrorString)(error) << " (" << HPK_GPU(GetErrorName)(error)
          << ')';
  if (info == nullptr) detail::raise(message.str());
  message << ", in " << info->pattern;
  if (!info->label.empty()) message << " \"" << info->label << '"';
  detail::raise(message.str(), info->where);
}

template <class A>
void expect(status error, const char* call, const seam::launch_info* info) {
  if (error == success) [[likely]]
    return;
  static_cast<void>(HPK_GPU(GetLastError)());  // else the next call reports it again
  fail<A>(error, call, info);
}

// The cached facts of a device; created on first use, never destroyed.
struct device_state {
  seam::machine_properties properties;
  std::string name;
  std::size_t memory = 0;
  HPK_GPU(Stream_t) allocations = nullptr;  // orders allocations without an instance
  int multiprocessors = 1;
  std::atomic<bool> pools = true;  // until the library reports that there are none
  std::atomic<bool> used = false;
};

// Memory that a thread frees while it records a graph.
struct unfreed {
  memory_kind kind;
  void* data;
};

struct vendor_state {
  std::mutex guard;
  std::vector<device_state*> devices;
  int chosen = -1;
  recording_turns recordings;
  std::vector<unfreed> to_free;  // when the recording ends
  const pid_t process = getpid();
};
vendor_state& all_devices() {
  static vendor_state& only = *new vendor_state;
  return only;
}

// The last launch submitted to a stream, because later calls report errors of kernels.
struct last_launch {
  std::string_view pattern;
  char label[64] = {};
  std::source_location where;
};
struct stream_state : vendor_stream {
  std::mutex guard;
  last_launch last;
  std::atomic<bool> has_host_work{false};  // host functions in it, or in a stream it waited for
};

void remember(vendor_stream* stream, const seam::launch_info& info) {
  auto& state = *static_cast<stream_state*>(stream);
  const std::lock_guard lock(state.guard);
  state.last.pattern = info.pattern;
  state.last.label[info.label.copy(state.last.label, sizeof state.last.label - 1)] = '\0';
  state.last.where = info.where;
}

last_launch launch_before(vendor_stream* stream) {
  auto& state = *static_cast<stream_state*>(stream);
  const std::lock_guard lock(state.guard);
  return state.last;
}

// Throws for an error that an earlier launch may have caused.
template <class A>
[[noreturn]] void fail(status error, const char* call, const last_launch& last) {
  static_cast<void>(HPK_GPU(GetLastError)());
  const seam::launch_info info{last.pattern, last.label, last.where};
  fail<A>(error, call, last.pattern.empty() ? nullptr : &info);
}

// Makes a device current for the calling thread, for the lifetime of the object.
template <class A>
class on_device {
 public:
  explicit on_device(int device) {
    HPK_GPU_CALL(A, nullptr, GetDevice, &before_);
    changed_ = before_ != device;
    if (changed_) HPK_GPU_CALL(A, nullptr, SetDevice, device);
  }
  ~on_device() {
    if (changed_) static_cast<void>(HPK_GPU(SetDevice)(before_));
  }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

template <class A>
device_state& state_of(int device) {
  vendor_state& all = all_devices();
  const std::lock_guard lock(all.guard);
  const int count = vendor<A>::device_count();
  if (count == 0) {
    int ignored = 0;
    const status why = HPK_GPU(GetDeviceCount)(&ignored);
    static_cast<void>(HPK_GPU(GetLastError)());
    detail::raise((detail::text() << "hpk::" << A::name << ": there is no device to run on ("
                                  << library::prefix
                                  << "GetDeviceCount: " << HPK_GPU(GetErrorString)(why)
                                  << "); ask hpk::num_devices() first, and use "
                                     "hpk::DefaultHostExecutionSpace where it is 0")
                      .str());
  }
  seam::check_device(device, count, A::name);
  if (all.devices.empty()) all.devices.resize(static_cast<std::size_t>(count), nullptr);
  device_state*& state = all.devices[static_cast<std::size_t>(device)];
  if (state != nullptr) return *state;
  const on_device<A> there(device);
  library::device_properties facts{};
  HPK_GPU_CALL(A, nullptr, GetDeviceProperties, &facts, device);
  auto* made = new device_state;
  made->name = facts.name;
  made->memory = facts.totalGlobalMem;
  made->multiprocessors = facts.multiProcessorCount;
  seam::machine_properties& p = made->properties;
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
  HPK_GPU_CALL(A, nullptr, StreamCreateWithFlags, &made->allocations, HPK_GPU(StreamNonBlocking));
  // Lets kernels and copies access other devices directly if the hardware can.
  for (int other = 0; other < count; ++other) {
    int can = 0;
    if (other == device || HPK_GPU(DeviceCanAccessPeer)(&can, device, other) != success || can == 0)
      continue;
    if (HPK_GPU(DeviceEnablePeerAccess)(other, 0) != success)
      static_cast<void>(HPK_GPU(GetLastError)());
  }
  state = made;
  return *state;
}

}  // namespace

template <class A>
int vendor<A>::device_count() noexcept {
  int count = 0;
  if (HPK_GPU(GetDeviceCount)(&count) == success) return count;
  static_cast<void>(HPK_GPU(GetLastError)());
  return 0;
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
  const std::lock_guard lock(all.guard);
  all.chosen = -1;
}

template <class A>
vendor_stream* vendor<A>::create_stream(int device, int priority) {
  if (device < 0) device = default_device();
  device_state& state = state_of<A>(device);
  const on_device<A> there(device);
  HPK_GPU(Stream_t) native = nullptr;
  if (priority == 0) {
    HPK_GPU_CALL(A, nullptr, StreamCreateWithFlags, &native, HPK_GPU(StreamNonBlocking));
  } else {
    // In the library lower numbers have priority.
    int last = 0;
    int first = 0;
    HPK_GPU_CALL(A, nullptr, DeviceGetStreamPriorityRange, &last, &first);
    const int wanted = std::clamp(priority, -last, -first);
    HPK_GPU_CALL(A, nullptr, StreamCreateWithPriority, &native, HPK_GPU(StreamNonBlocking),
                 -wanted);
  }
  state.used = true;
  return new stream_state{{device, native, true, &state.properties, state.multiprocessors}, {}, {}};
}

template <class A>
vendor_stream* vendor<A>::create_default_stream() {
  const int device = default_device();
  device_state& state = state_of<A>(device);
  const on_device<A> there(device);
  HPK_GPU(Stream_t) native = nullptr;
  HPK_GPU_CALL(A, nullptr, StreamCreateWithFlags, &native, HPK_GPU(StreamDefault));
  state.used = true;
  return new stream_state{{device, native, true, &state.properties, state.multiprocessors}, {}, {}};
}

template <class A>
vendor_stream* vendor<A>::adopt_stream(void* native) {
  const auto stream = static_cast<HPK_GPU(Stream_t)>(native);
  const int device = library::device_of(stream);
  device_state& state = state_of<A>(device);
  state.used = true;
  return new stream_state{
      {device, native, false, &state.properties, state.multiprocessors}, {}, {}};
}

template <class A>
void vendor<A>::destroy_stream(vendor_stream* stream) noexcept {
  if (stream->owned)
    static_cast<void>(HPK_GPU(StreamDestroy)(static_cast<HPK_GPU(Stream_t)>(stream->native)));
  delete static_cast<stream_state*>(stream);
}

template <class A>
void vendor<A>::synchronize(vendor_stream* stream) {
  const status error = HPK_GPU(StreamSynchronize)(static_cast<HPK_GPU(Stream_t)>(stream->native));
  if (error == success) [[likely]]
    return;
  fail<A>(error, "StreamSynchronize", launch_before(stream));
}

template <class A>
void vendor<A>::drain(vendor_stream* stream) noexcept {
  // An error of a device stays: every later call reports it again.
  const bool is_known = has_thrown;
  try {
    synchronize(stream);
  } catch (const std::exception& e) {
    if (!is_known) std::fprintf(stderr, "hpk: an instance ends with an error: %s\n", e.what());
  }
}

template <class A>
void vendor<A>::call(vendor_stream* stream, seam::host_call* work) {
  std::unique_ptr<seam::host_call> owned(work);
  const on_device<A> there(stream->device);
  remember(stream, owned->info());
  static_cast<stream_state*>(stream)->has_host_work = true;
  HPK_GPU_CALL(
      A, &owned->info(), LaunchHostFunc, static_cast<HPK_GPU(Stream_t)>(stream->native),
      [](void* data) {
        auto* const call = static_cast<seam::host_call*>(data);
        call->run();
        // Not destroyed here: captured Views may be the last to own device memory, which a host
        // function of the library must not free.
        call->retire();
      },
      work);
  static_cast<void>(owned.release());
}

template <class A>
void vendor<A>::synchronize_all() {
  std::vector<device_state*> devices;
  {
    vendor_state& all = all_devices();
    // The child of a fork() has no work on devices, and may not call the library.
    if (getpid() != all.process) return;
    const std::lock_guard lock(all.guard);
    devices = all.devices;
  }
  const recording_turns::wait all_recorded(all_devices().recordings);
  for (std::size_t device = 0; device < devices.size(); ++device) {
    if (devices[device] == nullptr || !devices[device]->used) continue;
    const on_device<A> there(static_cast<int>(device));
    HPK_GPU_CALL(A, nullptr, DeviceSynchronize);
  }
}

namespace {

// Whether the library does not know the memory: host memory from elsewhere.
template <class A>
bool is_pageable(const void* data) {
  library::pointer_attributes facts{};
  if (HPK_GPU(PointerGetAttributes)(&facts, data) == success) return library::is_pageable(facts);
  static_cast<void>(HPK_GPU(GetLastError)());
  return true;
}

}  // namespace

template <class A>
void vendor<A>::copy(vendor_stream* stream, void* to, const void* from, std::size_t bytes) {
  const on_device<A> there(stream->device);
  // The library may read pageable memory during the call, before host functions that are in the
  // stream have written it.
  if (static_cast<stream_state*>(stream)->has_host_work && !stream->recording &&
      is_pageable<A>(from))
    synchronize(stream);
  HPK_GPU_CALL(A, nullptr, MemcpyAsync, to, from, bytes, HPK_GPU(MemcpyDefault),
               static_cast<HPK_GPU(Stream_t)>(stream->native));
}

template <class A>
void vendor<A>::fill(vendor_stream* stream, void* to, int value, std::size_t bytes) {
  const on_device<A> there(stream->device);
  HPK_GPU_CALL(A, nullptr, MemsetAsync, to, value, bytes,
               static_cast<HPK_GPU(Stream_t)>(stream->native));
}

template <class A>
seam::machine_properties vendor<A>::properties(vendor_stream* stream) {
  return *stream->properties;
}

namespace {

// Lets a kernel use as much dynamic shared memory as a launch asks for.
template <class A>
void allow_scratch(vendor_stream* stream, const void* kernel, std::size_t bytes,
                   const seam::launch_info* info) {
  // What every kernel may use.
  constexpr std::size_t plain_scratch = std::size_t{48} << 10;
  if (bytes <= plain_scratch) return;
  // Raised to the maximum, not to the need of this launch: another thread may be about to launch
  // the same kernel with more.
  const std::size_t most = stream->properties->scratch_bytes[0];
  HPK_GPU(FuncAttributes) facts{};
  HPK_GPU_CALL(A, info, FuncGetAttributes, &facts, kernel);
  HPK_GPU_CALL(A, info, FuncSetAttribute, kernel, HPK_GPU(FuncAttributeMaxDynamicSharedMemorySize),
               static_cast<int>(most - facts.sharedSizeBytes));
}

}  // namespace

template <class A>
void vendor<A>::expect_argument(vendor_stream* stream, const void* kernel, std::size_t bytes,
                                const seam::launch_info& info) {
  const on_device<A> there(stream->device);
  std::size_t expected = bytes;
  const status error = library::argument_bytes(kernel, expected);
  if (error != success) fail<A>(error, "FuncGetParamInfo", &info);
  if (expected == bytes) return;
  detail::text message;
  message << "hpk::" << A::name << ": remove [[no_unique_address]] from the members of the functor "
          << "of " << info.pattern << " \"" << info.label
          << "\" and of what it holds: the device compiler gives it another layout than the host "
             "compiler ("
          << expected << " bytes with what hpk adds, not " << bytes << ')';
  detail::raise(message.str(), info.where);
}

template <class A>
void vendor<A>::submit(vendor_stream* stream, const void* kernel, const launch_size& size,
                       void** arguments, const seam::launch_info& info) {
  const on_device<A> there(stream->device);
  allow_scratch<A>(stream, kernel, size.scratch, &info);
  remember(stream, info);
  HPK_GPU_CALL(A, &info, LaunchKernel, kernel, dim3(size.blocks), dim3(size.lanes), arguments,
               size.scratch, static_cast<HPK_GPU(Stream_t)>(stream->native));
}

template <class A>
index_t vendor<A>::resident_groups(vendor_stream* stream, const void* kernel,
                                   const seam::shape& shape) {
  const on_device<A> there(stream->device);
  int on_each = 0;
  allow_scratch<A>(stream, kernel, shape.scratch[0], nullptr);
  HPK_GPU_CALL(A, nullptr, OccupancyMaxActiveBlocksPerMultiprocessor, &on_each, kernel, shape.lanes,
               shape.scratch[0]);
  return index_t{on_each < 1 ? 1 : on_each} * stream->multiprocessors;
}

template <class A>
void vendor<A>::describe(seam::fact_sink& sink) {
  sink.section(A::name);
  const int count = device_count();
  sink.fact("devices", (detail::text() << count).str());
  for (int device = 0; device < count; ++device) {
    const device_state& state = state_of<A>(device);
    sink.fact((detail::text() << "device " << device).str(),
              (detail::text() << state.name << ", " << (state.memory >> 20) << " MiB"
                              << (device == default_device() ? ", in use" : ""))
                  .str());
  }
}

template <class R, class Exec>
seam::machine<Exec>& vendor_machine<R, Exec>::default_instance() {
  return default_machine<self>.get([] { return new_machine<Exec>(R::create_default_stream()); });
}

template <class R, class Exec>
void vendor_machine<R, Exec>::start(const seam::settings&) {
  stop();
}

template <class R, class Exec>
void vendor_machine<R, Exec>::stop() noexcept {
  default_machine<self>.reset();
  R::forget_default_device();
}

}  // namespace hpk::gpu
