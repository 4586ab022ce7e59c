// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For libraries that do work without hpk: report their own kernels, copies, fences and memory to
// the tools, and start and end the tools before and after hpk.
#pragma once

#include <hpk/runtime/tools.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::Tools {

/// Loads a tool, or the tools that environment and command line name, before hpk::initialize would.
/// Do nothing if tools have begun.
/// @{
void initialize(const std::string& library = {});
void initialize(int argc, char* argv[]);
/// @}
/// Ends the tools, as hpk::finalize would.
void finalize();

/// Returns the handle of a memory space by its name, truncated to 63 characters.
Experimental::SpaceHandle make_space_handle(std::string_view space) noexcept;

/// Reports a kernel, with the number of its device. Sets `handle`, which the end of the kernel
/// takes; 0 without a tool. If a tool requests fences, kernels are fenced before and after.
/// @{
void beginParallelFor(std::string_view name, std::uint32_t device, std::uint64_t* handle);
void endParallelFor(std::uint64_t handle);
void beginParallelReduce(std::string_view name, std::uint32_t device, std::uint64_t* handle);
void endParallelReduce(std::uint64_t handle);
void beginParallelScan(std::string_view name, std::uint32_t device, std::uint64_t* handle);
void endParallelScan(std::uint64_t handle);
/// @}
/// Reports a fence; `handle` as for kernels.
/// @{
void beginFence(std::string_view name, std::uint32_t device, std::uint64_t* handle);
void endFence(std::uint64_t handle);
/// @}
/// Reports a copy between two places in memory, with the labels of their allocations.
/// @{
void beginDeepCopy(Experimental::SpaceHandle to, std::string_view to_label, const void* to_data,
                   Experimental::SpaceHandle from, std::string_view from_label,
                   const void* from_data, std::uint64_t bytes);
void endDeepCopy();
/// @}
/// Reports an allocation, and its end.
/// @{
void allocateData(Experimental::SpaceHandle space, std::string_view label, const void* data,
                  std::uint64_t bytes);
void deallocateData(Experimental::SpaceHandle space, std::string_view label, const void* data,
                    std::uint64_t bytes);
/// @}

}  // namespace hpk::Tools
