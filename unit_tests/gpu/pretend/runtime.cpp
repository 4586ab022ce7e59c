// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pretend runtime, compiled once for each vendor. README.md says what it does.
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
#include <set>
#include <thread>
#include <utility>

#include <unistd.h>

#define SPELLED(Name) HPK_PRETEND(Name)

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
  bool ordered = true;  // with the null stream
  std::deque<action> queue;
  capture_state capture = SPELLED(StreamCaptureStatusNone);
  SPELLED(Graph_t) graph = nullptr;  // that it records
  std::vector<SPELLED(GraphNode_t)> last_nodes;
};
struct HPK_PRETEND_EVENT {
  int device;
  bool timed;
  bool captured = false;
  SPELLED(Stream_t) stream = nullptr;  // that reaches it
  bool reached = true;
};
struct HPK_PRETEND_POOL {
  int device;
  std::set<int> accessors;
  unsigned long long threshold = 0;
};

namespace {

struct device {
  bool has_context = false;
  status broken = ok;
  status failing = ok;  // a kernel has failed, and no call has said so
  HPK_PRETEND_STREAM null_stream{};
  HPK_PRETEND_POOL pool{};
  std::set<int> peers;  // whose memory it may access
  std::set<int> possible_peers;
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
  const pid_t process = getpid();
  std::array<device, pretend::all_devices> devices;
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
  std::set<const void*> large_scratch;  // kernels that may use more than 48 KiB

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
// Never destroyed: static objects of programs use it until the end.
state& all() {
  static state& only = *new state;
  return only;
}

thread_local int current = 0;
thread_local status last = ok;
thread_local bool in_host_function = false;

device& of(int number) { return all().devices[static_cast<std::size_t>(number)]; }

status remember(status error) {
  if (error != ok) last = error;
  return error;
}

status misuse(const char* function, const char* what) {
  all().misuses.push_back(std::string(function) + ": " + what);
  return SPELLED(ErrorInvalidResourceHandle);
}

// What a call does before it does anything.
enum class needs {
  nothing,  // asks the driver
  device,   // asks the driver for a device
  context,  // a context of the current device
};

// The error with which a call ends at once.
status enter(const char* function, needs what) {
  state& s = all();
  s.calls.push_back({function, current});
  if (s.unloaded) return is_unloaded;
  if (getpid() != s.process) return SPELLED(ErrorInitializationError);
  for (failure& f : s.failures)
    if (f.function == function && f.at > 0 && --f.at == 0) return f.error;
  if (what == needs::nothing) return ok;
  if (s.device_count == 0) return s.why_none;
  if (what == needs::device) return ok;
  of(current).has_context = true;
  return of(current).broken;
}

// Runs a call. What frees or destroys does so even where an error is reported, which may be that of
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

status finish(SPELLED(Stream_t) stream) {
  while (!stream->queue.empty()) {
    const action next = std::move(stream->queue.front());
    stream->queue.pop_front();
    next();
  }
  device& d = of(stream->device);
  if (d.failing != ok) d.broken = std::exchange(d.failing, ok);
  return d.broken;
}

status finish_device(int number) {
  for (const auto stream : all().streams)
    if (stream->device == number) static_cast<void>(finish(stream));
  return finish(&of(number).null_stream);
}

// Breaks off what a stream records, as the library does when a call is not possible meanwhile.
void invalidate(SPELLED(Stream_t) stream) {
  if (stream->capture == SPELLED(StreamCaptureStatusActive))
    stream->capture = SPELLED(StreamCaptureStatusInvalidated);
}
// A call that waits for all streams of a device, or may.
status expect_no_capture(int number) {
  status found = ok;
  for (const auto stream : all().streams) {
    if (stream->device != number || stream->capture == SPELLED(StreamCaptureStatusNone)) continue;
    invalidate(stream);
    found = SPELLED(ErrorStreamCaptureUnsupported);
  }
  return found;
}

// Puts work into a stream, or into the graph that it records.
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
  if (all().held) return ok;
  while (!stream->queue.empty()) {
    const action next = std::move(stream->queue.front());
    stream->queue.pop_front();
    next();
  }
  return ok;
}

// A call that waits for a stream, or asks it.
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
  if (bytes > s.limits[k] - std::min(s.limits[k], s.used[k]) || bytes > SIZE_MAX / 4)
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

// A thread of the library runs it, where no call of the library is possible.
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

extern "C" {

#define CALL(Name) status SPELLED(Name)

CALL(GetDeviceCount)(int* count) {
  return run("GetDeviceCount", needs::device, [&] {
    *count = all().device_count;
    return ok;
  });
}
CALL(GetDevice)(int* number) {
  return run("GetDevice", needs::device, [&] {
    *number = current;
    return ok;
  });
}
CALL(SetDevice)(int number) {
  return run("SetDevice", needs::device, [&] {
    if (number < 0 || number >= all().device_count) return SPELLED(ErrorInvalidDevice);
    current = number;
#if !HPK_PRETEND_HIP
    of(number).has_context = true;  // from CUDA 12 on
#endif
    return ok;
  });
}
CALL(GetDeviceProperties)(HPK_PRETEND_PROPERTIES* facts, int number) {
  return run("GetDeviceProperties", needs::device, [&] {
    if (number < 0 || number >= all().device_count) return SPELLED(ErrorInvalidDevice);
    *facts = {};
    std::snprintf(facts->name, sizeof facts->name, "pretend device %d", number);
    facts->totalGlobalMem = std::size_t{8} << 30;
    facts->sharedMemPerBlock = std::size_t{64} << 10;
    facts->sharedMemPerBlockOptin = std::size_t{200} << 10;
    facts->multiProcessorCount = 4;
    facts->maxThreadsPerBlock = 1024;
    facts->maxThreadsPerMultiProcessor = 2048;
    facts->warpSize = 32;
    facts->pageableMemoryAccess = all().reads_pageable ? 1 : 0;
    return ok;
  });
}
CALL(DeviceGetAttribute)(int* value, SPELLED(DeviceAttr), int) {
  return run("DeviceGetAttribute", needs::device, [&] {
    *value = all().pools ? 1 : 0;
    return ok;
  });
}
CALL(DeviceGetPCIBusId)(char* bus, int bytes, int number) {
  return run("DeviceGetPCIBusId", needs::device, [&] {
    std::snprintf(bus, static_cast<std::size_t>(bytes), "0000:%02x:00.0", number);
    return ok;
  });
}
CALL(DeviceGetStreamPriorityRange)(int* least, int* greatest) {
  return run("DeviceGetStreamPriorityRange", needs::context, [&] {
    *least = 0;
    *greatest = -5;
    return ok;
  });
}
CALL(DeviceCanAccessPeer)(int* can, int number, int peer) {
  return run("DeviceCanAccessPeer", needs::device, [&] {
    *can = of(number).possible_peers.count(peer) != 0 ? 1 : 0;
    return ok;
  });
}
CALL(DeviceEnablePeerAccess)(int peer, unsigned) {
  return run("DeviceEnablePeerAccess", needs::context, [&] {
    of(peer).has_context = true;
    if (of(current).possible_peers.count(peer) == 0) return SPELLED(ErrorPeerAccessUnsupported);
    const bool is_new = of(current).peers.insert(peer).second;
    return is_new ? ok : SPELLED(ErrorPeerAccessAlreadyEnabled);
  });
}
CALL(DeviceSynchronize)() {
  return run("DeviceSynchronize", needs::context, [] {
    const status captured = expect_no_capture(current);
    return captured != ok ? captured : finish_device(current);
  });
}
CALL(GetLastError)() {
  const std::lock_guard lock(all().guard);
  all().calls.push_back({"GetLastError", current});
  return std::exchange(last, ok);
}
CALL(PeekAtLastError)() { return last; }
const char* SPELLED(GetErrorName)(status error) {
#define NAMED_AGAIN(name) #name
#define NAMED(name) NAMED_AGAIN(name)
  switch (static_cast<int>(error)) {
#define WITH_NAME(number, name, text) \
  case number:                        \
    return NAMED(HPK_PRETEND(name));
    HPK_PRETEND_ERRORS(WITH_NAME)
#undef WITH_NAME
    case pretend::unloaded:
      return NAMED(HPK_PRETEND_ERROR_NAMED(HPK_PRETEND_UNLOADED));
    default:
      return "unrecognized error code";
  }
}
const char* SPELLED(GetErrorString)(status error) {
  switch (static_cast<int>(error)) {
#define WITH_TEXT(number, name, text) \
  case number:                        \
    return text;
    HPK_PRETEND_ERRORS(WITH_TEXT)
#undef WITH_TEXT
    case pretend::unloaded:
      return "driver shutting down";
    default:
      return "unrecognized error code";
  }
}

CALL(StreamCreate)(SPELLED(Stream_t) * made) {
  return run("StreamCreate", needs::context, [&] { return make_stream(made); });
}
CALL(StreamCreateWithFlags)(SPELLED(Stream_t) * made, unsigned flags) {
  return run("StreamCreateWithFlags", needs::context, [&] { return make_stream(made, flags); });
}
CALL(StreamCreateWithPriority)(SPELLED(Stream_t) * made, unsigned flags, int) {
  return run("StreamCreateWithPriority", needs::context, [&] { return make_stream(made, flags); });
}
CALL(StreamDestroy)(SPELLED(Stream_t) stream) {
  return run_always("StreamDestroy", needs::context, [&]() -> status {
    if (all().streams.count(stream) == 0) return misuse("StreamDestroy", "no such stream");
    if (stream->capture != SPELLED(StreamCaptureStatusNone))
      static_cast<void>(misuse("StreamDestroy", "the stream records a graph"));
    const status error = finish(stream);
    static_cast<void>(destroy("StreamDestroy", all().streams, stream));
    return error;
  });
}
CALL(StreamGetDevice)(SPELLED(Stream_t) given, int* number) {
  return on_stream("StreamGetDevice", given, [&](SPELLED(Stream_t) stream) {
    *number = stream->device;
    return ok;
  });
}
CALL(StreamSynchronize)(SPELLED(Stream_t) given) {
  return on_stream("StreamSynchronize", given, [](SPELLED(Stream_t) stream) {
    if (stream->capture == SPELLED(StreamCaptureStatusNone)) return finish(stream);
    invalidate(stream);
    return SPELLED(ErrorStreamCaptureUnsupported);
  });
}
CALL(StreamQuery)(SPELLED(Stream_t) given) {
  return on_stream("StreamQuery", given, [](SPELLED(Stream_t) stream) {
    if (stream->capture != SPELLED(StreamCaptureStatusNone)) {
      invalidate(stream);
      return SPELLED(ErrorStreamCaptureUnsupported);
    }
    if (!stream->queue.empty()) return SPELLED(ErrorNotReady);
    return finish(stream);
  });
}
CALL(StreamWaitEvent)(SPELLED(Stream_t) given, SPELLED(Event_t) event, unsigned) {
  return on_stream("StreamWaitEvent", given, [&](SPELLED(Stream_t) stream) {
    if (all().events.count(event) == 0) return misuse("StreamWaitEvent", "no such event");
    if (stream->capture != SPELLED(StreamCaptureStatusNone) && !event->captured) {
      invalidate(stream);
      return SPELLED(ErrorStreamCaptureIsolation);
    }
    // The order of the two streams matters to nothing that runs here.
    if (!event->reached) static_cast<void>(finish(event->stream));
    return of(stream->device).broken;
  });
}
CALL(StreamIsCapturing)(SPELLED(Stream_t) given, capture_state* capture) {
  return on_stream("StreamIsCapturing", given, [&](SPELLED(Stream_t) stream) {
    *capture = stream->capture;
    return ok;
  });
}
CALL(StreamBeginCapture)(SPELLED(Stream_t) given, SPELLED(StreamCaptureMode)) {
  return on_stream("StreamBeginCapture", given, [](SPELLED(Stream_t) stream) {
    if (stream->capture != SPELLED(StreamCaptureStatusNone)) return SPELLED(ErrorIllegalState);
    stream->capture = SPELLED(StreamCaptureStatusActive);
    stream->graph = new HPK_PRETEND_GRAPH;
    stream->last_nodes.clear();
    all().graphs.insert(stream->graph);
    return ok;
  });
}
CALL(StreamEndCapture)(SPELLED(Stream_t) given, SPELLED(Graph_t) * made) {
  // Ends the capture even if it reports an error.
  return run_always("StreamEndCapture", needs::context, [&]() -> status {
    *made = nullptr;
    const auto stream = known(given);
    if (stream == nullptr) return misuse("StreamEndCapture", "no such stream");
    if (stream->capture == SPELLED(StreamCaptureStatusNone)) return SPELLED(ErrorIllegalState);
    const capture_state was = std::exchange(stream->capture, SPELLED(StreamCaptureStatusNone));
    if (was == SPELLED(StreamCaptureStatusActive)) {
      *made = std::exchange(stream->graph, nullptr);
      return ok;
    }
    static_cast<void>(
        destroy("StreamEndCapture", all().graphs, std::exchange(stream->graph, nullptr)));
    return SPELLED(ErrorStreamCaptureInvalidated);
  });
}

CALL(EventCreateWithFlags)(SPELLED(Event_t) * made, unsigned flags) {
  return run("EventCreateWithFlags", needs::context, [&] {
    *made = new HPK_PRETEND_EVENT{current, (flags & SPELLED(EventDisableTiming)) == 0};
    all().events.insert(*made);
    return ok;
  });
}
CALL(EventDestroy)(SPELLED(Event_t) event) {
  return run_always("EventDestroy", needs::context, [&]() -> status {
    if (all().events.count(event) != 0 && !event->reached) static_cast<void>(finish(event->stream));
    return destroy("EventDestroy", all().events, event);
  });
}
CALL(EventRecord)(SPELLED(Event_t) event, SPELLED(Stream_t) given) {
  return on_stream("EventRecord", given, [&](SPELLED(Stream_t) stream) {
    if (all().events.count(event) == 0) return misuse("EventRecord", "no such event");
    if (event->device != stream->device)
      return misuse("EventRecord", "event and stream are of different devices");
    event->captured = stream->capture != SPELLED(StreamCaptureStatusNone);
    if (event->captured) return ok;
    event->stream = stream;
    event->reached = false;
    return submit(stream, [event] { event->reached = true; });
  });
}
CALL(EventQuery)(SPELLED(Event_t) event) {
  return run("EventQuery", needs::context, [&]() -> status {
    if (all().events.count(event) == 0) return misuse("EventQuery", "no such event");
    if (event->captured) return SPELLED(ErrorCapturedEvent);
    if (!event->reached) return SPELLED(ErrorNotReady);
    return event->stream == nullptr ? ok : finish_device(event->device);
  });
}
CALL(EventSynchronize)(SPELLED(Event_t) event) {
  return run("EventSynchronize", needs::context, [&]() -> status {
    if (all().events.count(event) == 0) return misuse("EventSynchronize", "no such event");
    if (event->captured) return SPELLED(ErrorCapturedEvent);
    if (event->stream == nullptr) return ok;
    if (!event->reached) static_cast<void>(finish(event->stream));
    return finish_device(event->device);
  });
}
CALL(EventElapsedTime)(float* milliseconds, SPELLED(Event_t) from, SPELLED(Event_t) to) {
  return run("EventElapsedTime", needs::context, [&]() -> status {
    if (all().events.count(from) == 0 || all().events.count(to) == 0)
      return misuse("EventElapsedTime", "no such event");
    if (!from->timed || !to->timed) return SPELLED(ErrorInvalidResourceHandle);
    if (!from->reached || !to->reached) return SPELLED(ErrorNotReady);
    *milliseconds = 1;
    return finish_device(to->device);
  });
}

CALL(Malloc)(void** data, std::size_t bytes) {
  return run("Malloc", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::device); });
}
CALL(MallocAsync)(void** data, std::size_t bytes, SPELLED(Stream_t) given) {
  return on_stream("MallocAsync", given, [&](SPELLED(Stream_t) stream) {
    if (!all().pools) return SPELLED(ErrorNotSupported);
    return allocate(data, bytes, stream->device, pretend::memory::pool, &of(stream->device).pool);
  });
}
CALL(MallocFromPoolAsync)
(void** data, std::size_t bytes, SPELLED(MemPool_t) pool, SPELLED(Stream_t) given) {
  return on_stream("MallocFromPoolAsync", given, [&](SPELLED(Stream_t)) {
    if (!all().pools) return SPELLED(ErrorNotSupported);
    return allocate(data, bytes, pool->device, pretend::memory::pool, pool);
  });
}
CALL(MallocManaged)(void** data, std::size_t bytes, unsigned) {
  return run("MallocManaged", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::managed); });
}
CALL(Free)(void* data) {
  return run_always("Free", needs::context, [&]() -> status {
    const auto found = find(data);
    const int number = found == all().blocks.end() ? current : found->second.device;
    // It waits for the device.
    const status captured = expect_no_capture(number);
    const status waited = captured != ok ? captured : finish_device(number);
    const status freed = release("Free", data, pretend::memory::device, pretend::memory::pool,
                                 pretend::memory::managed);
    return waited != ok ? waited : freed;
  });
}
CALL(FreeAsync)(void* data, SPELLED(Stream_t) given) {
  return run_always("FreeAsync", needs::context, [&]() -> status {
    if (known(given) == nullptr) static_cast<void>(misuse("FreeAsync", "no such stream"));
    return release("FreeAsync", data, pretend::memory::pool);
  });
}
CALL(MemGetInfo)(std::size_t* free, std::size_t* bytes) {
  return run("MemGetInfo", needs::context, [&] {
    *bytes = std::size_t{8} << 30;
    *free = *bytes - std::min(*bytes, all().used[0] + all().used[1]);
    return ok;
  });
}
CALL(PointerGetAttributes)(HPK_PRETEND_ATTRIBUTES* facts, const void* data) {
  return run("PointerGetAttributes", needs::context, [&]() -> status {
    const auto found = find(data);
    if (found == all().blocks.end()) {
#if HPK_PRETEND_HIP
      return SPELLED(ErrorInvalidValue);
#else
      *facts = {SPELLED(MemoryTypeUnregistered), -2, nullptr, nullptr};
      return ok;
#endif
    }
    const block& b = found->second;
    *facts = {b.kind == pretend::memory::managed  ? SPELLED(MemoryTypeManaged)
              : b.kind == pretend::memory::pinned ? SPELLED(MemoryTypeHost)
                                                  : SPELLED(MemoryTypeDevice),
              b.device, const_cast<void*>(data), nullptr};
    return ok;
  });
}
CALL(MemcpyAsync)
(void* to, const void* from, std::size_t bytes, SPELLED(MemcpyKind), SPELLED(Stream_t) given) {
  return on_stream("MemcpyAsync", given, [&](SPELLED(Stream_t) stream) {
    // Pageable memory is read during the call, unless devices read it directly.
    if (!all().reads_pageable && find(from) == all().blocks.end() &&
        stream->capture == SPELLED(StreamCaptureStatusNone)) {
      const auto* const first = static_cast<const char*>(from);
      return submit(stream, [to, kept = std::vector<char>(first, first + bytes)] {
        std::memcpy(to, kept.data(), kept.size());
      });
    }
    return submit(stream, [=] { std::memcpy(to, from, bytes); });
  });
}
CALL(MemsetAsync)(void* to, int value, std::size_t bytes, SPELLED(Stream_t) given) {
  return on_stream("MemsetAsync", given, [&](SPELLED(Stream_t) stream) {
    return submit(stream, [=] { std::memset(to, value, bytes); });
  });
}
CALL(GetSymbolAddress)(void** address, const void* symbol) {
  return run("GetSymbolAddress", needs::context, [&] {
    *address = const_cast<void*>(symbol);
    return ok;
  });
}
CALL(DeviceGetDefaultMemPool)(SPELLED(MemPool_t) * pool, int number) {
  return run("DeviceGetDefaultMemPool", needs::device, [&] {
    if (!all().pools) return SPELLED(ErrorNotSupported);
    *pool = &of(number).pool;
    return ok;
  });
}
CALL(MemPoolCreate)(SPELLED(MemPool_t) * made, const SPELLED(MemPoolProps) * what) {
  return run("MemPoolCreate", needs::context, [&] {
    if (!all().pools) return SPELLED(ErrorNotSupported);
    *made = new HPK_PRETEND_POOL{what->location.id, {}};
    all().made_pools.insert(*made);
    return ok;
  });
}
CALL(MemPoolDestroy)(SPELLED(MemPool_t) pool) {
  return run_always("MemPoolDestroy", needs::context,
                    [&] { return destroy("MemPoolDestroy", all().made_pools, pool); });
}
CALL(MemPoolSetAccess)
(SPELLED(MemPool_t) pool, const SPELLED(MemAccessDesc) * who, std::size_t count) {
  return run("MemPoolSetAccess", needs::device, [&] {
    for (std::size_t k = 0; k < count; ++k) {
      const int accessor = who[k].location.id;
      if (accessor != pool->device && of(accessor).possible_peers.count(pool->device) == 0)
        return SPELLED(ErrorInvalidDevice);
      if (who[k].flags == SPELLED(MemAccessFlagsProtReadWrite)) {
        pool->accessors.insert(accessor);
      } else {
        pool->accessors.erase(accessor);
      }
    }
    return ok;
  });
}
CALL(MemPoolSetAttribute)(SPELLED(MemPool_t) pool, SPELLED(MemPoolAttr), void* value) {
  return run("MemPoolSetAttribute", needs::device, [&] {
    std::memcpy(&pool->threshold, value, sizeof pool->threshold);
    return ok;
  });
}
CALL(MemPoolGetAttribute)(SPELLED(MemPool_t) pool, SPELLED(MemPoolAttr), void* value) {
  return run("MemPoolGetAttribute", needs::device, [&] {
    std::memcpy(value, &pool->threshold, sizeof pool->threshold);
    return ok;
  });
}
CALL(MemPoolTrimTo)(SPELLED(MemPool_t), std::size_t) {
  return run("MemPoolTrimTo", needs::device, [] { return ok; });
}

