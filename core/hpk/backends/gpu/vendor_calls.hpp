// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a vendor's library, written once for all vendors. Included only by the vendor's
// .cpp, which first includes the library's header, defines HPK_GPU(Name) as the library's spelling
// of Name (cudaName, hipName), and puts the differences between the libraries into
// hpk::gpu::library.
#pragma once

#include <hpk/backends/gpu/device_calls.hpp>
#include <hpk/backends/gpu/memory.hpp>
#include <hpk/backends/gpu/new_machine.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>

namespace hpk::gpu {

namespace {

// The default instance.
template <class M>
constinit seam::default_instance<M> default_machine{};

// Pinned memory that a copy in a stream reads, and the event after the copy.
struct staging_block {
  void* data = nullptr;
  std::size_t bytes = 0;
  HPK_GPU(Event_t) read = nullptr;
};
struct stream_state : vendor_stream {
  stream_state(device_state& owner, int number, HPK_GPU(Stream_t) handle, bool owns)
      : vendor_stream{number, handle, owns, &owner.properties, owner.multiprocessors},
        home(owner),
        launches(number) {
    launch_log& all = all_launches();
    const std::lock_guard lock(all.guard);
    all.streams.push_back(&launches);
  }
  ~stream_state() {
    launch_log& all = all_launches();
    const std::lock_guard lock(all.guard);
    std::erase(all.streams, &launches);
  }
  stream_state(const stream_state&) = delete;
  stream_state& operator=(const stream_state&) = delete;
  device_state& home;
  launch_record launches;
  // Whether this stream, or a stream that it waited for, may hold work that writes host memory. Set
  // after the work is submitted, and cleared by the next wait.
  std::atomic<bool> writes_host{false};
  std::mutex staging_guard;
  staging_block staging[4];
  unsigned next_staging = 0;
};

launch_record& launches_of(vendor_stream* stream) {
  return static_cast<stream_state*>(stream)->launches;
}

}  // namespace

template <class A>
vendor_stream* vendor<A>::create_stream(int device, int priority) {
  if (device < 0) device = default_device();
  device_state& home = device_in_use<A>(device);
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
  return new stream_state(home, device, native, true);
}

template <class A>
vendor_stream* vendor<A>::create_default_stream() {
  const int device = default_device();
  device_state& home = device_in_use<A>(device);
  const bool ordered = seam::backend_value(seam::current_settings(), A::order_null_stream) != 0;
  const on_device<A> there(device);
  HPK_GPU(Stream_t) native = nullptr;
  HPK_GPU_CALL(A, nullptr, StreamCreateWithFlags, &native,
               ordered ? HPK_GPU(StreamDefault) : HPK_GPU(StreamNonBlocking));
  return new stream_state(home, device, native, true);
}

template <class A>
vendor_stream* vendor<A>::adopt_stream(void* native) {
  const auto stream = static_cast<HPK_GPU(Stream_t)>(native);
  int device = 0;
  const status error = library::device_of(stream, device);
  if (error != success) fail<A>(error, "StreamGetDevice", {});
  return new stream_state(device_in_use<A>(device), device, stream, false);
}

template <class A>
void vendor<A>::destroy_stream(vendor_stream* stream) noexcept {
  const std::unique_ptr<stream_state> state(static_cast<stream_state*>(stream));
  if (is_forked) return;
  const device_switch there(stream->device);
  for (const staging_block& block : state->staging) {
    if (block.read != nullptr) ignore(HPK_GPU(EventDestroy)(block.read));
    if (block.data != nullptr) deallocate(memory_kind::pinned, block.data);
  }
  if (stream->owned) ignore(HPK_GPU(StreamDestroy)(static_cast<HPK_GPU(Stream_t)>(stream->native)));
}

namespace {

status wait_for(vendor_stream* stream) noexcept {
  const device_switch there(stream->device);
  const std::uint64_t begun = all_launches().newest;
  static_cast<stream_state*>(stream)->writes_host = false;
  const status error = HPK_GPU(StreamSynchronize)(static_cast<HPK_GPU(Stream_t)>(stream->native));
  if (error == success) note_wait(launches_of(stream), begun);
  return error;
}

}  // namespace

template <class A>
void vendor<A>::synchronize(vendor_stream* stream) {
  const status error = wait_for(stream);
  if (error != success)
    fail<A>(error, "StreamSynchronize", {.device = stream->device, .waits = true});
}

template <class A>
void vendor<A>::drain(vendor_stream* stream) noexcept {
  if (is_forked) return;
  const status error = wait_for(stream);
  ignore(error);
  if (error == success || error == library::unloaded) return;
  // A kernel's error persists: the next call of the program reports it.
  if (is_of_kernel(error) && is_reported(stream->device)) return;
  std::fprintf(
      stderr, "hpk: an instance ends with an error: %s\n",
      explain<A>(error, "StreamSynchronize", {.device = stream->device, .waits = true}).c_str());
}

template <class A>
void vendor<A>::call(vendor_stream* stream, seam::host_call* work) {
  std::unique_ptr<seam::host_call> owned(work);
  const on_device<A> there(stream->device);
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
  static_cast<stream_state*>(stream)->writes_host = true;
}

template <class A>
void vendor<A>::synchronize_all() {
  vendor_state& all = all_devices();
  // The child of a fork() has no work on devices, and may not call the library.
  if (is_forked || all.first_used < 0) return;
  const recording_turns::wait all_recorded(all.recordings);
  std::string first;
  for (std::size_t k = 0; k < all.devices.size(); ++k) {
    if (!all.devices[k].used) continue;
    const int device = static_cast<int>(k);
    const device_switch there(device);
    const std::uint64_t begun = all_launches().newest;
    const status error = there.error() == success ? HPK_GPU(DeviceSynchronize)() : there.error();
    ignore(error);
    if (error == success) {
      note_wait_for_device(device, begun);
    } else if (!is_of_kernel(error) || !is_reported(device)) {
      // Nothing runs on a device that a kernel has broken, so one report is enough.
      const std::string text =
          explain<A>(error, there.error() == success ? "DeviceSynchronize" : there.call(),
                     {.device = device, .waits = true});
      if (first.empty()) first = text;
    }
  }
  if (!first.empty()) detail::raise(first);
}

namespace {

// Whether the library does not know the memory: host memory that it did not allocate.
template <class A>
bool is_pageable(const void* data) {
  library::pointer_attributes facts{};
  const status error = HPK_GPU(PointerGetAttributes)(&facts, data);
  ignore(error);
  return error != success || library::is_pageable(facts);
}

// Copies host memory. The memory has been read when the call returns.
template <class A>
void copy_at_once(stream_state& stream, void* to, const void* from, std::size_t bytes) {
  const auto native = static_cast<HPK_GPU(Stream_t)>(stream.native);
  // Freed after the lock is released, because freeing may wait for other threads.
  const auto free_block = [](void* data) { vendor<A>::deallocate(memory_kind::pinned, data); };
  std::unique_ptr<void, void (*)(void*)> outgrown(nullptr, free_block);
  const std::lock_guard lock(stream.staging_guard);
  staging_block& block = stream.staging[stream.next_staging++ % std::size(stream.staging)];
  if (block.read == nullptr) {
    HPK_GPU_CALL(A, nullptr, EventCreateWithFlags, &block.read, HPK_GPU(EventDisableTiming));
  } else {
    HPK_GPU_CALL(A, nullptr, EventSynchronize, block.read);
  }
  if (block.bytes < bytes) {
    outgrown.reset(std::exchange(block.data, nullptr));
    block.bytes = 0;
    block.data = vendor<A>::allocate(memory_kind::pinned, &stream, bytes);
    if (block.data == nullptr) {
      detail::raise_bad_alloc((detail::text()
                               << "hpk::" << A::name << ": no pinned memory left for a copy of "
                               << bytes << " bytes")
                                  .str());
    }
    block.bytes = bytes;
  }
  std::memcpy(block.data, from, bytes);
  HPK_GPU_CALL(A, nullptr, MemcpyAsync, to, block.data, bytes, HPK_GPU(MemcpyDefault), native);
  HPK_GPU_CALL(A, nullptr, EventRecord, block.read, native);
}

}  // namespace

template <class A>
void vendor<A>::copy(vendor_stream* stream, void* to, const void* from, std::size_t bytes) {
  const on_device<A> there(stream->device);
  auto& state = *static_cast<stream_state*>(stream);
  // Callers may copy up to this size from memory that they free after the call. The library reads
  // pageable memory during the call, except where the device accesses it directly.
  const bool at_once = bytes <= std::size_t{64} << 10 && state.home.reads_pageable;
  if ((state.writes_host || at_once) && !stream->recording && is_pageable<A>(from)) {
    if (state.writes_host) synchronize(stream);
    if (at_once) {
      copy_at_once<A>(state, to, from, bytes);
      return;
    }
  }
  HPK_GPU_CALL(A, nullptr, MemcpyAsync, to, from, bytes, HPK_GPU(MemcpyDefault),
               static_cast<HPK_GPU(Stream_t)>(stream->native));
  // On other devices the library has written pageable memory when the call returns.
  if (state.home.reads_pageable && !stream->recording && is_pageable<A>(to))
    state.writes_host = true;
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
  // Bytes that every kernel may use.
  constexpr std::size_t plain_scratch = std::size_t{48} << 10;
  if (bytes <= plain_scratch) return;
  device_state& home = static_cast<stream_state*>(stream)->home;
  const std::lock_guard lock(home.guard);
  if (home.scratch_users.contains(kernel)) return;
  // Raised to the maximum and not only for this launch, because later launches may need more.
  const std::size_t most = stream->properties->scratch_bytes[0];
  HPK_GPU(FuncAttributes) facts{};
  HPK_GPU_CALL(A, info, FuncGetAttributes, &facts, kernel);
  HPK_GPU_CALL(A, info, FuncSetAttribute, kernel, HPK_GPU(FuncAttributeMaxDynamicSharedMemorySize),
               static_cast<int>(most - facts.sharedSizeBytes));
  home.scratch_users.insert(kernel);
}

}  // namespace

