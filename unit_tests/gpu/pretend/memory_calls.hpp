// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls about memory. Included only by runtime.cpp.
#pragma once

#include <gpu/pretend/state.hpp>

extern "C" {

CALL(Malloc)(void** data, std::size_t bytes) {
  return run("Malloc", needs::context,
             [&] { return allocate(data, bytes, current, pretend::memory::device); });
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
    // The call waits for the device.
    const status captured = expect_no_capture(number);
    const status waited = captured != ok ? captured : finish_device(number);
    const status freed = release("Free", data, pretend::memory::device, pretend::memory::pool,
                                 pretend::memory::managed);
    return waited != ok ? waited : freed;
  });
}
CALL(MemGetInfo)(std::size_t* free, std::size_t* bytes) {
  return run("MemGetInfo", needs::context, [&] {
    *bytes = device_bytes;
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
    // The call reads pageable memory immediately, unless devices read it directly.
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
CALL(MemPoolCreate)(SPELLED(MemPool_t) * made, const SPELLED(MemPoolProps) * what) {
  return run("MemPoolCreate", needs::context, [&] {
    if (!all().pools) return SPELLED(ErrorNotSupported);
    *made = new HPK_PRETEND_POOL{what->location.id, {}};
    all().made_pools.insert(*made);
    return ok;
  });
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
CALL(MemPoolTrimTo)(SPELLED(MemPool_t), std::size_t) {
  return run("MemPoolTrimTo", needs::device, [] { return ok; });
}

}  // extern "C"
