// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags for loads and stores: flag_default, flag_aligned, flag_overaligned<N>, flag_convert,
// combined by |.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>

#include <cstddef>

namespace hpk {

namespace classes {
/// @cond internal
struct simd_aligned_tag {};
struct simd_convert_tag {};
template <std::size_t N>
struct simd_overaligned_tag {
  static_assert(N > 0 && (N & (N - 1)) == 0,
                "hpk::flag_overaligned: N is an alignment; write a power of two");
};
/// @endcond
}  // namespace classes

namespace detail::vectors {
using classes::simd_aligned_tag;
using classes::simd_convert_tag;
using classes::simd_overaligned_tag;
template <class Flag>
inline constexpr bool is_simd_flag = false;
template <>
inline constexpr bool is_simd_flag<simd_aligned_tag> = true;
template <>
inline constexpr bool is_simd_flag<simd_convert_tag> = true;
template <std::size_t N>
inline constexpr bool is_simd_flag<simd_overaligned_tag<N>> = true;

template <class Flag>
inline constexpr std::size_t overalignment = 1;
template <std::size_t N>
inline constexpr std::size_t overalignment<simd_overaligned_tag<N>> = N;
}  // namespace detail::vectors

/// A set of flags for loads and stores.
template <class... Flags>
struct simd_flags {
  static_assert(((sizeof(Flags) != 0 && detail::vectors::is_simd_flag<Flags>) && ...),
                "hpk::simd_flags: write flag_default, flag_aligned, flag_overaligned<N> or "
                "flag_convert, joined by |");
  /// Joins two sets of flags.
  template <class... Others>
  HPK_FUNCTION friend constexpr simd_flags<Flags..., Others...> operator|(simd_flags,
                                                                          simd_flags<Others...>) {
    return {};
  }
};

/// The address has the alignment of one element.
inline constexpr simd_flags<> simd_flag_default{};
/// The address is a multiple of alignof(V); checked builds throw an error if it is not.
inline constexpr simd_flags<detail::vectors::simd_aligned_tag> simd_flag_aligned{};
/// The address is a multiple of N.
template <std::size_t N>
inline constexpr simd_flags<detail::vectors::simd_overaligned_tag<N>> simd_flag_overaligned{};
/// Conversions between elements and lanes may change values.
inline constexpr simd_flags<detail::vectors::simd_convert_tag> simd_flag_convert{};

/// The flags under their names in C++26.
///@{
inline constexpr simd_flags<> flag_default{};
inline constexpr simd_flags<detail::vectors::simd_aligned_tag> flag_aligned{};
template <std::size_t N>
inline constexpr simd_flags<detail::vectors::simd_overaligned_tag<N>> flag_overaligned{};
inline constexpr simd_flags<detail::vectors::simd_convert_tag> flag_convert{};
///@}

/// The types of two flags under their names in older versions of Kokkos.
///@{
using element_aligned_tag = simd_flags<>;
using vector_aligned_tag = simd_flags<detail::vectors::simd_aligned_tag>;
///@}

namespace detail::vectors {
template <class... F>
inline constexpr bool has_convert_flag = (std::is_same_v<F, simd_convert_tag> || ...);
/// The alignment in bytes that the flags promise for V.
template <class V, class... F>
inline constexpr std::size_t flags_alignment = [] {
  std::size_t most = 1;
  ((most = std::is_same_v<F, simd_aligned_tag> && alignof(V) > most ? alignof(V)
           : overalignment<F> > most                                ? overalignment<F>
                                                                    : most),
   ...);
  return most;
}();
}  // namespace detail::vectors

}  // namespace hpk
