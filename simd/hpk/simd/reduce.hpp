// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of all lanes of a vector, or of the lanes that a mask selects, to one number: reduce,
// reduce_min, reduce_max. The order of the operations depends only on the number of lanes, so all
// processors give the same bits.
#pragma once

#include <hpk/simd/select.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace hpk {

/// Returns a + b; the default operation of reduce.
template <class T = void>
struct simd_plus {
  using is_transparent = void;  ///< Lets reduce pass whole vectors.
  /// For numbers and vectors.
  HPK_CALLS_EITHER
  template <class A>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const A& a, const A& b) const {
    return a + b;
  }
};

namespace detail::vectors {

/// Returns the largest power of two below n.
constexpr int half_lanes(int n) {
  int half = 1;
  while (2 * half < n) half *= 2;
  return half;
}

/// Whether an operation is declared transparent (takes operands of any type) and can be called with
/// vectors.
template <class Op, class V>
concept takes_vectors = requires { typename Op::is_transparent; } && requires(Op& op, const V& v) {
  { op(v, v) } -> std::convertible_to<V>;
};

/// Returns lanes First to First + N - 1.
template <int First, int N, class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr simd<T, N> lanes_from(const basic_simd<T, Abi>& v) {
  using to = simd_parts<T, N>;
  const auto& from = parts_of(v);
  using of = std::remove_cvref_t<decltype(from)>;
  to r{};
  if constexpr (to::width == of::width && First % to::width == 0) {
    HPK_DETAIL_PARTS(to::count, r.v[k] = from.v[First / to::width + k])
  } else if constexpr (to::width < of::width && First % to::width == 0) {
    // Each part of the result is within one part of the vector, because First is a multiple of its
    // width.
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

/// Combines lane i with lane i + half, then folds the first half in the same way.
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

/// Returns whether op(identity, x) is x for several representative values x of T.
template <class T, class Op>
constexpr bool is_identity(T identity) {
  Op op{};
  using limits = std::numeric_limits<T>;
  for (const T x : {T(1), T(2), T(3), limits::lowest(), limits::max()})
    if (!(static_cast<T>(op(identity, x)) == x)) return false;
  return true;
}
/// An operation without state that can be evaluated at compile time, and whose identity is 0, 1 or
/// the number with all bits set. Trying these three finds the identity of sums, products and bit
/// operations.
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

/// Returns op over all lanes: combines lane i with lane i + h, where h is the largest power of two
/// below the number of lanes, then the first h lanes in the same way. op is associative and
/// commutative. It takes whole vectors if it has a member type is_transparent (as std::plus<> has),
/// else two lanes at a time.
HPK_CALLS_EITHER
template <class T, class Abi, class Op = simd_plus<>>
  requires(!detail::vectors::is_simd_mask_v<Op>)
HPK_FORCEINLINE_FUNCTION constexpr T reduce(const basic_simd<T, Abi>& v, Op op = {}) {
  return detail::vectors::fold_lanes(v, op);
}
/// Returns op over the lanes where the mask is set; `identity` replaces the others. If none is set,
/// the result is `identity` itself. The identity is known for sums, products, and, or, xor.
///@{
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
///@}
/// The same with the identity before the operation, as in older versions of Kokkos.
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

/// Return the smallest and the largest lane. Precondition: no lane is a NaN. With a mask they take
/// only the lanes where it is set. If none is set, reduce_min returns infinity (with -ffast-math or
/// HPK_PERMISSIVE the largest finite number) for floating lanes and the largest integer for
/// integers; reduce_max returns their counterparts, -infinity, the lowest number, or the smallest
/// integer.
///@{
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
///@}

}  // namespace hpk
