// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with which tests control and query the pretend runtime. Errors are the numbers that
// CUDA and HIP share. All functions are thread-safe.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace hpk_test::pretend {

/// Errors that tests use by name.
enum error : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  unloaded = 4,
  insufficient_driver = 35,
  no_device = 100,
  illegal_address = 700,
  launch_failure = 719,
  not_supported = 801,
  capture_invalidated = 901,
};

/// Repairs all devices and restores all initial settings. Objects that programs made remain.
void reset();

/// The initial number of devices. calls.cpp uses the devices from number 1000 on.
inline constexpr int all_devices = 2048;
/// Sets the number of devices; if 0, calls return `why`.
void set_devices(int count, int why = no_device);
/// Sets whether a device may get access to another one.
void set_peers(int device, int other, bool may);
/// Sets whether devices support allocations in stream order.
void set_pools(bool supported);

/// Sets whether devices read pageable host memory directly; copies then read it when they run.
void set_pageable_access(bool direct);

/// Kinds of memory.
enum class memory { pool, device, managed, pinned };
/// Limits the memory of a kind on all devices together; larger requests return out_of_memory.
void set_limit(memory kind, std::size_t bytes);

/// Makes the `at`-th following call of a function (1: the next) return the error. The call then
/// does nothing, unless it frees or destroys. An error of a kernel breaks the current device.
/// "Malloc" is cudaMalloc or hipMalloc.
void fail(std::string_view function, int at, int error);
/// Breaks a device now: calls that need it return the error until reset().
void break_device(int device, int error = launch_failure);
/// Makes the kernel of the `at`-th following launch fail when it runs. The next call that waits for
/// its device or queries it returns the error, and so do all later ones until reset().
void fail_kernel(int at = 1, int error = launch_failure);
/// Sets the size of the argument that a kernel's device code expects; 0: its actual size.
void set_argument_bytes(std::size_t bytes);

/// Makes streams hold their work until a call waits for them, or until release().
void hold();
void release();
/// Shuts the library down, as at the end of a program.
void unload();

/// A call of a program, and the device that was current.
struct call {
  std::string_view function;
  int device;
};
/// Returns the calls since clear_calls().
std::vector<call> calls();
/// Returns the number of calls of a function.
int count(std::string_view function);
void clear_calls();

/// Objects that programs have made and not yet destroyed or freed.
struct living {
  int streams = 0;
  int events = 0;
  int graphs = 0;
  int executables = 0;
  int captures = 0;  ///< streams that record
  int blocks = 0;    ///< blocks of memory
  std::size_t bytes = 0;
  bool operator==(const living&) const = default;
};
/// Prints the counts in messages of GoogleTest.
std::ostream& operator<<(std::ostream& out, const living& all);
living alive();
/// Returns descriptions of calls with a handle or an address that is not alive; all of these are
/// mistakes.
std::vector<std::string> misuses();

/// Returns whether a device has a context, which takes time and memory to create.
bool has_context(int device);
/// Forgets contexts. Using a device creates its context again.
void clear_contexts();
/// Returns whether kernels of a device may access memory.
bool reaches(int device, const void* data);
/// Returns the device of memory, or -1 if it is not alive.
int device_of(const void* data);
memory kind_of(const void* data);
/// Returns how much free memory the pool of this memory keeps.
unsigned long long kept_by_pool_of(const void* data);

/// A launch of a kernel.
struct launch {
  int device;
  unsigned blocks;
  unsigned lanes;
  std::size_t scratch;
};
/// Returns the launches since clear_calls().
std::vector<launch> launches();
/// Returns whether a stream is ordered with the null stream.
bool is_ordered(const void* stream);
/// Returns the error that the vendor's GetLastError would return to this thread.
int last_error();

}  // namespace hpk_test::pretend
