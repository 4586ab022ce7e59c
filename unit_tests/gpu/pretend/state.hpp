// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the pretend runtime, and shared code of its calls. Included only by runtime.cpp and
// the files that it includes.
#pragma once

#if HPK_PRETEND_HIP
#include <hip/hip_runtime_api.h>
#else
#include <cuda.h>
#include <cuda_runtime.h>
#endif

#include <gpu/pretend/control.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <ostream>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include <pthread.h>

#define SPELLED(Name) HPK_PRETEND(Name)
#define CALL(Name) status SPELLED(Name)

namespace pretend = hpk_test::pretend;
using status = SPELLED(Error_t);
using action = std::function<void()>;
using capture_state = SPELLED(StreamCaptureStatus);

constexpr status ok = SPELLED(Success);
constexpr status is_unloaded = static_cast<status>(pretend::unloaded);

struct HPK_PRETEND_NODE {
  action run;
};
struct HPK_PRETEND_GRAPH {
  std::deque<HPK_PRETEND_NODE> nodes;
};
struct HPK_PRETEND_EXECUTABLE {
  int device;
  std::vector<action> actions;
};
struct HPK_PRETEND_STREAM {
  int device;
  bool ordered = true;  // relative to the null stream
  std::deque<action> queue;
  capture_state capture = SPELLED(StreamCaptureStatusNone);
  SPELLED(Graph_t) graph = nullptr;  // the graph that it records
  std::vector<SPELLED(GraphNode_t)> last_nodes;
};
struct HPK_PRETEND_EVENT {
  int device;
  bool timed;
  bool captured = false;
  SPELLED(Stream_t) stream = nullptr;  // the stream that must reach it
  bool reached = true;
};
struct HPK_PRETEND_POOL {
  int device;
  std::set<int> accessors;
  unsigned long long threshold = 0;
};

namespace {

constexpr std::size_t device_bytes = std::size_t{8} << 30;

struct device {
  bool has_context = false;
  status broken = ok;
  status failing = ok;  // error of a failed kernel that no call has returned yet
  HPK_PRETEND_STREAM null_stream{};
  HPK_PRETEND_POOL pool{};
  std::set<int> peers;  // devices whose memory it may access
  std::set<int> possible_peers;
  std::set<const void*> large_scratch;  // kernels that may use more than 48 KiB
};
struct block {
  void* from;
  std::size_t bytes;
  int device;
  pretend::memory kind;
  SPELLED(MemPool_t) pool = nullptr;
};
struct failure {
  std::string function;
  int at;
  status error;
};

struct state {
  std::recursive_mutex guard;
  bool forked = false;  // whether the process is a child of one that used the library
  std::array<device, pretend::all_devices> devices;
  int used_devices = 0;
  int device_count = pretend::all_devices;
  status why_none = ok;
  bool pools = true;
  bool reads_pageable = false;
  bool unloaded = false;
  bool held = false;
  std::array<std::size_t, 4> limits{};
  std::array<std::size_t, 4> used{};
  std::vector<failure> failures;
  std::size_t argument_bytes = 0;
  int failing_launch = 0;
  status kernel_error = ok;

  std::set<SPELLED(Stream_t)> streams;
  std::set<SPELLED(Event_t)> events;
  std::set<SPELLED(Graph_t)> graphs;
  std::set<SPELLED(GraphExec_t)> executables;
  std::set<SPELLED(MemPool_t)> made_pools;
  std::map<std::uintptr_t, block> blocks;

  std::vector<pretend::call> calls;
  std::vector<pretend::launch> launches;
  std::vector<std::string> misuses;

