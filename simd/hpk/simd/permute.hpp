// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move lanes within registers: permute by a rule or by indices, compress and expand
// by a mask, cat, chunk and extract, iota, bit_cast of vectors.
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/simd/reduce.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk {

/// Values that the rule of a permutation may return instead of a lane: zero_element for a zero, and
/// uninit_element for an unspecified value (it is zero).
///@{
inline constexpr int zero_element = -1;
inline constexpr int uninit_element = -2;
///@}

namespace detail::vectors {

/// Returns the source lane that a rule gives for lane I: rule(I), or rule(I, Size).
HPK_CALLS_EITHER
template <int I, int N, int Size, class Rule>
HPK_FORCEINLINE_FUNCTION constexpr int source_lane(const Rule& rule) {
  if constexpr (requires { rule(I, Size); }) {
    return static_cast<int>(rule(I, Size));
  } else {
    return static_cast<int>(rule(I));
  }
}
template <class Rule>
concept lane_rule = requires(const Rule& rule) {
  { rule(0) } -> std::convertible_to<int>;
} || requires(const Rule& rule) {
  { rule(0, 1) } -> std::convertible_to<int>;
};

HPK_CALLS_EITHER
template <class T, int From, int... J, class P, class Rule>
HPK_FORCEINLINE_FUNCTION constexpr auto permute_part(P p, const Rule&,
                                                     std::integer_sequence<int, J...>) {
  // A new object of the rule, so that its results are constants; the rule has no state.
  return HPK_DETAIL_SHUFFLE(p, P{},
                            (source_lane<J, sizeof...(J), From>(Rule{}) < 0
                                 ? From + J % From
                                 : source_lane<J, sizeof...(J), From>(Rule{}))...);
}
template <class Rule>
concept constant_rule = std::is_empty_v<Rule> && std::is_default_constructible_v<Rule>;

}  // namespace detail::vectors

/// Returns a vector whose lane i is lane rule(i), or rule(i, V::size()), of v; zero where the rule
/// returns zero_element. The result has N lanes, without N as many as v. If the rule has no
/// captures and may be called in constant expressions, the permutation is one or a few
/// instructions.
HPK_CALLS_EITHER
template <int N = 0, class T, class Abi, detail::vectors::lane_rule Rule>
HPK_FORCEINLINE_FUNCTION constexpr auto permute(const basic_simd<T, Abi>& v, const Rule& rule) {
  constexpr int from = detail::vectors::lanes_of_abi<Abi>;
  constexpr int n = N == 0 ? from : N;
  using to = std::conditional_t<n == from, basic_simd<T, Abi>, simd<T, n>>;
  const auto& p = detail::vectors::parts_of(v);
  using parts = std::remove_cvref_t<decltype(p)>;
  if constexpr (n == from && parts::count == 1 && parts::width > 1 &&
                detail::vectors::constant_rule<Rule>) {
    return to(
        detail::vectors::permute_part<T, from>(p.v[0], rule, std::make_integer_sequence<int, n>()));
  } else {
    return to([&](auto i) {
      const int lane =
          detail::vectors::source_lane<static_cast<int>(decltype(i)::value), n, from>(rule);
      if (lane < 0) return T();
      detail::vectors::check_source(lane, from, static_cast<int>(i()));
      return p.lane(lane);
    });
  }
}

/// Returns a vector whose lane i is lane indices[i] of v. Precondition: each index is from 0 to the
/// number of lanes of v minus 1.
template <class T, class Abi, class I, class A>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto permute(const basic_simd<T, Abi>& v,
                                                const basic_simd<I, A>& indices) {
  constexpr int from = detail::vectors::lanes_of_abi<Abi>;
  constexpr int n = detail::vectors::lanes_of_abi<A>;
  using to = std::conditional_t<std::is_same_v<Abi, A>, basic_simd<T, Abi>, simd<T, n>>;
  const auto& p = detail::vectors::parts_of(v);
  using parts = std::remove_cvref_t<decltype(p)>;
  if constexpr (detail::vectors::simd_checks) {
    for (int i = 0; i < n; ++i)
      detail::vectors::check_source(static_cast<long long>(indices[static_cast<std::size_t>(i)]),
                                    from, i);
  }
  if constexpr (detail::vectors::simd_picks && n == from && parts::count == 1 && parts::width > 1) {
    if (!__builtin_is_constant_evaluated()) {
      using index = detail::vectors::mask_lane_t<T>;
      const auto picked = detail::vectors::convert<index>(detail::vectors::parts_of(indices));
      return to(HPK_DETAIL_PICK(p.v[0], picked.v[0]));
    }
  }
  return to([&](auto i) { return p.lane(static_cast<int>(indices[i()])); });
}

/// Moves the lanes where the mask is set to the front, in their order; the remaining lanes are
/// `fill`.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> compress(
    const basic_simd<T, Abi>& v, const typename basic_simd<T, Abi>::mask_type& m,
    const std::type_identity_t<T>& fill = T()) {
  constexpr int n = detail::vectors::lanes_of_abi<Abi>;
  // One more element: lanes that are not set are written to it, which avoids a branch.
  T to[std::size_t{n} + 1] = {};
  for (int i = 0; i < n; ++i) to[i] = fill;
  int next = 0;
  const auto bits = m.to_ullong();
  const auto& p = detail::vectors::parts_of(v);
  for (int i = 0; i < n; ++i) {
    const bool set = (bits >> i & 1) != 0;
    to[set ? next : n] = p.lane(i);
    next += set ? 1 : 0;
  }
  return hpk::unchecked_load<basic_simd<T, Abi>>(static_cast<const T*>(to));
}
/// Moves the first lanes, in their order, to the lanes where the mask is set; the others are the
/// lanes of `original`, by default zeros.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> expand(
    const basic_simd<T, Abi>& v, const typename basic_simd<T, Abi>::mask_type& m,
    const std::type_identity_t<basic_simd<T, Abi>>& original = {}) {
  constexpr int n = detail::vectors::lanes_of_abi<Abi>;
  T to[std::size_t{n}] = {};
  int next = 0;
  const auto bits = m.to_ullong();
  const auto& p = detail::vectors::parts_of(v);
  for (int i = 0; i < n; ++i) {
    const bool set = (bits >> i & 1) != 0;
    to[i] = set ? p.lane(next) : original[static_cast<std::size_t>(i)];
    next += set ? 1 : 0;
  }
  return hpk::unchecked_load<basic_simd<T, Abi>>(static_cast<const T*>(to));
}