CALL(FuncGetAttributes)(SPELLED(FuncAttributes) * facts, const void*) {
  return run("FuncGetAttributes", needs::context, [&] {
    *facts = {1024, 1024};
    return ok;
  });
}
CALL(FuncSetAttribute)(const void* kernel, SPELLED(FuncAttribute), int value) {
  return run("FuncSetAttribute", needs::context, [&] {
    if (value > (199 << 10)) return SPELLED(ErrorInvalidValue);
    all().large_scratch.insert(kernel);
    return ok;
  });
}
CALL(OccupancyMaxActiveBlocksPerMultiprocessor)
(int* blocks, const void* kernel, int lanes, std::size_t scratch) {
  return run("OccupancyMaxActiveBlocksPerMultiprocessor", needs::context, [&] {
    const bool is_much = scratch > (std::size_t{48} << 10);
    *blocks = is_much && all().large_scratch.count(kernel) == 0 ? 0 : 2048 / lanes;
    return ok;
  });
}
CALL(LaunchKernel)
(const void* kernel, dim3 blocks, dim3 lanes, void**, std::size_t scratch,
 SPELLED(Stream_t) given) {
  return on_stream("LaunchKernel", given, [&](SPELLED(Stream_t) stream) {
    if (stream->device != current)
      return misuse("LaunchKernel", "the stream is of another device than the current one");
    if (blocks.x == 0 || lanes.x == 0 || lanes.x > 1024) return SPELLED(ErrorInvalidConfiguration);
    if (scratch > (std::size_t{48} << 10) && all().large_scratch.count(kernel) == 0)
      return SPELLED(ErrorInvalidValue);
    all().launches.push_back({stream->device, blocks.x, lanes.x, scratch});
    return submit(stream, [number = stream->device] { run_kernel(number); });
  });
}
CALL(LaunchHostFunc)(SPELLED(Stream_t) given, SPELLED(HostFn_t) function, void* data) {
  return on_stream("LaunchHostFunc", given, [&](SPELLED(Stream_t) stream) {
    return submit(stream, [=] { run_on_host(function, data); });
  });
}

