// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The errors of vectors in checked builds (HPK_CHECKS): on hosts an hpk::error that names the
// mistake and the remedy, in kernels of GPUs a message that ends the kernel.
#pragma once

#include <hpk/base/assert.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail::vectors {

[[noreturn]] void raise_simd_lane(long long lane, int lanes);
[[noreturn]] void raise_simd_alignment(const void* address, std::size_t alignment);
[[noreturn]] void raise_simd_range(std::size_t size, int lanes);
[[noreturn]] void raise_simd_index(long long index, std::size_t size, int lane);
[[noreturn]] void raise_simd_divisor(int lane);
[[noreturn]] void raise_simd_shift(long long count, int bits, int lane);
[[noreturn]] void raise_simd_source(long long index, int lanes, int lane);
[[noreturn]] void raise_simd_span(long long first, int lanes, std::size_t size);
[[noreturn]] void raise_simd_gaps(std::size_t size, std::size_t span);

/// Whether preconditions are checked.
inline constexpr bool simd_checks = static_cast<bool>(HPK_CHECKS);

/// Checks that 0 <= lane < lanes.
HPK_FORCEINLINE_FUNCTION constexpr void check_lane(long long lane, int lanes) {
  if constexpr (simd_checks) {
    if (lane < 0 || lane >= lanes) {
      HPK_IF_ON_HOST((raise_simd_lane(lane, lanes);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::basic_simd: there is no such lane");))
    }
  }
}
/// Checks that the address is a multiple of the alignment.
HPK_FORCEINLINE_FUNCTION constexpr void check_alignment([[maybe_unused]] const void* address,
                                                        [[maybe_unused]] std::size_t alignment) {
  if constexpr (simd_checks) {
    HPK_IF_ON_HOST((if (!__builtin_is_constant_evaluated() &&
                        reinterpret_cast<std::uintptr_t>(address) % alignment != 0)
                        raise_simd_alignment(address, alignment);))
    HPK_IF_ON_DEVICE((if (!__builtin_is_constant_evaluated() &&
                          reinterpret_cast<std::uintptr_t>(address) % alignment != 0)
                          hpk::abort("hpk: a load or store with flag_aligned at an address "
                                     "that is not aligned");))
  }
}
/// Checks that a range has an element for each lane.
HPK_FORCEINLINE_FUNCTION constexpr void check_range(std::size_t size, int lanes) {
  if constexpr (simd_checks) {
    if (size < static_cast<std::size_t>(lanes)) {
      HPK_IF_ON_HOST((raise_simd_range(size, lanes);))
      HPK_IF_ON_DEVICE(
          (hpk::abort("hpk::unchecked_load: the range has fewer elements than lanes");))
    }
  }
}
/// Checks that 0 <= index < size.
HPK_FORCEINLINE_FUNCTION constexpr void check_index(long long index, std::size_t size,
                                                    [[maybe_unused]] int lane) {
  if constexpr (simd_checks) {
    if (index < 0 || static_cast<unsigned long long>(index) >= size) {
      HPK_IF_ON_HOST((raise_simd_index(index, size, lane);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk: the index of a gather or scatter is beyond its range");))
    }
  }
}
/// Checks that the source lane of a permutation exists.
HPK_FORCEINLINE_FUNCTION constexpr void check_source(long long from, int lanes,
                                                     [[maybe_unused]] int lane) {
  if constexpr (simd_checks) {
    if (from < 0 || from >= lanes) {
      HPK_IF_ON_HOST((raise_simd_source(from, lanes, lane);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::permute: a lane that does not exist");))
    }
  }
}
/// Checks that `count` elements from `first` on are in a span of `size`.
HPK_FORCEINLINE_FUNCTION constexpr void check_span(long long first, int count, std::size_t size) {
  if constexpr (simd_checks) {
    if (count > 0 &&
        (first < 0 ||
         static_cast<unsigned long long>(first) + static_cast<unsigned>(count) > size)) {
      HPK_IF_ON_HOST((raise_simd_span(first, count, size);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::simd_span: elements beyond its end");))
    }
  }
}

}  // namespace hpk::detail::vectors
