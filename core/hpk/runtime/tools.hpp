// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks: functions of the program that the library calls when it copies, allocates, frees or
// fences.
#pragma once

#include <hpk/seam/hooks.hpp>

namespace hpk::Tools::Experimental {

/// The name of a memory space: an array of 64 characters that ends with 0.
using SpaceHandle = seam::space_handle;

/// void(SpaceHandle, const char* label, const void* data, std::uint64_t bytes)
using allocateDataFunction = seam::memory_callback;
using deallocateDataFunction = seam::memory_callback;
/// void(SpaceHandle to, const char* to_label, const void* to_data,
///      SpaceHandle from, const char* from_label, const void* from_data, std::uint64_t bytes)
using beginDeepCopyFunction = seam::begin_copy_callback;
/// void()
using endDeepCopyFunction = seam::end_copy_callback;
/// void(const char* name, std::uint32_t device, std::uint64_t* handle)
using beginFenceFunction = seam::begin_fence_callback;
/// void(std::uint64_t handle)
using endFenceFunction = seam::end_fence_callback;

// Each sets the callback of one kind of event; null removes it. Any thread may set callbacks. The
// thread that does the work calls them, several threads at a time, so they must be thread-safe.
// They must not throw. Their own allocations and copies are reported too. A call on another thread
// may still be running after its callback was replaced.

/// After memory was allocated, by Views and hpk::malloc; the buffers that deep_copy takes, too.
inline void set_allocate_data_callback(allocateDataFunction callback) noexcept {
  seam::hooks.allocated.store(callback, detail::memory_order::release);
}
/// Before memory is freed.
inline void set_deallocate_data_callback(deallocateDataFunction callback) noexcept {
  seam::hooks.freed.store(callback, detail::memory_order::release);
}
/// Before each deep_copy of elements, and of a value, whose label is "Scalar" and whose space is
/// that of the host. `bytes` is what is written. A copy through buffers is reported once; its
/// buffers are reported as allocations, with a label of their own.
inline void set_begin_deep_copy_callback(beginDeepCopyFunction callback) noexcept {
  seam::hooks.copy_begins.store(callback, detail::memory_order::release);
}
/// After it was made, or queued on its instance.
inline void set_end_deep_copy_callback(endDeepCopyFunction callback) noexcept {
  seam::hooks.copy_ended.store(callback, detail::memory_order::release);
}
/// Before the host waits: at fence() of an instance and the constructor of a View that has none,
/// and after a reduction or scan into a variable; at hpk::fence(), and what calls it, once for each
/// backend in use. `device` is a number of the backend. The end callback receives the value that
/// this one stores in *handle.
inline void set_begin_fence_callback(beginFenceFunction callback) noexcept {
  seam::hooks.fence_begins.store(callback, detail::memory_order::release);
}
/// After it waited, or failed to.
inline void set_end_fence_callback(endFenceFunction callback) noexcept {
  seam::hooks.fence_ended.store(callback, detail::memory_order::release);
}

}  // namespace hpk::Tools::Experimental
