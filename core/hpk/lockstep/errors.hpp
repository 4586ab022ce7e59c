// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes in lockstep kernels: each is an hpk::error with the kernel on hosts and Emu, and ends
// the kernel of a GPU. Those found in checked builds only are said to be.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/macros.hpp>

#include <cstdint>
#include <source_location>

namespace hpk::detail {

/// A shape in messages: a domain, and the indices in a pack.
struct shape_number {
  std::uint32_t domain;
  std::uint32_t simd;
};

/// The index that runs where none does.
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
