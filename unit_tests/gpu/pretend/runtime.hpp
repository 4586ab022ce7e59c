// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types and functions shared by the pretend runtimes of CUDA and HIP. The vendor's header in
// include/ defines HPK_PRETEND(Name) as the vendor's spelling of Name, and the names of its
// structs. README.md describes the runtime.
#pragma once

#include <cstddef>

// The number, name and text of each error; both vendors use the same numbers.
#define HPK_PRETEND_ERRORS(X)                                                                      \
  X(0, Success, "no error")                                                                        \
  X(1, ErrorInvalidValue, "invalid argument")                                                      \
  X(2, ErrorMemoryAllocation, "out of memory")                                                     \
  X(3, ErrorInitializationError, "initialization error")                                           \
  X(9, ErrorInvalidConfiguration, "invalid configuration argument")                                \
  X(36, ErrorCallRequiresNewerDriver, "API call is not supported in the installed driver")         \
  X(35, ErrorInsufficientDriver, "driver is insufficient")                                         \
  X(98, ErrorInvalidDeviceFunction, "invalid device function")                                     \
  X(100, ErrorNoDevice, "no device is detected")                                                   \
  X(101, ErrorInvalidDevice, "invalid device ordinal")                                             \
  X(217, ErrorPeerAccessUnsupported, "peer access is not supported")                               \
  X(400, ErrorInvalidResourceHandle, "invalid resource handle")                                    \
  X(401, ErrorIllegalState, "the operation cannot be performed now")                               \
  X(600, ErrorNotReady, "device not ready")                                                        \
  X(700, ErrorIllegalAddress, "an illegal memory access was encountered")                          \
  X(701, ErrorLaunchOutOfResources, "too many resources requested for launch")                     \
  X(704, ErrorPeerAccessAlreadyEnabled, "peer access is already enabled")                          \
  X(719, ErrorLaunchFailure, "unspecified launch failure")                                         \
  X(800, ErrorNotPermitted, "operation not permitted")                                             \
  X(801, ErrorNotSupported, "operation not supported")                                             \
  X(900, ErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing")        \
  X(901, ErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture") \
  X(905, ErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream")   \
  X(907, ErrorCapturedEvent,                                                                       \
    "operation not permitted on an event last recorded in a capturing stream")                     \
  X(999, ErrorUnknown, "unknown error")

enum HPK_PRETEND(Error_t) {
#define HPK_PRETEND_ERROR(number, name, text) HPK_PRETEND(name) = number,
  HPK_PRETEND_ERRORS(HPK_PRETEND_ERROR)
#undef HPK_PRETEND_ERROR
};
#define HPK_PRETEND_JOIN(first, second) first##second
#define HPK_PRETEND_ERROR_NAMED(name) HPK_PRETEND_ERROR_SPELLED(name)
#define HPK_PRETEND_ERROR_SPELLED(name) HPK_PRETEND(Error##name)
// The library has shut down at the end of the program.
constexpr auto HPK_PRETEND_ERROR_NAMED(HPK_PRETEND_UNLOADED) = static_cast<HPK_PRETEND(Error_t)>(4);

using HPK_PRETEND(Stream_t) = struct HPK_PRETEND_STREAM*;
using HPK_PRETEND(Event_t) = struct HPK_PRETEND_EVENT*;
using HPK_PRETEND(Graph_t) = struct HPK_PRETEND_GRAPH*;
using HPK_PRETEND(GraphNode_t) = struct HPK_PRETEND_NODE*;
using HPK_PRETEND(GraphExec_t) = struct HPK_PRETEND_EXECUTABLE*;
using HPK_PRETEND(MemPool_t) = struct HPK_PRETEND_POOL*;
using HPK_PRETEND(HostFn_t) = void (*)(void*);

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned of_x = 1, unsigned of_y = 1, unsigned of_z = 1)
      : x(of_x), y(of_y), z(of_z) {}
};

struct HPK_PRETEND_PROPERTIES {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  size_t sharedMemPerBlockOptin;
  int multiProcessorCount;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiProcessor;
  int warpSize;
  int pageableMemoryAccess;
};

