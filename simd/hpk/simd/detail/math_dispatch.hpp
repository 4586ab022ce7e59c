// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The implementations of the functions of math.hpp: by an instruction; by a vector library, with
// repairs of the lanes that it computes wrongly; or lane by lane.
#pragma once

#include <hpk/math/math.hpp>
#include <hpk/simd/detail/fused_math.hpp>
#include <hpk/simd/detail/native_math.hpp>
#include <hpk/simd/permute.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk::detail::vectors {

/// The type in which mathematical functions of lanes of T are computed.
template <class T>
using math_lane_t = std::conditional_t<std::is_integral_v<T>, double, T>;
template <class T, class Abi>
using math_simd_t = basic_simd<math_lane_t<T>, Abi>;

template <class T, class Abi>
basic_simd<T, Abi> as_simd(const basic_simd<T, Abi>&);
/// A vector, or an object of a class derived from one.
template <class V>
concept simd_like = requires(const V& v) { as_simd(v); };
template <class... Xs>
struct first_simd;
template <class X, class... Xs>
struct first_simd<X, Xs...> : first_simd<Xs...> {};
template <simd_like X, class... Xs>
struct first_simd<X, Xs...> {
  using type = decltype(as_simd(std::declval<const X&>()));
};
/// The type of the first vector among the arguments; at least one is a vector.
template <class... Xs>
using simd_among_t = typename first_simd<Xs...>::type;
template <class... Xs>
concept simd_arguments =
    (simd_like<Xs> || ...) && (std::convertible_to<const Xs&, simd_among_t<Xs...>> && ...);
/// A vector type with the lane type converted to a floating type.
template <class V>
using floating_simd_t = rebind_t<math_lane_t<typename V::value_type>, V>;
template <class... Xs>
using math_among_t = floating_simd_t<simd_among_t<Xs...>>;

/// Returns a vector whose lane i is f of lane i of all vectors.
template <class R, class F, class... Vs>
HPK_FORCEINLINE_FUNCTION R each_lane(const F& f, const Vs&... vs) {
  return R([&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) {
    return f(parts_of(vs).lane(static_cast<int>(i()))...);
  });
}

/// Returns the bits of the lanes as integers of their size.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto bits_of_lanes(const basic_simd<T, Abi>& v) {
  return simd_bit_cast<mask_lane_t<T>>(v);
}
template <class T>
inline constexpr mask_lane_t<T> sign_bit = std::numeric_limits<mask_lane_t<T>>::min();
template <class T>
inline constexpr mask_lane_t<T> infinite_bits =
    __builtin_bit_cast(mask_lane_t<T>, std::numeric_limits<T>::infinity());
template <class T>
inline constexpr mask_lane_t<T> normal_bits =
    __builtin_bit_cast(mask_lane_t<T>, std::numeric_limits<T>::min());
