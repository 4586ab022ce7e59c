// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a vendor's library, written once for all vendors. Included only by the vendor's .cpp,
// after vendor_calls.hpp.
#pragma once

#include <hpk/backends/gpu/vendor_calls.hpp>

#include <cstdint>
#include <unordered_map>

namespace hpk::gpu {

namespace {

// The blocks whose alignment exceeds that of the library: from their address to the library's.
struct aligned_blocks {
  std::mutex guard;
  std::unordered_map<void*, void*> from;
};
aligned_blocks& over_aligned() {
  static aligned_blocks& only = *new aligned_blocks;
  return only;
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
  device_state& state = state_of<A>(device);
  state.used = true;
  const on_device<A> there(device);
  const bool at_once = stream == nullptr || stream->recording;
  void* data = nullptr;
  status error = success;
  switch (kind) {
    case memory_kind::managed:
      error = HPK_GPU(MallocManaged)(&data, bytes, HPK_GPU(MemAttachGlobal));
      break;
    case memory_kind::pinned:
      error = library::allocate_pinned(&data, bytes);
      break;
    case memory_kind::device:
      error = library::no_pools;
      if (state.pools) {
        const auto order =
            at_once ? state.allocations : static_cast<HPK_GPU(Stream_t)>(stream->native);
        error = HPK_GPU(MallocAsync)(&data, bytes, order);
        if (error == success && at_once) error = HPK_GPU(StreamSynchronize)(order);
        if (error == library::no_pools) state.pools = false;
      }
      if (error == library::no_pools) error = HPK_GPU(Malloc)(&data, bytes);
      break;
  }
  if (error == success) return data;
  static_cast<void>(HPK_GPU(GetLastError)());
  if (error != HPK_GPU(ErrorMemoryAllocation)) fail<A>(error, "Malloc", nullptr);
  return nullptr;
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
  const recording_turns::wait turn(all_devices().recordings);
  if (!turn.is_allowed()) {
    vendor_state& all = all_devices();
    const std::lock_guard lock(all.guard);
    all.to_free.push_back({kind, data});
    return;
  }
  // Static Views may be destroyed after the library has shut down; its calls then fail and memory
  // need not be freed.
  library::pointer_attributes facts{};
  if (HPK_GPU(PointerGetAttributes)(&facts, data) != success) {
    static_cast<void>(HPK_GPU(GetLastError)());
    return;
  }
  int before = facts.device;
  static_cast<void>(HPK_GPU(GetDevice)(&before));
  static_cast<void>(HPK_GPU(SetDevice)(facts.device));
  static_cast<void>(HPK_GPU(DeviceSynchronize)());
  const std::unique_ptr<int, void (*)(int*)> back(
      &before, [](int* d) { static_cast<void>(HPK_GPU(SetDevice)(*d)); });
  if (kind == memory_kind::pinned) {
    static_cast<void>(library::free_pinned(data));
    return;
  }
  device_state* state = nullptr;
  {
    vendor_state& all = all_devices();
    const std::lock_guard lock(all.guard);
    if (facts.device >= 0 && static_cast<std::size_t>(facts.device) < all.devices.size())
      state = all.devices[static_cast<std::size_t>(facts.device)];
  }
  if (kind == memory_kind::device && state != nullptr && state->pools) {
    static_cast<void>(HPK_GPU(FreeAsync)(data, state->allocations));
  } else {
    static_cast<void>(HPK_GPU(Free)(data));
  }
}

template <class A>
void* vendor<A>::allocate_workspace(vendor_stream* stream, std::size_t bytes) {
  void* data = allocate(memory_kind::device, stream, bytes);
  if (data == nullptr) {
    detail::raise((detail::text() << "hpk::" << A::name << ": no device memory left for " << bytes
                                  << " bytes of a workspace")
                      .str());
  }
  return data;
}

template <class A>
void vendor<A>::free_workspace(void* data, std::size_t) noexcept {
  deallocate(memory_kind::device, data);
}

}  // namespace hpk::gpu