enum HPK_PRETEND(MemoryType) {
  HPK_PRETEND(MemoryTypeUnregistered),
  HPK_PRETEND(MemoryTypeHost),
  HPK_PRETEND(MemoryTypeDevice),
  HPK_PRETEND(MemoryTypeManaged)
};
struct HPK_PRETEND_ATTRIBUTES {
  HPK_PRETEND(MemoryType) type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
struct HPK_PRETEND(FuncAttributes) {
  size_t sharedSizeBytes;
  int maxThreadsPerBlock;
};
enum HPK_PRETEND(FuncAttribute) { HPK_PRETEND(FuncAttributeMaxDynamicSharedMemorySize) = 8 };
enum HPK_PRETEND(MemcpyKind) { HPK_PRETEND(MemcpyDefault) = 4 };
enum HPK_PRETEND(StreamCaptureMode) { HPK_PRETEND(StreamCaptureModeRelaxed) = 2 };
enum HPK_PRETEND(StreamCaptureStatus) {
  HPK_PRETEND(StreamCaptureStatusNone),
  HPK_PRETEND(StreamCaptureStatusActive),
  HPK_PRETEND(StreamCaptureStatusInvalidated)
};
constexpr unsigned HPK_PRETEND(StreamDefault) = 0;
constexpr unsigned HPK_PRETEND(StreamNonBlocking) = 1;
constexpr unsigned HPK_PRETEND(EventDefault) = 0;
constexpr unsigned HPK_PRETEND(EventDisableTiming) = 2;
constexpr unsigned HPK_PRETEND(MemAttachGlobal) = 1;
constexpr unsigned HPK_PRETEND(HostAllocPortable) = 1;
constexpr unsigned HPK_PRETEND(StreamSetCaptureDependencies) = 1;

enum HPK_PRETEND(MemPoolAttr) { HPK_PRETEND(MemPoolAttrReleaseThreshold) = 4 };
enum HPK_PRETEND(MemLocationType) { HPK_PRETEND(MemLocationTypeDevice) = 1 };
enum HPK_PRETEND(MemAccessFlags) { HPK_PRETEND(MemAccessFlagsProtReadWrite) = 3 };
struct HPK_PRETEND(MemLocation) {
  HPK_PRETEND(MemLocationType) type;
  int id;
};
struct HPK_PRETEND(MemAccessDesc) {
  HPK_PRETEND(MemLocation) location;
  HPK_PRETEND(MemAccessFlags) flags;
};

enum HPK_PRETEND(MemAllocationType) { HPK_PRETEND(MemAllocationTypePinned) = 1 };
struct HPK_PRETEND(MemPoolProps) {
  HPK_PRETEND(MemAllocationType) allocType;
  HPK_PRETEND(MemLocation) location;
};

extern "C" {

#define HPK_PRETEND_CALL(Name) HPK_PRETEND(Error_t) HPK_PRETEND(Name)

HPK_PRETEND_CALL(GetDeviceCount)(int* count);
HPK_PRETEND_CALL(GetDevice)(int* device);
HPK_PRETEND_CALL(SetDevice)(int device);
HPK_PRETEND_CALL(GetDeviceProperties)(HPK_PRETEND_PROPERTIES* facts, int device);
HPK_PRETEND_CALL(DeviceGetPCIBusId)(char* bus, int bytes, int device);
HPK_PRETEND_CALL(DeviceGetStreamPriorityRange)(int* least, int* greatest);
HPK_PRETEND_CALL(DeviceCanAccessPeer)(int* can, int device, int peer);
HPK_PRETEND_CALL(DeviceEnablePeerAccess)(int peer, unsigned flags);
HPK_PRETEND_CALL(DeviceSynchronize)();
HPK_PRETEND_CALL(GetLastError)();
HPK_PRETEND_CALL(PeekAtLastError)();
const char* HPK_PRETEND(GetErrorName)(HPK_PRETEND(Error_t) error);
const char* HPK_PRETEND(GetErrorString)(HPK_PRETEND(Error_t) error);

HPK_PRETEND_CALL(StreamCreate)(HPK_PRETEND(Stream_t) * made);
HPK_PRETEND_CALL(StreamCreateWithFlags)(HPK_PRETEND(Stream_t) * made, unsigned flags);
HPK_PRETEND_CALL(StreamCreateWithPriority)
(HPK_PRETEND(Stream_t) * made, unsigned flags, int priority);
HPK_PRETEND_CALL(StreamGetDevice)(HPK_PRETEND(Stream_t) stream, int* device);
HPK_PRETEND_CALL(StreamDestroy)(HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(StreamSynchronize)(HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(StreamQuery)(HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(StreamWaitEvent)
(HPK_PRETEND(Stream_t) stream, HPK_PRETEND(Event_t) event, unsigned flags);
HPK_PRETEND_CALL(StreamBeginCapture)
(HPK_PRETEND(Stream_t) stream, HPK_PRETEND(StreamCaptureMode) mode);
HPK_PRETEND_CALL(StreamEndCapture)(HPK_PRETEND(Stream_t) stream, HPK_PRETEND(Graph_t) * made);

HPK_PRETEND_CALL(EventCreateWithFlags)(HPK_PRETEND(Event_t) * made, unsigned flags);
HPK_PRETEND_CALL(EventDestroy)(HPK_PRETEND(Event_t) event);
HPK_PRETEND_CALL(EventRecord)(HPK_PRETEND(Event_t) event, HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(EventQuery)(HPK_PRETEND(Event_t) event);
HPK_PRETEND_CALL(EventSynchronize)(HPK_PRETEND(Event_t) event);
HPK_PRETEND_CALL(EventElapsedTime)
(float* milliseconds, HPK_PRETEND(Event_t) from, HPK_PRETEND(Event_t) to);

HPK_PRETEND_CALL(Malloc)(void** data, size_t bytes);
HPK_PRETEND_CALL(MallocManaged)(void** data, size_t bytes, unsigned flags);
HPK_PRETEND_CALL(Free)(void* data);
HPK_PRETEND_CALL(MemGetInfo)(size_t* free, size_t* all);
HPK_PRETEND_CALL(PointerGetAttributes)(HPK_PRETEND_ATTRIBUTES* facts, const void* data);
HPK_PRETEND_CALL(MemcpyAsync)
(void* to, const void* from, size_t bytes, HPK_PRETEND(MemcpyKind) kind,
 HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(MemsetAsync)(void* to, int value, size_t bytes, HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(GetSymbolAddress)(void** address, const void* symbol);
HPK_PRETEND_CALL(MemPoolCreate)
(HPK_PRETEND(MemPool_t) * made, const HPK_PRETEND(MemPoolProps) * what);
HPK_PRETEND_CALL(MallocFromPoolAsync)
(void** data, size_t bytes, HPK_PRETEND(MemPool_t) pool, HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(MemPoolSetAccess)
(HPK_PRETEND(MemPool_t) pool, const HPK_PRETEND(MemAccessDesc) * who, size_t count);
HPK_PRETEND_CALL(MemPoolSetAttribute)
(HPK_PRETEND(MemPool_t) pool, HPK_PRETEND(MemPoolAttr) attribute, void* value);
HPK_PRETEND_CALL(MemPoolTrimTo)(HPK_PRETEND(MemPool_t) pool, size_t bytes);

HPK_PRETEND_CALL(FuncGetAttributes)(HPK_PRETEND(FuncAttributes) * facts, const void* kernel);
HPK_PRETEND_CALL(FuncSetAttribute)
(const void* kernel, HPK_PRETEND(FuncAttribute) attribute, int value);
HPK_PRETEND_CALL(OccupancyMaxActiveBlocksPerMultiprocessor)
(int* blocks, const void* kernel, int lanes, size_t scratch);
HPK_PRETEND_CALL(LaunchKernel)
(const void* kernel, dim3 blocks, dim3 lanes, void** arguments, size_t scratch,
 HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(LaunchHostFunc)
(HPK_PRETEND(Stream_t) stream, HPK_PRETEND(HostFn_t) function, void* data);

HPK_PRETEND_CALL(GraphLaunch)(HPK_PRETEND(GraphExec_t) graph, HPK_PRETEND(Stream_t) stream);
HPK_PRETEND_CALL(GraphExecDestroy)(HPK_PRETEND(GraphExec_t) graph);
HPK_PRETEND_CALL(GraphDestroy)(HPK_PRETEND(Graph_t) graph);

}  // extern "C"
