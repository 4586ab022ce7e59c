// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Event and device calls of a vendor's library, written once for all vendors. Included only by the
// vendor's .cpp, after vendor_calls.hpp.
#pragma once

#include <hpk/backends/gpu/vendor_calls.hpp>
#include <hpk/spaces/device.hpp>

namespace hpk::gpu {

namespace {

// Interprets the result of a query.
template <class A>
bool is_done(status answer, const char* call, const origin& from) {
  ignore(answer);
  if (answer != success && answer != HPK_GPU(ErrorNotReady)) fail<A>(answer, call, from);
  return answer == success;
}

// An event of the vendor's library.
template <class A>
struct vendor_point : seam::event_point {
  vendor_point(vendor_stream* stream, bool timed)
      : device(stream->device), last(launch_before(launches_of(stream))), has_time(timed) {
    HPK_GPU_CALL(A, nullptr, EventCreateWithFlags, &native,
                 timed ? HPK_GPU(EventDefault) : HPK_GPU(EventDisableTiming));
  }
  ~vendor_point() override {
    if (is_forked) return;
    const device_switch there(device);
    ignore(HPK_GPU(EventDestroy)(native));
  }
  bool ready() override {
    const device_switch there(device);
    return is_done<A>(HPK_GPU(EventQuery)(native), "EventQuery", waits());
  }
  void wait() override {
    const device_switch there(device);
    const status error = HPK_GPU(EventSynchronize)(native);
    if (error != success) fail<A>(error, "EventSynchronize", waits());
  }
  bool seconds_since(seam::event_point& earlier, double& seconds) override {
    auto* const before = dynamic_cast<vendor_point*>(&earlier);
    if (before == nullptr || !before->has_time || !has_time) return false;
    float milliseconds = 0;
    const device_switch there(device);
    const status error = HPK_GPU(EventElapsedTime)(&milliseconds, before->native, native);
    if (error != success) fail<A>(error, "EventElapsedTime", waits());
    seconds = static_cast<double>(milliseconds) * 1e-3;
    return true;
  }
  origin waits() const { return {.device = device, .waits = true, .last = &last}; }
  HPK_GPU(Event_t) native = nullptr;
  const int device;
  const last_launch last;
  const bool has_time;
};

template <class A>
Event record_on(vendor_stream* stream, bool timed) {
  const on_device<A> there(stream->device);
  auto* const made = new vendor_point<A>(stream, timed);
  Event event(made);
  HPK_GPU_CALL(A, nullptr, EventRecord, made->native,
               static_cast<HPK_GPU(Stream_t)>(stream->native));
  return event;
}

}  // namespace

template <class A>
Event vendor<A>::record(vendor_stream* stream) {
  return record_on<A>(stream, false);
}
template <class A>
Event vendor<A>::record_timed(vendor_stream* stream) {
  return record_on<A>(stream, true);
}

template <class A>
void vendor<A>::wait(vendor_stream* stream, const Event& event) {
  auto* const point = dynamic_cast<vendor_point<A>*>(event.point());
  if (point == nullptr) {
    event.wait();
    return;
  }
  const on_device<A> there(stream->device);
  HPK_GPU_CALL(A, nullptr, StreamWaitEvent, static_cast<HPK_GPU(Stream_t)>(stream->native),
               point->native, 0);
  static_cast<stream_state*>(stream)->writes_host = true;
}

template <class A>
bool vendor<A>::is_idle(vendor_stream* stream) {
  const device_switch there(stream->device);
  const std::uint64_t begun = all_launches().newest;
  const bool done = is_done<A>(HPK_GPU(StreamQuery)(static_cast<HPK_GPU(Stream_t)>(stream->native)),
                               "StreamQuery", {.device = stream->device, .waits = true});
  if (done) note_wait(launches_of(stream), begun);
  return done;
}

template <class A>
void* vendor<A>::address_of_symbol(vendor_stream* stream, const void* symbol) {
  const on_device<A> there(stream->device);
  void* address = nullptr;
  HPK_GPU_CALL(A, nullptr, GetSymbolAddress, &address, symbol);
  return address;
}

template <class A>
void vendor<A>::describe_device(vendor_stream* stream, DeviceProperties& found) {
  const device_state& state = known_device<A>(stream->device);
  const on_device<A> there(stream->device);
  found.name = state.name;
  found.device = stream->device;
  found.multiprocessors = state.multiprocessors;
  HPK_GPU_CALL(A, nullptr, MemGetInfo, &found.free_bytes, &found.memory_bytes);
  char bus[32] = {};
  HPK_GPU_CALL(A, nullptr, DeviceGetPCIBusId, bus, static_cast<int>(sizeof bus), stream->device);
  found.pci_bus = bus;
}

}  // namespace hpk::gpu