namespace detail::vectors {
/// Concatenates the lanes of several vectors through memory.
template <class T, class... Abis>
HPK_FORCEINLINE_FUNCTION constexpr auto join_all(const basic_simd<T, Abis>&... vs) {
  constexpr int n = (lanes_of_abi<Abis> + ...);
  T all[std::size_t{n}] = {};
  T* to = all;
  ((hpk::unchecked_store(vs, to), to += lanes_of_abi<Abis>), ...);
  return hpk::unchecked_load<simd<T, n>>(static_cast<const T*>(all));
}
}  // namespace detail::vectors

/// Concatenates the lanes of several vectors with the same lane type, up to 64 lanes.
template <class T, class... Abis>
HPK_FORCEINLINE_FUNCTION constexpr auto cat(const basic_simd<T, Abis>&... vs) {
  if constexpr (sizeof...(Abis) == 2) {
    constexpr int n = (detail::vectors::lanes_of_abi<Abis> + ...);
    const auto join = [](const auto& a, const auto& b) {
      constexpr int na = std::remove_cvref_t<decltype(a)>::size();
      constexpr int nb = std::remove_cvref_t<decltype(b)>::size();
      using wide = detail::vectors::simd_parts<T, n>;
      using half = detail::vectors::simd_parts<T, na>;
      if constexpr (na == nb && wide::count == 1 && half::count == 1 && half::width > 1) {
        return simd<T, n>(detail::vectors::join_lanes(detail::vectors::parts_of(a).v[0],
                                                      detail::vectors::parts_of(b).v[0],
                                                      std::make_integer_sequence<int, n>()));
      } else {
        return detail::vectors::join_all(a, b);
      }
    };
    return join(vs...);
  } else {
    return detail::vectors::join_all(vs...);
  }
}

/// Divides a vector into an Array of vectors of N lanes each. N divides the number of lanes.
template <int N, class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto chunk(const basic_simd<T, Abi>& v) {
  constexpr int n = detail::vectors::lanes_of_abi<Abi>;
  static_assert(N >= 1 && n % N == 0,
                "hpk::chunk: pieces of N lanes must divide the vector; write extract<First, N>(v) "
                "for the rest");
  return [&]<int... K> HPK_DETAIL_ALWAYS_INLINE_LAMBDA(std::integer_sequence<int, K...>) {
    return Array<simd<T, N>, std::size_t{n / N}>{{detail::vectors::lanes_from<K * N, N>(v)...}};
  }(std::make_integer_sequence<int, n / N>());
}
/// Returns lanes First to First + N - 1.
template <int First, int N, class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr simd<T, N> extract(const basic_simd<T, Abi>& v) {
  static_assert(First >= 0 && N >= 1 && First + N <= detail::vectors::lanes_of_abi<Abi>,
                "hpk::extract<First, N>: the vector has no such lanes; write First + N at most its "
                "size");
  return detail::vectors::lanes_from<First, N>(v);
}

/// Returns first, first + step, first + 2 * step, ...
template <class V>
HPK_FORCEINLINE_FUNCTION constexpr V iota(typename V::value_type first = 0,
                                          typename V::value_type step = 1) {
  using T = typename V::value_type;
  return V(first) + V([](auto i) { return static_cast<T>(i()); }) * V(step);
}

/// Reinterprets the bits of a vector as lanes of U, as many as fill its bytes.
template <class U, class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_bit_cast(const basic_simd<T, Abi>& v) {
  constexpr int n = detail::vectors::lanes_of_abi<Abi>;
  constexpr bool fills = n * sizeof(T) % sizeof(U) == 0;
  static_assert(fills,
                "hpk::simd_bit_cast: lanes of U do not fill the bytes of the vector; write a "
                "vector with another number of lanes");
  if constexpr (fills) {
    constexpr int to = static_cast<int>(n * sizeof(T) / sizeof(U));
    using result = std::conditional_t<to == n, basic_simd<U, Abi>, simd<U, to>>;
    using parts = detail::vectors::simd_parts<U, to>;
    return detail::vectors::simd_access::make<result>(
        __builtin_bit_cast(parts, detail::vectors::parts_of(v)));
  }
}

}  // namespace hpk