/// Returns the bits of each lane's magnitude as an integer: infinity is infinite_bits, NaNs are
/// above it.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto magnitude_bits(const basic_simd<T, Abi>& v) {
  return bits_of_lanes(v) & static_cast<mask_lane_t<T>>(~sign_bit<T>);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> magnitude(const basic_simd<T, Abi>& v) {
  return simd_bit_cast<T>(magnitude_bits(v));
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> with_sign_of(const basic_simd<T, Abi>& v,
                                                                   const basic_simd<T, Abi>& sign) {
  return simd_bit_cast<T>(magnitude_bits(v) | (bits_of_lanes(sign) & sign_bit<T>));
}

/// Rounds to an integer by the current rounding mode. Numbers of magnitude `whole` or above have no
/// fraction.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION basic_simd<T, Abi> portable_round_by_mode(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  const V whole(sizeof(T) == 8 ? T(4503599627370496.0) : T(8388608.0));
  const V by = with_sign_of(whole, v);
  return hpk::select(magnitude(v) < whole, with_sign_of((v + by) - by, v), v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION basic_simd<T, Abi> portable_round_down(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  const V near = portable_round_by_mode(v);
  return with_sign_of(hpk::select(near > v, near - V(T(1)), near), v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION basic_simd<T, Abi> portable_round_up(const basic_simd<T, Abi>& v) {
  using V = basic_simd<T, Abi>;
  const V near = portable_round_by_mode(v);
  return with_sign_of(hpk::select(near < v, near + V(T(1)), near), v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION basic_simd<T, Abi> portable_round_to_zero(const basic_simd<T, Abi>& v) {
  return with_sign_of(portable_round_down(magnitude(v)), v);
}

/// Sets r.v[k] = f(ps.v[k]...) for all parts.
template <class P, class F, class... Ps>
HPK_FORCEINLINE_FUNCTION void call_parts(P& r, const F& f, const Ps&... ps) {
  [&]<int... K> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, K...>) {
    const auto one = [&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) { r.v[i()] = f(ps.v[i()]...); };
    (one(lane_index<K>()), ...);
  }(std::make_integer_sequence<int, P::count>());
}
/// Whether a library function takes exactly this register type. clang converts between registers of
/// equal size, and would pass two doubles to a function of four floats.
template <class Result, class Register>
concept same_register = std::same_as<Result, std::remove_cvref_t<Register>>;
// Apply f to all parts: by the library or an instruction, or else lane by lane.
#define HPK_DETAIL_SIMD_LIBRARY(name)                                                    \
  template <class V, class... Vs>                                                        \
  HPK_FORCEINLINE_FUNCTION V by_library_##name(const V& v, const Vs&... vs) {            \
    using parts = std::remove_cvref_t<decltype(parts_of(v))>;                            \
    const auto& p = parts_of(v);                                                         \
    if constexpr (requires {                                                             \
                    {                                                                    \
                      library_##name(p.v[0], parts_of(vs).v[0]...)                       \
                    } -> same_register<decltype(p.v[0])>;                                \
                  }) {                                                                   \
      parts r;                                                                           \
      call_parts(r, [](auto... x) { return library_##name(x...); }, p, parts_of(vs)...); \
      return simd_access::make<V>(r);                                                    \
    } else {                                                                             \
      return each_lane<V>([](auto... x) { return math::name(x...); }, v, vs...);         \
    }                                                                                    \
  }
#define HPK_DETAIL_SIMD_INSTRUCTION(name)                                                 \
  template <class V, class... Vs>                                                         \
  HPK_FORCEINLINE_FUNCTION V by_instruction_##name(const V& v, const Vs&... vs) {         \
    using T = typename V::value_type;                                                     \
    using parts = std::remove_cvref_t<decltype(parts_of(v))>;                             \
    if constexpr (parts::width == 1) {                                                    \
      return each_lane<V>([](auto... x) { return math::name(x...); }, v, vs...);          \
    } else {                                                                              \
      parts r;                                                                            \
      call_parts(                                                                         \
          r, [](auto... x) { return native_##name<T, parts::width>(x...); }, parts_of(v), \
          parts_of(vs)...);                                                               \
      return simd_access::make<V>(r);                                                     \
    }                                                                                     \
  }
HPK_DETAIL_SIMD_INSTRUCTION(sqrt)
HPK_DETAIL_SIMD_INSTRUCTION(fma)
HPK_DETAIL_SIMD_INSTRUCTION(floor)
HPK_DETAIL_SIMD_INSTRUCTION(ceil)
HPK_DETAIL_SIMD_INSTRUCTION(trunc)
HPK_DETAIL_SIMD_INSTRUCTION(rint)
HPK_DETAIL_SIMD_LIBRARY(exp)
HPK_DETAIL_SIMD_LIBRARY(exp2)
HPK_DETAIL_SIMD_LIBRARY(expm1)
HPK_DETAIL_SIMD_LIBRARY(log)
HPK_DETAIL_SIMD_LIBRARY(log2)
HPK_DETAIL_SIMD_LIBRARY(log10)
HPK_DETAIL_SIMD_LIBRARY(log1p)
HPK_DETAIL_SIMD_LIBRARY(cbrt)
HPK_DETAIL_SIMD_LIBRARY(sin)
HPK_DETAIL_SIMD_LIBRARY(cos)
HPK_DETAIL_SIMD_LIBRARY(tan)
HPK_DETAIL_SIMD_LIBRARY(asin)
HPK_DETAIL_SIMD_LIBRARY(acos)
HPK_DETAIL_SIMD_LIBRARY(atan)
HPK_DETAIL_SIMD_LIBRARY(sinh)
HPK_DETAIL_SIMD_LIBRARY(cosh)
HPK_DETAIL_SIMD_LIBRARY(tanh)
HPK_DETAIL_SIMD_LIBRARY(asinh)
HPK_DETAIL_SIMD_LIBRARY(acosh)
HPK_DETAIL_SIMD_LIBRARY(atanh)
HPK_DETAIL_SIMD_LIBRARY(erf)
HPK_DETAIL_SIMD_LIBRARY(erfc)
HPK_DETAIL_SIMD_LIBRARY(tgamma)
HPK_DETAIL_SIMD_LIBRARY(lgamma)
HPK_DETAIL_SIMD_LIBRARY(pow)
HPK_DETAIL_SIMD_LIBRARY(atan2)
HPK_DETAIL_SIMD_LIBRARY(hypot)
#undef HPK_DETAIL_SIMD_INSTRUCTION
#undef HPK_DETAIL_SIMD_LIBRARY

// The functions of fused_math.hpp. The library computes the lanes where they are not correct, and
// vectors with other lane types.
#define HPK_DETAIL_SIMD_FUSED(name, condition, ...)        \
  template <class V>                                       \
  HPK_FORCEINLINE_FUNCTION V by_fused_##name(const V& v) { \
    if constexpr (condition<V>) {                          \
      typename V::mask_type valid;                         \
      V r = __VA_ARGS__(v, valid);                         \
      if (!all_of(valid)) [[unlikely]]                     \
        r = hpk::select(valid, r, by_library_##name(v));   \
      return r;                                            \
    } else {                                               \
      return by_library_##name(v);                         \
    }                                                      \
  }
HPK_DETAIL_SIMD_FUSED(log, is_fused, fused_log)
HPK_DETAIL_SIMD_FUSED(sin, is_fused_float, fused_sine<false>)
HPK_DETAIL_SIMD_FUSED(cos, is_fused_float, fused_sine<true>)
#undef HPK_DETAIL_SIMD_FUSED

/// Whether lanes are repaired that SLEEF 3.5 to 3.7 computes wrongly: results near the largest
/// number overflow, subnormal numbers lose their sign, and gamma functions of negative numbers have
/// few correct digits near their zeros. Affected lanes are rare; they are computed one by one.
template <class V>
inline constexpr bool needs_repair =
    simd_sleef && simd_parts<typename V::value_type, V::size()>::width != 1;
/// subnormal_lanes() returns a mask of the subnormal lanes, large_lanes() of the finite lanes
/// larger than a bound for their type.
template <class V>
HPK_FORCEINLINE_FUNCTION auto subnormal_lanes(const V& v) {
  const V m = magnitude(v);
  return m < V(std::numeric_limits<typename V::value_type>::min()) && m > V();
}
template <class V>
HPK_FORCEINLINE_FUNCTION auto large_lanes(const V& v, float of_float, double of_double) {
  using T = typename V::value_type;
  const V m = magnitude(v);
  return m > V(sizeof(T) == 8 ? static_cast<T>(of_double) : static_cast<T>(of_float)) &&
         m < V(std::numeric_limits<T>::infinity());
}
#define HPK_DETAIL_SIMD_REPAIRED(name, ...)                                               \
  template <class V>                                                                      \
  HPK_FORCEINLINE_FUNCTION V repaired_##name(const V& v) {                                \
    V r = by_library_##name(v);                                                           \
    if constexpr (needs_repair<V>) {                                                      \
      const auto wrong = __VA_ARGS__;                                                     \
      if (any_of(wrong)) [[unlikely]]                                                     \
        r = hpk::select(wrong, each_lane<V>([](auto x) { return math::name(x); }, v), r); \
    }                                                                                     \
    return r;                                                                             \
  }
HPK_DETAIL_SIMD_REPAIRED(tan, subnormal_lanes(v))
HPK_DETAIL_SIMD_REPAIRED(sinh, large_lanes(v, 88.0f, 709.0))
HPK_DETAIL_SIMD_REPAIRED(cosh, large_lanes(v, 88.0f, 709.0))
HPK_DETAIL_SIMD_REPAIRED(log1p, subnormal_lanes(v) || large_lanes(v, 0x1p120f, 0x1p1000))
HPK_DETAIL_SIMD_REPAIRED(asinh, subnormal_lanes(v) || large_lanes(v, 0x1p60f, 0x1p500))
HPK_DETAIL_SIMD_REPAIRED(acosh, large_lanes(v, 0x1p60f, 0x1p500))
HPK_DETAIL_SIMD_REPAIRED(tgamma, v < V())
HPK_DETAIL_SIMD_REPAIRED(lgamma, v < V() || large_lanes(v, 0x1p120f, 0x1p1000))
#undef HPK_DETAIL_SIMD_REPAIRED

/// Whether rounding adds and subtracts a number so large that the sum has no fraction bits; else an
/// instruction rounds.
template <class V>
inline constexpr bool rounds_by_sums =
    !simd_rounds && !simd_fast_math && simd_parts<typename V::value_type, V::size()>::width != 1;
#define HPK_DETAIL_SIMD_ROUND(name, portable)             \
  template <class V>                                      \
  HPK_FORCEINLINE_FUNCTION V rounded_##name(const V& v) { \
    if constexpr (rounds_by_sums<V>)                      \
      return portable(v);                                 \
    else                                                  \
      return by_instruction_##name(v);                    \
  }
HPK_DETAIL_SIMD_ROUND(floor, portable_round_down)
HPK_DETAIL_SIMD_ROUND(ceil, portable_round_up)
HPK_DETAIL_SIMD_ROUND(trunc, portable_round_to_zero)
HPK_DETAIL_SIMD_ROUND(rint, portable_round_by_mode)
#undef HPK_DETAIL_SIMD_ROUND

}  // namespace hpk::detail::vectors
