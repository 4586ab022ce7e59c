// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors in lockstep kernels. On hosts and Emu they throw an hpk::error that names the kernel; on a
// GPU the kernel ends. Errors that are detected only in checked builds are marked.
#pragma once

#include <hpk/error.hpp>

#include <cstdint>
#include <source_location>

namespace hpk::detail {

/// The shape of a loop in messages: the domain and the number of indices in a pack.
struct shape_number {
  std::uint32_t domain;
  std::uint32_t simd;
};

/// No index: the worker is outside of loops.
inline constexpr std::uint32_t no_index = ~std::uint32_t{0};

[[noreturn]] void reject_other_shape(shape_number variable, shape_number loop);
[[noreturn]] void reject_other_worker(std::uint32_t index, int owner, int worker);
[[noreturn]] void reject_other_index(std::uint32_t index, std::uint32_t running);
[[noreturn]] void reject_inactive(std::uint32_t index, std::uint32_t domain);
[[noreturn]] void reject_in_loop(const char* what);
[[noreturn]] void reject_few_workers(int threads, int wanted);
[[noreturn]] void reject_worker_count(long long workers, const std::source_location& where);
[[noreturn]] void reject_block_count(long long blocks, bool negative,
                                     const std::source_location& where);

}  // namespace hpk::detail
