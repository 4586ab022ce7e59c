// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash and comparison functors for host and device code: pod_hash, pod_equal_to and
// pod_not_equal_to, which use the bytes of an object, and equal_to, less and the other comparisons.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hpk {

namespace detail {

/// Returns the 32-bit MurmurHash3 (x86 variant, by Austin Appleby, in the public domain) of some
/// bytes.
HPK_INLINE_FUNCTION std::uint32_t murmur3(const void* bytes, std::size_t count,
                                          std::uint32_t seed) {
  constexpr std::uint32_t c1 = 0xcc9e2d51u;
  constexpr std::uint32_t c2 = 0x1b873593u;
  const auto turn = [](std::uint32_t x, int by) { return (x << by) | (x >> (32 - by)); };
  const auto* const data = static_cast<const unsigned char*>(bytes);
  const auto byte = [data](std::size_t i) { return static_cast<std::uint32_t>(data[i]); };
  std::uint32_t h = seed;
  const std::size_t whole = count / 4 * 4;
  for (std::size_t i = 0; i != whole; i += 4) {
    const std::uint32_t word = byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    h = turn(h ^ turn(word * c1, 15) * c2, 13) * 5 + 0xe6546b64u;
  }
  std::uint32_t rest = 0;
  for (std::size_t i = count; i != whole; --i) rest = rest << 8 | byte(i - 1);
  h ^= turn(rest * c1, 15) * c2;
  h ^= static_cast<std::uint32_t>(count);
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

/// Whether the bytes of two objects are the same.
template <class T>
HPK_FUNCTION bool has_same_bytes(const T& a, const T& b) {
  const auto* const p = reinterpret_cast<const unsigned char*>(&a);
  const auto* const q = reinterpret_cast<const unsigned char*>(&b);
  for (std::size_t i = 0; i != sizeof(T); ++i) {
    if (p[i] != q[i]) return false;
  }
  return true;
}

}  // namespace detail

/// A 32-bit hash of the bytes of a T: MurmurHash3. T is trivially copyable. Padding and the signs
/// of zeros change the hash: for types that have either, write your own functor.
template <class T>
struct pod_hash {
  static_assert(std::is_trivially_copyable_v<T>,
                "hpk::pod_hash: hashes the bytes of trivially copyable types; write a functor of "
                "your own with operator()(const T&)");
  /// Types of the arguments and the result, for code that asks for them.
  ///@{
  using argument_type = T;
  using first_argument_type = T;
  using second_argument_type = std::uint32_t;
  using result_type = std::uint32_t;
  ///@}
  /// Returns the hash of a value. Other seeds give other hashes; the default is 0.
  ///@{
  HPK_FUNCTION std::uint32_t operator()(const T& value) const { return (*this)(value, 0); }
  HPK_FUNCTION std::uint32_t operator()(const T& value, std::uint32_t seed) const {
    return detail::murmur3(&value, sizeof(T), seed);
  }
  ///@}
};

/// Whether two objects have the same bytes, padding included.
template <class T>
struct pod_equal_to {
  static_assert(std::is_trivially_copyable_v<T>,
                "hpk::pod_equal_to: compares the bytes of trivially copyable types; write "
                "hpk::equal_to");
  /// Types of the arguments and the result, for code that asks for them.
  ///@{
  using first_argument_type = T;
  using second_argument_type = T;
  using result_type = bool;
  ///@}
  /// Compares sizeof(T) bytes.
  HPK_FUNCTION bool operator()(const T& a, const T& b) const {
    return detail::has_same_bytes(a, b);
  }
};

/// Whether two objects differ in a byte, padding included.
template <class T>
struct pod_not_equal_to {
  /// Types of the arguments and the result, for code that asks for them.
  ///@{
  using first_argument_type = T;
  using second_argument_type = T;
  using result_type = bool;
  ///@}
  /// Compares sizeof(T) bytes.
  HPK_FUNCTION bool operator()(const T& a, const T& b) const { return !pod_equal_to<T>()(a, b); }
};

#define HPK_DETAIL_COMPARISON(name, op)                                                     \
  template <class T>                                                                        \
  struct name {                                                                             \
    using first_argument_type = T;                                                          \
    using second_argument_type = T;                                                         \
    using result_type = bool;                                                               \
    HPK_FUNCTION constexpr bool operator()(const T& a, const T& b) const { return a op b; } \
  };
/// equal_to<T>()(a, b) is a == b, in host and device code.
HPK_DETAIL_COMPARISON(equal_to, ==)
/// not_equal_to<T>()(a, b) is a != b, in host and device code.
HPK_DETAIL_COMPARISON(not_equal_to, !=)
/// greater<T>()(a, b) is a > b, in host and device code.
HPK_DETAIL_COMPARISON(greater, >)
/// less<T>()(a, b) is a < b, in host and device code.
HPK_DETAIL_COMPARISON(less, <)
/// greater_equal<T>()(a, b) is a >= b, in host and device code.
HPK_DETAIL_COMPARISON(greater_equal, >=)
/// less_equal<T>()(a, b) is a <= b, in host and device code.
HPK_DETAIL_COMPARISON(less_equal, <=)
#undef HPK_DETAIL_COMPARISON

}  // namespace hpk
