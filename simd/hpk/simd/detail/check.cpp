// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/simd/detail/check.hpp>

#include <cstdio>

namespace hpk::detail::vectors {

namespace {

/// Formats a text as printf does and raises it.
template <class... Args>
[[noreturn]] void raise_text(const char* format, Args... args) {
  char text[256];
  std::snprintf(text, sizeof text, format, args...);
  raise(text);
}

}  // namespace

void raise_simd_lane(long long lane, int lanes) {
  raise_text("hpk::basic_simd: there is no lane %lld; write one from 0 to %d", lane, lanes - 1);
}
void raise_simd_alignment(const void* address, std::size_t alignment) {
  raise_text(
      "hpk: a load or store with flag_aligned at %p, which is not a multiple of %zu bytes; write "
      "flag_default, or align the array",
      address, alignment);
}
void raise_simd_range(std::size_t size, int lanes) {
  raise_text(
      "hpk: an unchecked load or store of %d lanes in a range of %zu elements; write partial_load "
      "or partial_store",
      lanes, size);
}
void raise_simd_index(long long index, std::size_t size, int lane) {
  raise_text(
      "hpk: an unchecked gather or scatter has the index %lld in lane %d, in a range of %zu "
      "elements; mask the lane out, or write partial_gather_from or partial_scatter_to",
      index, lane, size);
}
void raise_simd_divisor(int lane) {
  raise_text(
      "hpk::basic_simd: lane %d of integers is divided by zero; mask it: select(b == 0, 1, b)",
      lane);
}
void raise_simd_shift(long long count, int bits, int lane) {
  raise_text("hpk::basic_simd: lane %d is shifted by %lld bits; write a count from 0 to %d", lane,
             count, bits - 1);
}
void raise_simd_source(long long index, int lanes, int lane) {
  raise_text(
      "hpk::permute: lane %d takes lane %lld, which does not exist; write one from 0 to %d, or "
      "zero_element",
      lane, index, lanes - 1);
}
void raise_simd_span(long long first, int lanes, std::size_t size) {
  raise_text("hpk::simd_span: elements %lld to %lld of %zu; shorten the range of simd_for", first,
             first + lanes - 1, size);
}
void raise_simd_gaps(std::size_t size, std::size_t span) {
  raise_text(
      "hpk::as_simd_span: the View has %zu elements in a span of %zu; write a View whose elements "
      "are contiguous",
      size, span);
}

}  // namespace hpk::detail::vectors
