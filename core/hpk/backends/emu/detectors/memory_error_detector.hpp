// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to memory that is not there: host code at device memory, kernels at host memory, at
// freed memory and out of bounds. Accesses through Views are checked one by one where somebody
// watches them; all others fault, and the handler of SIGSEGV says what they hit.
#pragma once

#include <hpk/seam/memory.hpp>

#include <string_view>

namespace hpk::emu {

/// Host code accesses an element of device memory.
void reject_host_access(const seam::element_access& access);

/// Ends the program where a kernel accesses an element that hpk allocated in host memory.
void reject_host_memory(const seam::element_access& access);

/// Ends the program where a kernel follows a captured pointer to host memory. Says which View of
/// hpk's lies there, and of other memory what is given.
[[noreturn]] void reject_captured_pointer(const void* address, std::string_view of_other_memory);

/// Ends the program when an access of a kernel lies outside of the View's extents; in builds
/// without index checks too.
void check_kernel_access(const seam::element_access& access);

/// Ends the program when a kernel of Emu runs on this thread: no GPU allocates in one.
void expect_no_kernel_allocates();

/// Handles SIGSEGV, and the signal of the uninitialized_detector. Calling again does nothing.
void install_signal_handlers();

}  // namespace hpk::emu
