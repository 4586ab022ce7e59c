// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes of a vector, or those of a mask, combined into one number: reduce, reduce_min,
// reduce_max. The order of the operations depends on the number of lanes alone, so each processor
// gives the same bits.
#pragma once

#include <hpk/simd/select.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk {

/// a + b: what reduce does unless it is told otherwise.
template <class T = void>
struct simd_plus {
  using is_transparent = void;
  HPK_CALLS_EITHER
  template <class A>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const A& a, const A& b) const {
    return a + b;
  }
};

namespace detail::vectors {

/// The largest power of two below n.
constexpr int half_lanes(int n) {
  int half = 1;
  while (2 * half < n) half *= 2;
  return half;
}

/// Whether an operation says that it takes operands of any type, and takes vectors.
template <class Op, class V>
concept takes_vectors = requires { typename Op::is_transparent; } && requires(Op& op, const V& v) {
  { op(v, v) } -> std::convertible_to<V>;
};

/// Lanes First .. First + N - 1.
template <int First, int N, class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr simd<T, N> lanes_from(const basic_simd<T, Abi>& v) {
  using to = simd_parts<T, N>;
  const auto& from = parts_of(v);
  using of = std::remove_cvref_t<decltype(from)>;
  to r{};
  if constexpr (to::width == of::width && First % to::width == 0) {
    HPK_DETAIL_PARTS(to::count, r.v[k] = from.v[First / to::width + k])
  } else if constexpr (to::width < of::width && First % to::width == 0) {
    // A part lies within one of the vector's: First and the width of the part are even to it.
    [&]<int... K> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, K...>) {
      ((r.v[K] = take_lanes<T, (First + K * to::width) % of::width>(
            from.v[(First + K * to::width) / of::width],
            std::make_integer_sequence<int, to::width>())),
       ...);
    }(std::make_integer_sequence<int, to::count>());
  } else {
    r = make_parts<T, N>([&](auto i) { return from.lane(First + static_cast<int>(i())); });
  }
  return simd_access::make<simd<T, N>>(r);
}

/// Lane i with lane i + half, then the first half in the same way.
HPK_CALLS_EITHER
template <class T, class Abi, class Op>
HPK_FORCEINLINE_FUNCTION constexpr T fold_lanes(const basic_simd<T, Abi>& v, Op& op) {
  constexpr int n = lanes_of_abi<Abi>;
  if constexpr (n == 1) {
    return v[0];
  } else {
    constexpr int half = half_lanes(n);
    const auto low = lanes_from<0, half>(v);
    const auto high = lanes_from<half, n - half>(v);
    using high_type = std::remove_cv_t<decltype(high)>;
    if constexpr (half == 1) {
      return static_cast<T>(op(low[0], high[0]));
    } else if constexpr (n - half == half && takes_vectors<Op, high_type>) {
      const simd<T, half> folded(op(low, high));
      return fold_lanes(folded, op);
    } else {
      const simd<T, half> folded([&](auto i) {
        constexpr int lane = static_cast<int>(decltype(i)::value);
        if constexpr (lane < n - half) {
          return static_cast<T>(op(low[i()], high[i()]));
        } else {
          return low[i()];
        }
      });
      return fold_lanes(folded, op);
    }
  }
}

/// Whether `identity` leaves telling numbers of T as they are.
template <class T, class Op>
constexpr bool is_identity(T identity) {
  Op op{};
  using limits = std::numeric_limits<T>;
  for (const T x : {T(1), T(2), T(3), limits::lowest(), limits::max()})
    if (!(static_cast<T>(op(identity, x)) == x)) return false;
  return true;
}
/// An operation of which constants can be computed, so that its identity is found by trying 0, 1
/// and the number with all bits set: it is one of sums, products, bits.
template <class T, class Op>
concept identity_known = std::is_default_constructible_v<Op> && std::is_empty_v<Op> &&
                         requires { typename std::bool_constant<is_identity<T, Op>(T(0))>; } &&
                         (is_identity<T, Op>(T(0)) || is_identity<T, Op>(T(1)) ||
                          (std::is_integral_v<T> && is_identity<T, Op>(static_cast<T>(-1))));
template <class T, class Op>
inline constexpr bool is_identity_known = identity_known<T, Op>;
template <class T, class Op>
inline constexpr T identity_of = is_identity<T, Op>(T(0))   ? T(0)
                                 : is_identity<T, Op>(T(1)) ? T(1)
                                                            : static_cast<T>(-1);
}  // namespace detail::vectors

