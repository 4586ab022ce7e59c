// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls about devices and errors. Included only by runtime.cpp.
#pragma once

#include <gpu/pretend/state.hpp>

extern "C" {

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
    facts->totalGlobalMem = device_bytes;
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

}  // extern "C"
