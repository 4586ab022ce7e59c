// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a vendor's library, written once for all vendors. Included only by the vendor's .cpp,
// after vendor_calls.hpp.
#pragma once

#include <hpk/backends/gpu/vendor_calls.hpp>
#include <hpk/backends/gpu/workspace_pool.hpp>

#include <cstdint>
#include <unordered_map>

namespace hpk::gpu {

namespace {

// Blocks whose alignment exceeds the library's: maps their address to the library's address.
struct aligned_blocks {
  std::mutex guard;
  std::unordered_map<void*, void*> from;
};
aligned_blocks& over_aligned() {
  static aligned_blocks& only = *new aligned_blocks;
  return only;
}

// Whether device memory comes from pools.
template <class A>
bool uses_pools() {
  std::atomic<int>& known = all_devices().async_malloc;
  int value = known;
  if (value < 0) {
    value = static_cast<int>(seam::backend_value(seam::current_settings(), A::async_malloc));
    known = value;
  }
  return value != 0;
}

// Calls the library once; `*data` stays null if it fails. The device of `state` must be current.
// Sets `call` to the name of the last call.
template <class A>
status allocate_once(memory_kind kind, vendor_stream* stream, int device, device_state& state,
                     std::size_t bytes, void** data, const char** call) {
  if (kind == memory_kind::managed) {
    *call = "MallocManaged";
    return HPK_GPU(MallocManaged)(data, bytes, HPK_GPU(MemAttachGlobal));
  }
  if (kind == memory_kind::pinned) {
    *call = library::allocate_pinned_call;
    return library::allocate_pinned(data, bytes);
  }
  const auto pool = uses_pools<A>() ? pool_of<A>(device, state) : nullptr;
  *call = pool == nullptr ? "Malloc" : "MallocFromPoolAsync";
  if (pool == nullptr) return HPK_GPU(Malloc)(data, bytes);
  const bool at_once = stream == nullptr || stream->recording;
  const auto order = at_once ? state.allocations : static_cast<HPK_GPU(Stream_t)>(stream->native);
  const status error = HPK_GPU(MallocFromPoolAsync)(data, bytes, pool, order);
  if (error != success || !at_once) return error;
  *call = "StreamSynchronize";
  const status waited = HPK_GPU(StreamSynchronize)(order);
  if (waited != success) ignore(HPK_GPU(Free)(std::exchange(*data, nullptr)));
  return waited;
}

// Returns unused memory of the pools to their devices. Returns false if there are no pools.
bool trim_pools() noexcept {
  vendor_state& all = all_devices();
  const std::lock_guard lock(all.start_guard);
  bool found = false;
  for (const device_state& state : all.devices) {
    if (state.pool == nullptr) continue;
    found = true;
    ignore(HPK_GPU(MemPoolTrimTo)(state.pool, 0));
  }
  return found;
}

// Returns unused memory of pools and of the workspaces of instances to the devices. Returns false
// if there is none.
bool give_back_unused() noexcept {
  const bool any = workspace_pool::trim_all();
  return trim_pools() || any;
}

// Allocates memory for a workspace. Throws BadAlloc if no memory is left.
template <class A>
void* allocate_or_throw(memory_kind kind, const char* name, vendor_stream* stream,
                        std::size_t bytes) {
  void* const data = vendor<A>::allocate(kind, stream, bytes);
  if (data == nullptr) {
    detail::raise_bad_alloc((detail::text()
                             << "hpk::" << A::name << ": no " << name << " memory left for "
                             << bytes << " bytes of a workspace")
                                .str());
  }
  return data;
}

}  // namespace

template <class A>
void* vendor<A>::allocate(memory_kind kind, vendor_stream* stream, std::size_t bytes,
                          std::size_t align) {
  if (align > usual_alignment) {
    if (bytes > SIZE_MAX - align) return nullptr;
    void* const from = allocate(kind, stream, bytes + align);
    if (from == nullptr) return nullptr;
    void* const data =
        static_cast<std::byte*>(from) + (align - reinterpret_cast<std::uintptr_t>(from) % align);
    aligned_blocks& blocks = over_aligned();
    const std::lock_guard lock(blocks.guard);
    blocks.from[data] = from;
    return data;
  }
  const int device = stream != nullptr ? stream->device : default_device();
  device_state& state = device_in_use<A>(device);
  // The library reports absurd sizes as invalid values, if at all.
  const bool exceeds_device = bytes > state.memory;
  if (kind == memory_kind::device && exceeds_device) return nullptr;
  // Atomic operations on the last byte access the whole word around it, which sanitizers of GPUs
  // report if it is not of the allocation.
  if (bytes <= SIZE_MAX - 3) bytes = (bytes + 3) / 4 * 4;
  const on_device<A> there(device);
  const auto is_out_of_memory = [&](status error) {
    return error == HPK_GPU(ErrorMemoryAllocation) ||
           (error == HPK_GPU(ErrorInvalidValue) && exceeds_device);
  };
  void* data = nullptr;
  const char* call = nullptr;
  status error = allocate_once<A>(kind, stream, device, state, bytes, &data, &call);
  if (is_out_of_memory(error) && give_back_unused()) {
    ignore(error);
    error = allocate_once<A>(kind, stream, device, state, bytes, &data, &call);
  }
  if (error == success) return data;
  ignore(error);
  if (is_out_of_memory(error)) return nullptr;
  fail<A>(error, call, {.device = device});
}

template <class A>
int vendor<A>::device_of(const void* data) {
  const int used = all_devices().first_used;
  const on_device<A> any(used >= 0 ? used : default_device());
  library::pointer_attributes facts{};
  const status error = HPK_GPU(PointerGetAttributes)(&facts, data);
  ignore(error);
  return error == success && facts.device >= 0 ? facts.device : 0;
}

template <class A>
void vendor<A>::deallocate(memory_kind kind, void* data, std::size_t align) noexcept {
  if (align > usual_alignment) {
    aligned_blocks& blocks = over_aligned();
    const std::lock_guard lock(blocks.guard);
    const auto found = blocks.from.find(data);
    data = found->second;
    blocks.from.erase(found);
  }
  if (is_forked) return;
  vendor_state& all = all_devices();
  const recording_turns::wait turn(all.recordings);
  if (!turn.is_allowed()) {
    const std::lock_guard lock(all.guard);
    all.to_free.push_back({kind, data});
    return;
  }
  // Static Views may be destroyed after the library has shut down; its calls then fail and memory
  // need not be freed.
  const device_switch any(all.first_used);
  library::pointer_attributes facts{};
  const status known = HPK_GPU(PointerGetAttributes)(&facts, data);
  ignore(known);
  if (known == library::unloaded) return;
  const device_switch there(known == success ? facts.device : all.first_used.load());
  // Waits, because freeing memory of a pool does not.
  ignore(HPK_GPU(DeviceSynchronize)());
  if (kind == memory_kind::pinned) {
    ignore(library::free_pinned(data));
  } else {
    ignore(HPK_GPU(Free)(data));  // also frees memory of a pool
  }
}

template <class A>
void* vendor<A>::allocate_workspace(vendor_stream* stream, std::size_t bytes) {
  return allocate_or_throw<A>(memory_kind::device, "device", stream, bytes);
}

template <class A>
void vendor<A>::free_workspace(void* data, std::size_t) noexcept {
  deallocate(memory_kind::device, data);
}

template <class A>
void* vendor<A>::allocate_host_workspace(vendor_stream* stream, std::size_t bytes) {
  return allocate_or_throw<A>(memory_kind::pinned, "pinned", stream, bytes);
}

template <class A>
void vendor<A>::free_host_workspace(void* data, std::size_t) noexcept {
  deallocate(memory_kind::pinned, data);
}

}  // namespace hpk::gpu