CALL(GraphLaunch)(SPELLED(GraphExec_t) graph, SPELLED(Stream_t) given) {
  return on_stream("GraphLaunch", given, [&](SPELLED(Stream_t) stream) {
    if (all().executables.count(graph) == 0) return misuse("GraphLaunch", "no such graph");
    return submit(stream, [graph] {
      for (const action& one : graph->actions) one();
    });
  });
}
CALL(GraphExecDestroy)(SPELLED(GraphExec_t) graph) {
  return run_always("GraphExecDestroy", needs::context,
                    [&] { return destroy("GraphExecDestroy", all().executables, graph); });
}
CALL(GraphDestroy)(SPELLED(Graph_t) graph) {
  return run_always("GraphDestroy", needs::context,
                    [&] { return destroy("GraphDestroy", all().graphs, graph); });
}

#if HPK_PRETEND_HIP
CALL(HostMalloc)(void** data, std::size_t bytes, unsigned) {
  return run("HostMalloc", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::pinned); });
}
CALL(HostFree)(void* data) {
  return run_always("HostFree", needs::context,
                    [&] { return release("HostFree", data, pretend::memory::pinned); });
}
CALL(StreamGetCaptureInfo_v2)
(hipStream_t stream, capture_state* capture, unsigned long long*, hipGraph_t*,
 const hipGraphNode_t** nodes, std::size_t* count) {
  return get_dependencies("StreamGetCaptureInfo_v2", stream, capture, nodes, count);
}
CALL(StreamUpdateCaptureDependencies)
(hipStream_t stream, hipGraphNode_t* nodes, std::size_t count, unsigned) {
  return set_dependencies("StreamUpdateCaptureDependencies", stream, nodes, count);
}
CALL(GraphInstantiate)
(hipGraphExec_t* made, hipGraph_t graph, hipGraphNode_t*, char*, std::size_t) {
  return run("GraphInstantiate", needs::context, [&] { return instantiate(made, graph); });
}
#else
CALL(HostAlloc)(void** data, std::size_t bytes, unsigned) {
  return run("HostAlloc", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::pinned); });
}
CALL(FreeHost)(void* data) {
  return run_always("FreeHost", needs::context,
                    [&] { return release("FreeHost", data, pretend::memory::pinned); });
}
CALL(FuncGetParamInfo)(const void*, std::size_t, std::size_t*, std::size_t* bytes) {
  return run("FuncGetParamInfo", needs::context, [&] {
    if (all().argument_bytes != 0) *bytes = all().argument_bytes;
    return ok;
  });
}
CALL(GetDriverEntryPointByVersion)
(const char* name, void** function, unsigned, unsigned long long,
 cudaDriverEntryPointQueryResult* answer) {
  return run("GetDriverEntryPointByVersion", needs::nothing, [&] {
    if (std::strcmp(name, "cuDevicePrimaryCtxGetState") != 0) return SPELLED(ErrorInvalidValue);
    *function = reinterpret_cast<void*>(+[](CUdevice number, unsigned*, int* active) {
      const std::lock_guard lock(all().guard);
      *active = of(number).has_context ? 1 : 0;
      return CUDA_SUCCESS;
    });
    *answer = cudaDriverEntryPointSuccess;
    return ok;
  });
}
CALL(StreamGetCaptureInfo)
(cudaStream_t stream, capture_state* capture, unsigned long long*, cudaGraph_t*,
 const cudaGraphNode_t** nodes, const cudaGraphEdgeData**, std::size_t* count) {
  return get_dependencies("StreamGetCaptureInfo", stream, capture, nodes, count);
}
CALL(StreamUpdateCaptureDependencies)
(cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData*, std::size_t count,
 unsigned) {
  return set_dependencies("StreamUpdateCaptureDependencies", stream, nodes, count);
}
CALL(GraphInstantiateWithFlags)(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  return run("GraphInstantiateWithFlags", needs::context, [&] { return instantiate(made, graph); });
}
#endif

}  // extern "C"

