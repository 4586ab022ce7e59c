// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors under Kokkos' names: in Kokkos::Experimental, with older names, tags of single
// instruction sets, functions that begin with simd_, and the lists of types that tests iterate
// over.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/simd.hpp>

#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

namespace hpk::simd_abi {

/// The ABIs of single instruction sets, here with the same number of lanes on every processor.
template <int N>
using avx2_fixed_size = fixed_size<N>;
template <int N>
using avx512_fixed_size = fixed_size<N>;
template <int N>
using neon_fixed_size = fixed_size<N>;
template <int N>
using sve_fixed_size = fixed_size<N>;
/// The ABI of doubles in kernels of a space.
template <class Space>
using ForSpace = native<double>;

namespace Impl {
/// The ABI of doubles on the host, and the ABI with N lanes.
using host_native = native<double>;
template <int N>
using host_fixed_native = fixed_size<N>;
}  // namespace Impl

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

/// Kokkos' type of the flag simd_flag_aligned, and its type for numbers of lanes.
using simd_alignment_vector_aligned = hpk::detail::vectors::simd_aligned_tag;
using simd_size_t = int;

namespace Impl {
using Experimental::simd_size_t;

/// A list of lane types, and a list of ABIs.
template <class... Ts>
struct data_types {};
template <class... Abis>
struct abi_set {};
/// The lane types that Kokkos supports.
using data_type_set =
    data_types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, double, float>;
/// One lane and, if the processor has vector registers, the lanes of double and of float in a
/// register.
using host_abi_set = std::conditional_t<
    simd<double>::size() == 1, abi_set<simd_abi::scalar>,
    abi_set<simd_abi::scalar, simd_abi::native<double>, simd_abi::native<float>>>;
using device_abi_set = abi_set<simd_abi::scalar>;

/// The identity of an operation (sum, product, bits) for T.
template <class T, class Op>
struct Identity {
  HPK_FORCEINLINE_FUNCTION constexpr operator T() const {
    return hpk::detail::vectors::identity_of<T, Op>;
  }
};

/// Converts a contiguous iterator to a pointer; leaves other types unchanged.
HPK_CALLS_EITHER
template <class A>
HPK_FORCEINLINE_FUNCTION constexpr decltype(auto) without_iterator(A&& a) {
  using plain = std::remove_cvref_t<A>;
  if constexpr (std::contiguous_iterator<plain> && !std::is_pointer_v<plain>) {
    return std::to_address(a);
  } else {
    return static_cast<A&&>(a);
  }
}
}  // namespace Impl

/// Load and store as many elements as V has lanes, or those that a mask selects. Memory is given as
/// a pointer, an array, a contiguous iterator, or an object with data() and size(); a mask, if any,
/// and flags follow.
template <class V = void, class From, class... How>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_unchecked_load(const From& from, How... how) {
  return hpk::unchecked_load<V>(Impl::without_iterator(from), how...);
}
template <class V, class To, class... How>
HPK_FORCEINLINE_FUNCTION constexpr void simd_unchecked_store(const V& v, To&& to, How... how) {
  hpk::unchecked_store(v, Impl::without_iterator(static_cast<To&&>(to)), how...);
}
/// As above: Kokkos' forms take no number of elements. For that, write hpk::partial_load(from,
/// count).
template <class V = void, class From, class... How>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_partial_load(const From& from, How... how) {
  return simd_unchecked_load<V>(from, how...);
}
template <class V, class To, class... How>
HPK_FORCEINLINE_FUNCTION constexpr void simd_partial_store(const V& v, To&& to, How... how) {
  simd_unchecked_store(v, static_cast<To&&>(to), how...);
}

/// Returns the nearest integer, with halves to the even one, of a number or of lanes, in the
/// default rounding mode.
template <class X>
HPK_FORCEINLINE_FUNCTION auto round_half_to_nearest_even(const X& x) {
  return hpk::rint(x);
}

/// Return the smallest and the largest lane of a vector, or of where(mask, v).
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

#if HPK_KOKKOS_OLDER_NAMES
// The names in Experimental, the place of functions of vectors before they became stable.
using hpk::clamp;
using hpk::max;
using hpk::min;
#define HPK_KOKKOS_SIMD_MATH(name)                                                               \
  template <class... Xs>                                                                         \
    requires hpk::detail::vectors::simd_arguments<Xs...>                                         \
  HPK_FORCEINLINE_FUNCTION auto name(const Xs&... xs) -> decltype(simd_functions::name(xs...)) { \
    return simd_functions::name(xs...);                                                          \
  }
HPK_KOKKOS_SIMD_MATH(abs)
HPK_KOKKOS_SIMD_MATH(acos)
HPK_KOKKOS_SIMD_MATH(acosh)
HPK_KOKKOS_SIMD_MATH(asin)
HPK_KOKKOS_SIMD_MATH(asinh)
HPK_KOKKOS_SIMD_MATH(atan)
HPK_KOKKOS_SIMD_MATH(atan2)
HPK_KOKKOS_SIMD_MATH(atanh)
HPK_KOKKOS_SIMD_MATH(cbrt)
HPK_KOKKOS_SIMD_MATH(ceil)
HPK_KOKKOS_SIMD_MATH(copysign)
HPK_KOKKOS_SIMD_MATH(cos)
HPK_KOKKOS_SIMD_MATH(cosh)
HPK_KOKKOS_SIMD_MATH(erf)
HPK_KOKKOS_SIMD_MATH(erfc)
HPK_KOKKOS_SIMD_MATH(exp)
HPK_KOKKOS_SIMD_MATH(exp2)
HPK_KOKKOS_SIMD_MATH(floor)
HPK_KOKKOS_SIMD_MATH(fma)
HPK_KOKKOS_SIMD_MATH(hypot)
HPK_KOKKOS_SIMD_MATH(lgamma)
HPK_KOKKOS_SIMD_MATH(log)
HPK_KOKKOS_SIMD_MATH(log10)
HPK_KOKKOS_SIMD_MATH(log2)
HPK_KOKKOS_SIMD_MATH(pow)
HPK_KOKKOS_SIMD_MATH(round)
HPK_KOKKOS_SIMD_MATH(sin)
HPK_KOKKOS_SIMD_MATH(sinh)
HPK_KOKKOS_SIMD_MATH(sqrt)
HPK_KOKKOS_SIMD_MATH(tan)
HPK_KOKKOS_SIMD_MATH(tanh)
HPK_KOKKOS_SIMD_MATH(tgamma)
HPK_KOKKOS_SIMD_MATH(trunc)
#undef HPK_KOKKOS_SIMD_MATH
#endif

}  // namespace hpk::Experimental
