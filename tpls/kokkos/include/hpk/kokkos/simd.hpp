// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors under Kokkos' names: in Kokkos::Experimental, with its older names, the tags of single
// instruction sets, and functions that begin with simd_.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/simd.hpp>

#include <type_traits>

namespace hpk::simd_abi {

/// Lanes in registers of one instruction set: here as many lanes on every processor.
template <int N>
using avx2_fixed_size = fixed_size<N>;
template <int N>
using avx512_fixed_size = fixed_size<N>;
template <int N>
using neon_fixed_size = fixed_size<N>;
template <int N>
using sve_fixed_size = fixed_size<N>;
/// The ABI of doubles for kernels of a space.
template <class Space>
using ForSpace = native<double>;

}  // namespace hpk::simd_abi

namespace hpk::Experimental {

namespace simd_abi = hpk::simd_abi;

using hpk::all_of;
using hpk::any_of;
using hpk::basic_simd;
using hpk::basic_simd_mask;
using hpk::condition;
using hpk::const_where_expression;
using hpk::element_aligned_tag;
using hpk::native_simd;
using hpk::native_simd_mask;
using hpk::none_of;
using hpk::partial_gather_from;
using hpk::partial_scatter_to;
using hpk::reduce;
using hpk::reduce_max;
using hpk::reduce_min;
using hpk::simd;
using hpk::simd_flag_aligned;
using hpk::simd_flag_default;
using hpk::simd_flags;
using hpk::simd_mask;
using hpk::unchecked_gather_from;
using hpk::unchecked_scatter_to;
using hpk::vector_aligned_tag;
using hpk::where;
using hpk::where_expression;

/// Loads and stores of as many elements as V has lanes, or of those where a mask is set.
template <class V = void, class... Args>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_unchecked_load(const Args&... args) {
  return hpk::unchecked_load<V>(args...);
}
template <class V, class... Args>
HPK_FORCEINLINE_FUNCTION constexpr void simd_unchecked_store(const V& v, const Args&... args) {
  hpk::unchecked_store(v, args...);
}
/// The same: Kokkos' forms take no number of elements. Write hpk::partial_load(from, count).
template <class V = void, class... Args>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_partial_load(const Args&... args) {
  return hpk::unchecked_load<V>(args...);
}
template <class V, class... Args>
HPK_FORCEINLINE_FUNCTION constexpr void simd_partial_store(const V& v, const Args&... args) {
  hpk::unchecked_store(v, args...);
}

/// The smallest and largest lane, of a vector or of where(mask, v).
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr T hmin(const basic_simd<T, Abi>& v) {
  return hpk::reduce_min(v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr T hmax(const basic_simd<T, Abi>& v) {
  return hpk::reduce_max(v);
}
template <class M, class V>
HPK_FORCEINLINE_FUNCTION constexpr auto hmin(const const_where_expression<M, V>& x) {
  return hpk::reduce_min(x.value(), x.mask());
}
template <class M, class V>
HPK_FORCEINLINE_FUNCTION constexpr auto hmax(const const_where_expression<M, V>& x) {
  return hpk::reduce_max(x.value(), x.mask());
}
template <class M, class V, class T, class Op = simd_plus<>>
HPK_FORCEINLINE_FUNCTION constexpr auto reduce(const const_where_expression<M, V>& x,
                                               const T& identity, Op op = {}) {
  return hpk::reduce(x.value(), x.mask(), op, identity);
}

}  // namespace hpk::Experimental