/// op of all lanes, which is associative and commutative: lane i with lane i + h, where h is the
/// largest power of two below the number of lanes, and so on with the first h lanes. Operations
/// with a member type is_transparent (std::plus<>) take vectors, others two lanes at a time.
HPK_CALLS_EITHER
template <class T, class Abi, class Op = simd_plus<>>
  requires(!detail::vectors::is_simd_mask_v<Op>)
HPK_FORCEINLINE_FUNCTION constexpr T reduce(const basic_simd<T, Abi>& v, Op op = {}) {
  return detail::vectors::fold_lanes(v, op);
}
/// op of the lanes where the mask is set: the others take part as `identity`. If none is set, the
/// result is `identity`, whatever op makes of it. It is known for sums, products, and, or, xor.
HPK_CALLS_EITHER
template <class T, class Abi, class Op = simd_plus<>>
  requires(!std::is_convertible_v<Op, T>)
HPK_FORCEINLINE_FUNCTION constexpr T reduce(const basic_simd<T, Abi>& v,
                                            const typename basic_simd<T, Abi>::mask_type& m,
                                            Op op = {}) {
  static_assert(detail::vectors::is_identity_known<T, Op>,
                "hpk::reduce: the identity of this operation is not known; write "
                "reduce(v, mask, op, identity)");
  return hpk::reduce(hpk::select(m, v, basic_simd<T, Abi>(detail::vectors::identity_of<T, Op>)),
                     op);
}
HPK_CALLS_EITHER
template <class T, class Abi, class Op>
  requires(!std::is_convertible_v<Op, T>)
HPK_FORCEINLINE_FUNCTION constexpr T reduce(const basic_simd<T, Abi>& v,
                                            const typename basic_simd<T, Abi>::mask_type& m, Op op,
                                            const std::type_identity_t<T>& identity) {
  if (none_of(m)) return identity;
  return hpk::reduce(hpk::select(m, v, basic_simd<T, Abi>(identity)), op);
}
/// The older order of the arguments.
HPK_CALLS_EITHER
template <class T, class Abi, class Op = simd_plus<>>
  requires(!std::is_convertible_v<Op, T>)
HPK_FORCEINLINE_FUNCTION constexpr T reduce(const basic_simd<T, Abi>& v,
                                            const typename basic_simd<T, Abi>::mask_type& m,
                                            const std::type_identity_t<T>& identity, Op op = {}) {
  return hpk::reduce(v, m, op, identity);
}

namespace detail::vectors {
struct simd_min {
  using is_transparent = void;
  template <class A>
  HPK_FORCEINLINE_FUNCTION constexpr A operator()(const A& a, const A& b) const {
    return hpk::min(a, b);
  }
};
struct simd_max {
  using is_transparent = void;
  template <class A>
  HPK_FORCEINLINE_FUNCTION constexpr A operator()(const A& a, const A& b) const {
    return hpk::max(a, b);
  }
};
template <class T>
constexpr T find_lane_limit(bool largest) {
  if constexpr (std::is_floating_point_v<T> && HPK_HAS_INFINITIES) {
    return largest ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  } else {
    return largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  }
}
template <class T>
inline constexpr T largest_lane = find_lane_limit<T>(true);
template <class T>
inline constexpr T smallest_lane = find_lane_limit<T>(false);
}  // namespace detail::vectors

/// The smallest and the largest lane; without NaNs. Of those where the mask is set; if none is,
/// infinity of floating lanes (with -ffast-math or HPK_PERMISSIVE the largest number) and the
/// largest integer, with the other sign or the smallest for max.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr T reduce_min(const basic_simd<T, Abi>& v) {
  return hpk::reduce(v, detail::vectors::simd_min());
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr T reduce_max(const basic_simd<T, Abi>& v) {
  return hpk::reduce(v, detail::vectors::simd_max());
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr T reduce_min(const basic_simd<T, Abi>& v,
                                                const typename basic_simd<T, Abi>::mask_type& m) {
  if constexpr (HPK_PERMISSIVE != 0) {
    constexpr T none = std::numeric_limits<T>::max();
    if (none_of(m)) return none;
  }
  return hpk::reduce_min(hpk::select(m, v, basic_simd<T, Abi>(detail::vectors::largest_lane<T>)));
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr T reduce_max(const basic_simd<T, Abi>& v,
                                                const typename basic_simd<T, Abi>::mask_type& m) {
  if constexpr (HPK_PERMISSIVE != 0) {
    constexpr T none = std::numeric_limits<T>::lowest();
    if (none_of(m)) return none;
  }
  return hpk::reduce_max(hpk::select(m, v, basic_simd<T, Abi>(detail::vectors::smallest_lane<T>)));
}

}  // namespace hpk