  state() {
    limits.fill(SIZE_MAX);
    for (int d = 0; d < pretend::all_devices; ++d) {
      devices[static_cast<std::size_t>(d)].null_stream.device = d;
      devices[static_cast<std::size_t>(d)].pool.device = d;
    }
  }
};
// Never destroyed, since static objects of programs use it until the end.
state& all() {
  static state& only = *new state;
  static const int watches = pthread_atfork(nullptr, nullptr, [] { all().forked = true; });
  static_cast<void>(watches);
  return only;
}

thread_local int current = 0;
thread_local status last = ok;
thread_local bool in_host_function = false;

device& of(int number) {
  state& s = all();
  s.used_devices = std::max(s.used_devices, number + 1);
  return s.devices[static_cast<std::size_t>(number)];
}
// Returns the devices up to the highest one used in a call.
std::span<device> used_devices() {
  return {all().devices.data(), static_cast<std::size_t>(all().used_devices)};
}

status remember(status error) {
  if (error != ok) last = error;
  return error;
}

status misuse(const char* function, const char* what) {
  all().misuses.push_back(std::string(function) + ": " + what);
  return SPELLED(ErrorInvalidResourceHandle);
}

bool is_of_kernel(status error) {
  return error == SPELLED(ErrorLaunchFailure) || error == SPELLED(ErrorIllegalAddress);
}

// What a call needs before it starts.
enum class needs {
  nothing,  // asks the driver
  device,   // asks the driver for a device
  context,  // a context of the current device
};

// Returns the error with which a call fails immediately.
status enter(const char* function, needs what) {
  state& s = all();
  s.calls.push_back({function, current});
  if (s.unloaded) return is_unloaded;
  if (s.forked) return SPELLED(ErrorInitializationError);
  for (failure& f : s.failures) {
    if (f.function != function || f.at == 0 || --f.at != 0) continue;
    if (is_of_kernel(f.error) && what == needs::context) of(current).broken = f.error;
    return f.error;
  }
  if (what == needs::nothing) return ok;
  if (s.device_count == 0) return s.why_none;
  if (what == needs::device) return ok;
  of(current).has_context = true;
  return of(current).broken;
}

// Runs a call. Calls that free or destroy do so even when they report an error, which may be of
// earlier work.
template <class Body>
status run(const char* function, needs what, Body body) {
  if (in_host_function) return remember(SPELLED(ErrorNotPermitted));
  const std::lock_guard lock(all().guard);
  const status error = enter(function, what);
  return remember(error != ok ? error : body());
}
template <class Body>
status run_always(const char* function, needs what, Body body) {
  if (in_host_function) return remember(SPELLED(ErrorNotPermitted));
  const std::lock_guard lock(all().guard);
  const status error = enter(function, what);
  if (error == is_unloaded || error == SPELLED(ErrorInitializationError)) return remember(error);
  const status own = body();
  return remember(error != ok ? error : own);
}

SPELLED(Stream_t) known(SPELLED(Stream_t) stream) {
  if (stream == nullptr) return &of(current).null_stream;
  return all().streams.count(stream) != 0 ? stream : nullptr;
}

void run_queue(SPELLED(Stream_t) stream) {
  while (!stream->queue.empty()) {
    const action next = std::move(stream->queue.front());
    stream->queue.pop_front();
    next();
  }
}

status finish(SPELLED(Stream_t) stream) {
  run_queue(stream);
  device& d = of(stream->device);
  if (d.failing != ok) d.broken = std::exchange(d.failing, ok);
  return d.broken;
}

status finish_device(int number) {
  for (const auto stream : all().streams)
    if (stream->device == number) static_cast<void>(finish(stream));
  return finish(&of(number).null_stream);
}

// Aborts the recording of a stream, as the library does for calls that are forbidden meanwhile.
void invalidate(SPELLED(Stream_t) stream) {
  if (stream->capture == SPELLED(StreamCaptureStatusActive))
    stream->capture = SPELLED(StreamCaptureStatusInvalidated);
}
// Returns an error for calls that wait, or may wait, for all streams of a device while one of them
// records.
status expect_no_capture(int number) {
  status found = ok;
  for (const auto stream : all().streams) {
    if (stream->device != number || stream->capture == SPELLED(StreamCaptureStatusNone)) continue;
    invalidate(stream);
    found = SPELLED(ErrorStreamCaptureUnsupported);
  }
  return found;
}

// Appends work to a stream, or to the graph that it records.
status submit(SPELLED(Stream_t) stream, action work) {
  if (stream->capture == SPELLED(StreamCaptureStatusInvalidated))
    return SPELLED(ErrorStreamCaptureInvalidated);
  if (stream->capture == SPELLED(StreamCaptureStatusActive)) {
    stream->graph->nodes.push_back({std::move(work)});
    stream->last_nodes = {&stream->graph->nodes.back()};
    return ok;
  }
  if (of(stream->device).broken != ok) return of(stream->device).broken;
  stream->queue.push_back(std::move(work));
  if (!all().held) run_queue(stream);
  return ok;
}

// Runs a call that waits for a stream or queries it.
template <class Body>
status on_stream(const char* function, SPELLED(Stream_t) given, Body body) {
  return run(function, needs::context, [&]() -> status {
    const auto stream = known(given);
    if (stream == nullptr) return misuse(function, "no such stream");
    return body(stream);
  });
}

std::map<std::uintptr_t, block>::iterator find(const void* data) {
  auto& blocks = all().blocks;
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  auto next = blocks.upper_bound(at);
  if (next == blocks.begin()) return blocks.end();
  --next;
  return at < next->first + std::max<std::size_t>(next->second.bytes, 1) ? next : blocks.end();
}

status allocate(void** data, std::size_t bytes, int number, pretend::memory kind,
                SPELLED(MemPool_t) pool = nullptr) {
  constexpr std::size_t align = 256;
  state& s = all();
  const auto k = static_cast<std::size_t>(kind);
  if (bytes == 0) {
    *data = nullptr;
    return ok;
  }
  if (bytes > s.limits[k] - std::min(s.limits[k], s.used[k]) || bytes > device_bytes)
    return SPELLED(ErrorMemoryAllocation);
  void* const from = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  if (from == nullptr) return SPELLED(ErrorMemoryAllocation);
  s.used[k] += bytes;
  s.blocks[reinterpret_cast<std::uintptr_t>(from)] = {from, bytes, number, kind, pool};
  *data = from;
  return ok;
}

template <class... Kinds>
status release(const char* function, void* data, Kinds... kinds) {
  if (data == nullptr) return ok;
  state& s = all();
  const auto found = s.blocks.find(reinterpret_cast<std::uintptr_t>(data));
  if (found == s.blocks.end() || (... && (found->second.kind != kinds))) {
    static_cast<void>(misuse(function, "no such memory"));
    return SPELLED(ErrorInvalidValue);
  }
  s.used[static_cast<std::size_t>(found->second.kind)] -= found->second.bytes;
  std::free(found->second.from);
  s.blocks.erase(found);
  return ok;
}

template <class Handle>
status destroy(const char* function, std::set<Handle>& known, Handle handle) {
  if (known.erase(handle) == 0) return misuse(function, "no such object");
  delete handle;
  return ok;
}

void run_kernel(int number) {
  state& s = all();
  if (s.failing_launch > 0 && --s.failing_launch == 0) of(number).failing = s.kernel_error;
}

// Runs the function on a thread of the library, where it may not call the library.
void run_on_host(SPELLED(HostFn_t) function, void* data) {
  std::thread([=] {
    in_host_function = true;
    function(data);
  }).join();
}

status make_stream(SPELLED(Stream_t) * made, unsigned flags = SPELLED(StreamDefault)) {
  *made = new HPK_PRETEND_STREAM{};
  (*made)->device = current;
  (*made)->ordered = flags == SPELLED(StreamDefault);
  all().streams.insert(*made);
  return ok;
}

status instantiate(SPELLED(GraphExec_t) * made, SPELLED(Graph_t) graph) {
  if (all().graphs.count(graph) == 0) return misuse("GraphInstantiate", "no such graph");
  *made = new HPK_PRETEND_EXECUTABLE{current, {}};
  for (const HPK_PRETEND_NODE& node : graph->nodes) (*made)->actions.push_back(node.run);
  all().executables.insert(*made);
  return ok;
}

status set_dependencies(const char* function, SPELLED(Stream_t) given, SPELLED(GraphNode_t) * nodes,
                        std::size_t count) {
  return on_stream(function, given, [&](SPELLED(Stream_t) stream) {
    if (stream->capture == SPELLED(StreamCaptureStatusInvalidated))
      return SPELLED(ErrorStreamCaptureInvalidated);
    if (stream->capture == SPELLED(StreamCaptureStatusNone)) return SPELLED(ErrorInvalidValue);
    stream->last_nodes.assign(nodes, nodes + count);
    return ok;
  });
}
status get_dependencies(const char* function, SPELLED(Stream_t) given, capture_state* capture,
                        const SPELLED(GraphNode_t) * *nodes, std::size_t* count) {
  return on_stream(function, given, [&](SPELLED(Stream_t) stream) {
    *capture = stream->capture;
    *nodes = stream->last_nodes.data();
    *count = stream->last_nodes.size();
    return ok;
  });
}

}  // namespace
