// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds accesses to memory that the code must not access: host code at device memory, kernels at
// host memory, at freed memory and out of bounds. Accesses through Views are checked one by one if
// a watcher is set. All other bad accesses fault, and the handler of SIGSEGV reports the memory
// that they hit.
#pragma once

#include <hpk/seam/memory.hpp>

#include <string_view>

namespace hpk::emu {

/// Ends the program because host code accesses an element of device memory.
void reject_host_access(const seam::element_access& access);

/// Ends the program if a kernel accesses an element that hpk allocated in host memory.
void reject_host_memory(const seam::element_access& access);

/// Ends the program because a kernel follows a captured pointer to host memory. Names the View at
/// the address; if hpk did not allocate the memory, prints `of_other_memory`.
[[noreturn]] void reject_captured_pointer(const void* address, std::string_view of_other_memory);

/// Ends the program if a kernel accesses an index outside the View's extents, also in builds
/// without index checks.
void check_kernel_access(const seam::element_access& access);

/// Ends the program if a kernel of Emu runs on this thread: kernels of a GPU can't allocate device
/// memory.
void expect_no_kernel_allocates();

/// Installs the handlers of SIGSEGV and of the uninitialized_detector's signal. Further calls do
/// nothing.
void install_signal_handlers();

}  // namespace hpk::emu
