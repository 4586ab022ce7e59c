// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a test tells the pretend runtime, and asks it. Errors are the numbers that CUDA and HIP have
// in common. All functions are thread-safe.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace hpk_test::pretend {

/// Errors that tests name.
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

/// All devices work again, and everything that a test has set is as it was at the beginning. What
/// programs have made stays.
void reset();

/// The number of devices at the beginning. calls.cpp uses those from number 1000 on.
inline constexpr int all_devices = 2048;
/// The number of devices; if 0, calls return `why`.
void set_devices(int count, int why = no_device);
/// Whether a device may be given access to another one.
void set_peers(int device, int other, bool may);
/// Whether devices allocate in the order of a stream.
void set_pools(bool supported);

/// Whether devices read pageable host memory directly; copies then read it when they run.
void set_pageable_access(bool direct);

/// Kinds of memory.
enum class memory { pool, device, managed, pinned };
/// Memory of a kind that all devices together have; more is out of memory.
void set_limit(memory kind, std::size_t bytes);

/// The `at`-th call of a function from now on (1: the next) returns the error, and does nothing
/// unless it frees or destroys. The error of a kernel breaks the device that is current. "Malloc"
/// is cudaMalloc or hipMalloc.
void fail(std::string_view function, int at, int error);
/// A device fails now: calls that need it return the error until reset().
void break_device(int device, int error = launch_failure);
/// The kernel of the `at`-th launch from now on fails when it runs: the next call that waits or
/// asks for its device returns the error, and so do all later ones until reset().
void fail_kernel(int at = 1, int error = launch_failure);
/// The size that a kernel's device code expects of its argument; 0: the size that it has.
void set_argument_bytes(std::size_t bytes);

/// Streams run nothing until a call waits for them, or release().
void hold();
void release();
/// The library shuts down, as at the end of a program.
void unload();

/// A call that a program made, with the device that was current.
struct call {
  std::string_view function;
  int device;
};
/// The calls since clear_calls().
std::vector<call> calls();
/// How often a function was called.
int count(std::string_view function);
void clear_calls();

/// What programs have made and not yet destroyed or freed.
struct living {
  int streams = 0;
  int events = 0;
  int graphs = 0;
  int executables = 0;
  int captures = 0;  ///< streams that record
  int blocks = 0;    ///< of memory
  std::size_t bytes = 0;
  bool operator==(const living&) const = default;
};
/// Says it in messages of GoogleTest.
std::ostream& operator<<(std::ostream& out, const living& all);
living alive();
/// Calls with a handle or an address that is not alive, in words; no such call is right.
std::vector<std::string> misuses();

/// Whether a device has a context, which takes time and memory to create.
bool has_context(int device);
/// Forgets contexts; a device that is used again has one again.
void clear_contexts();
/// Whether kernels of a device may access memory.
bool reaches(int device, const void* data);
/// The kind and the device of memory; -1 if it is not alive.
int device_of(const void* data);
memory kind_of(const void* data);
/// How much free memory the pool that memory comes from keeps.
unsigned long long kept_by_pool_of(const void* data);

/// A launch of a kernel.
struct launch {
  int device;
  unsigned blocks;
  unsigned lanes;
  std::size_t scratch;
};
/// The launches since clear_calls().
std::vector<launch> launches();
/// Whether a stream is ordered with the null stream.
bool is_ordered(const void* stream);
/// The error that the vendor's GetLastError would return to this thread.
int last_error();

}  // namespace hpk_test::pretend