template <class A>
void vendor<A>::expect_argument(vendor_stream* stream, const void* kernel, std::size_t bytes,
                                const seam::launch_info& info) {
  const on_device<A> there(stream->device);
  std::size_t expected = bytes;
  const status error = library::argument_bytes(kernel, expected);
  if (error != success) fail<A>(error, "FuncGetParamInfo", {.info = &info});
  if (expected == bytes) return;
  detail::text message;
  message << "hpk::" << A::name << ": remove [[no_unique_address]] from the members of the functor "
          << "of " << info.pattern << " \"" << info.label
          << "\" and of the objects that it contains: the device compiler gives it another layout "
             "than the host compiler ("
          << expected << " bytes including data of hpk, not " << bytes << ')';
  detail::raise(message.str(), info.where);
}

template <class A>
void vendor<A>::submit(vendor_stream* stream, const void* kernel, const launch_size& size,
                       void** arguments, const seam::launch_info& info) {
  const on_device<A> there(stream->device);
  allow_scratch<A>(stream, kernel, size.scratch, &info);
  HPK_GPU_CALL(A, &info, LaunchKernel, kernel, dim3(size.blocks), dim3(size.lanes), arguments,
               size.scratch, static_cast<HPK_GPU(Stream_t)>(stream->native));
  if (stream->recording) {
    note_recorded(launches_of(stream), info);
  } else {
    remember(launches_of(stream), launch_of(info));
  }
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