namespace hpk_test::pretend {

namespace {
std::lock_guard<std::recursive_mutex> locked() {
  return std::lock_guard<std::recursive_mutex>(all().guard);
}
}  // namespace

void reset() {
  const auto lock = locked();
  state& s = all();
  s.held = false;
  s.failing_launch = 0;
  for (int d = 0; d < all_devices; ++d) {
    static_cast<void>(finish_device(d));
    of(d).broken = of(d).failing = ok;
    of(d).possible_peers.clear();
  }
  s.device_count = all_devices;
  s.pools = true;
  s.reads_pageable = false;
  s.unloaded = false;
  s.limits.fill(SIZE_MAX);
  s.failures.clear();
  s.argument_bytes = 0;
  s.misuses.clear();
  clear_calls();
  last = ok;
}
void set_devices(int count, int why) {
  const auto lock = locked();
  all().device_count = count;
  all().why_none = static_cast<status>(why);
}
void set_peers(int device, int other, bool may) {
  const auto lock = locked();
  if (may) {
    of(device).possible_peers.insert(other);
  } else {
    of(device).possible_peers.erase(other);
  }
}
void set_pools(bool supported) {
  const auto lock = locked();
  all().pools = supported;
}
void set_pageable_access(bool direct) {
  const auto lock = locked();
  all().reads_pageable = direct;
}
void set_limit(memory kind, std::size_t bytes) {
  const auto lock = locked();
  all().limits[static_cast<std::size_t>(kind)] = bytes;
}
void fail(std::string_view function, int at, int error) {
  const auto lock = locked();
  all().failures.push_back({std::string(function), at, static_cast<status>(error)});
}
void break_device(int device, int error) {
  const auto lock = locked();
  of(device).broken = static_cast<status>(error);
}
void fail_kernel(int at, int error) {
  const auto lock = locked();
  all().failing_launch = at;
  all().kernel_error = static_cast<status>(error);
}
void set_argument_bytes(std::size_t bytes) {
  const auto lock = locked();
  all().argument_bytes = bytes;
}
void hold() {
  const auto lock = locked();
  all().held = true;
}
void release() {
  const auto lock = locked();
  all().held = false;
  for (int d = 0; d < all_devices; ++d)
    for (const auto stream : all().streams)
      while (!stream->queue.empty()) {
        const action next = std::move(stream->queue.front());
        stream->queue.pop_front();
        next();
      }
}
void unload() {
  const auto lock = locked();
  all().unloaded = true;
}
std::vector<call> calls() {
  const auto lock = locked();
  return all().calls;
}
int count(std::string_view function) {
  const auto lock = locked();
  return static_cast<int>(
      std::count_if(all().calls.begin(), all().calls.end(),
                    [&](const call& made) { return made.function == function; }));
}
void clear_calls() {
  const auto lock = locked();
  all().calls.clear();
  all().launches.clear();
}
living alive() {
  const auto lock = locked();
  const state& s = all();
  living found{.streams = static_cast<int>(s.streams.size()),
               .events = static_cast<int>(s.events.size()),
               .graphs = static_cast<int>(s.graphs.size()),
               .executables = static_cast<int>(s.executables.size()),
               .blocks = static_cast<int>(s.blocks.size())};
  for (const auto stream : s.streams)
    if (stream->capture != SPELLED(StreamCaptureStatusNone)) ++found.captures;
  for (const std::size_t bytes : s.used) found.bytes += bytes;
  return found;
}
std::vector<std::string> misuses() {
  const auto lock = locked();
  return all().misuses;
}
bool has_context(int device) {
  const auto lock = locked();
  return of(device).has_context;
}
void clear_contexts() {
  const auto lock = locked();
  for (int d = 0; d < all_devices; ++d) of(d).has_context = false;
}
bool reaches(int device, const void* data) {
  const auto lock = locked();
  const auto found = find(data);
  if (found == all().blocks.end()) return false;
  const block& b = found->second;
  if (b.device == device || b.kind == memory::managed || b.kind == memory::pinned) return true;
  if (b.kind == memory::pool) return b.pool->accessors.count(device) != 0;
  return of(device).peers.count(b.device) != 0;
}
int device_of(const void* data) {
  const auto lock = locked();
  const auto found = find(data);
  return found == all().blocks.end() ? -1 : found->second.device;
}
memory kind_of(const void* data) {
  const auto lock = locked();
  return find(data)->second.kind;
}
unsigned long long kept_by_pool_of(const void* data) {
  const auto lock = locked();
  const auto found = find(data);
  return found == all().blocks.end() || found->second.pool == nullptr
             ? 0
             : found->second.pool->threshold;
}
std::vector<launch> launches() {
  const auto lock = locked();
  return all().launches;
}
bool is_ordered(const void* stream) {
  const auto lock = locked();
  return static_cast<const HPK_PRETEND_STREAM*>(stream)->ordered;
}
int last_error() { return last; }

}  // namespace hpk_test::pretend
