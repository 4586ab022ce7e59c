// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that call one body with whole vectors and with the remaining indices: simd_for, and
// simd_reduce, which combines the results of the body. Both are plain loops of the calling thread
// and may run in kernels.
#pragma once

#include <hpk/simd/span.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

/// Type of simd_scalar_rest.
struct simd_scalar_rest_t {};
/// Type of simd_masked_rest.
struct simd_masked_rest_t {};
/// How simd_for handles the indices after the last whole vector. simd_scalar_rest, the default,
/// calls the body with N / 2, N / 4, ..., 1 indices, or with one at a time if N is above 16 or not
/// a power of two. simd_masked_rest calls it once, with a vector of which only the first lanes
/// count.
///@{
inline constexpr simd_scalar_rest_t simd_scalar_rest{};
inline constexpr simd_masked_rest_t simd_masked_rest{};
///@}

namespace detail::vectors {

/// The number of lanes for a template argument: of the vector type, or of the native vector of a
/// number type.
template <class T>
inline constexpr int lanes_for = native_lanes<T>;
template <class T, class Abi>
inline constexpr int lanes_for<basic_simd<T, Abi>> = lanes_of_abi<Abi>;

/// A range that TeamThreadRange or a similar function returns; simd/ does not include their header.
template <class R>
concept range_of_team = requires(R& r) {
  r.member;
  r.begin = 0;
  r.end = 0;
};

template <class R>
concept simd_rest = std::is_same_v<R, simd_scalar_rest_t> || std::is_same_v<R, simd_masked_rest_t>;

/// Runs the rest of a loop, fewer than 2 * N indices: N at once, then N / 2, and so on.
HPK_CALLS_EITHER
template <int N, class F>
HPK_FORCEINLINE_FUNCTION constexpr void simd_rest_of(std::ptrdiff_t i, std::ptrdiff_t end,
                                                     const F& body) {
  if (end - i >= N) {
    body(simd_index<N>(i));
    i += N;
  }
  if constexpr (N > 1) simd_rest_of<N / 2>(i, end, body);
}

HPK_CALLS_EITHER
template <int N, class Rest, class F>
HPK_FORCEINLINE_FUNCTION constexpr void simd_loop(std::ptrdiff_t begin, std::ptrdiff_t end,
                                                  const F& body) {
  std::ptrdiff_t i = begin;
  HPK_UNROLL_LOOP
  for (; end - i >= N; i += N) body(simd_index<N>(i));
  if constexpr (N > 1) {
    if constexpr (std::is_same_v<Rest, simd_masked_rest_t>) {
      if (i < end) body(simd_index<N, true>(i, static_cast<int>(end - i)));
    } else if constexpr (N <= 16 && (N & (N - 1)) == 0) {
      simd_rest_of<N / 2>(i, end, body);
    } else {
      for (; i < end; ++i) body(simd_index<1>(i));
    }
  }
}

/// Converts a vector, or an object of a class derived from one, to basic_simd.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> plain_simd(const basic_simd<T, Abi>& v) {
  return v;
}

HPK_CALLS_EITHER
template <class V, class Op>
HPK_FORCEINLINE_FUNCTION constexpr V combine(const V& a, const V& b, Op& op) {
  if constexpr (takes_vectors<Op, V>) {
    return V(op(a, b));
  } else {
    return V([&](auto i) { return op(a[i()], b[i()]); });
  }
}

/// Folds four vectors at a time, so that operations need not wait for the previous ones.
HPK_CALLS_EITHER
template <int N, class F, class Op, class T>
HPK_FORCEINLINE_FUNCTION constexpr T simd_fold(std::ptrdiff_t begin, std::ptrdiff_t end,
                                               const F& body, Op& op, T identity) {
  using V = simd<T, N>;
  std::ptrdiff_t i = begin;
  V a(identity);
  if (end - i >= 4 * N) {
    V b = a;
    V c = a;
    V d = a;
    for (; end - i >= 4 * N; i += 4 * N) {
      a = combine(a, plain_simd(body(simd_index<N>(i))), op);
      b = combine(b, plain_simd(body(simd_index<N>(i + N))), op);
      c = combine(c, plain_simd(body(simd_index<N>(i + 2 * N))), op);
      d = combine(d, plain_simd(body(simd_index<N>(i + 3 * N))), op);
    }
    a = combine(combine(a, b, op), combine(c, d, op), op);
  }
  for (; end - i >= N; i += N) a = combine(a, plain_simd(body(simd_index<N>(i))), op);
  T result = hpk::reduce(a, op);
  if constexpr (N > 1) {
    for (; i < end; ++i) result = static_cast<T>(op(result, plain_simd(body(simd_index<1>(i)))[0]));
  }
  return result;
}
template <class F>
using body_lane_t = typename decltype(plain_simd(
    std::declval<const F&>()(std::declval<simd_index<1>>())))::value_type;
template <class T, class Op>
HPK_FUNCTION constexpr T need_identity() {
  static_assert(is_identity_known<T, Op>,
                "hpk::simd_reduce: the identity of this operation is not known; write "
                "simd_reduce<T>(begin, end, body, op, identity)");
  return identity_of<T, Op>;
}
}  // namespace detail::vectors

/// Calls body(simd_index<N>) for begin, begin + N, ... while at least N indices are left, then for
/// the rest with fewer indices, down to simd_index<1>, or, with simd_masked_rest, once with a
/// simd_index<N, true>. The body is generic (auto i), reads and writes elements as x[i] of a
/// simd_span, and may be called from a kernel. N is given directly, or as the lanes of a vector
/// type, or of the native vector of T:
HPK_CALLS_EITHER
template <int N, class F, class Rest = simd_scalar_rest_t>
  requires detail::vectors::simd_rest<Rest>
HPK_FORCEINLINE_FUNCTION constexpr void simd_for(std::ptrdiff_t begin, std::ptrdiff_t end,
                                                 const F& body, Rest = {}) {
  detail::vectors::simd_loop<N, Rest>(begin, end, body);
}
HPK_CALLS_EITHER
template <class T, class F, class Rest = simd_scalar_rest_t>
  requires detail::vectors::simd_rest<Rest>
HPK_FORCEINLINE_FUNCTION constexpr void simd_for(std::ptrdiff_t begin, std::ptrdiff_t end,
                                                 const F& body, Rest = {}) {
  detail::vectors::simd_loop<detail::vectors::lanes_for<T>, Rest>(begin, end, body);
}

/// Runs the loop over a range of a team (TeamThreadRange, TeamVectorRange, ThreadVectorRange),
/// whose threads and lanes divide the vectors among themselves. In kernels of GPUs, where a vector
/// has one lane, it is parallel_for with a simd_index. The rules for calling parallel_for over the
/// range apply.
HPK_CALLS_EITHER
template <class T, class Range, class F>
  requires detail::vectors::range_of_team<Range>
HPK_FORCEINLINE_FUNCTION void simd_for(const Range& range, const F& body) {
  constexpr int n = detail::vectors::lanes_for<T>;
  const auto begin = static_cast<std::ptrdiff_t>(range.begin);
  const auto end = static_cast<std::ptrdiff_t>(range.end);
  Range blocks = range;
  blocks.begin = 0;
  blocks.end = static_cast<decltype(blocks.end)>(end > begin ? (end - begin + n - 1) / n : 0);
  parallel_for(blocks, [&](typename Range::index_type k) {
    const std::ptrdiff_t first = begin + static_cast<std::ptrdiff_t>(k) * n;
    if (end - first >= n)
      body(simd_index<n>(first));
    else
      detail::vectors::simd_loop<n, simd_scalar_rest_t>(first, end, body);
  });
}

/// Returns op over all values that the body returns for begin to end - 1, as vectors, and for the
/// rest as vectors of one lane; without op the sum. `identity` is the result of an empty range; it
/// is known for sums, products, and, or, xor. op is associative and commutative; the order of its
/// calls depends only on N and the range.
///@{
HPK_CALLS_EITHER
template <int N, class F, class Op = simd_plus<>>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_reduce(std::ptrdiff_t begin, std::ptrdiff_t end,
                                                    const F& body, Op op = {}) {
  using R = detail::vectors::body_lane_t<F>;
  return detail::vectors::simd_fold<N>(begin, end, body, op,
                                       detail::vectors::need_identity<R, Op>());
}
HPK_CALLS_EITHER
template <int N, class F, class Op>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_reduce(
    std::ptrdiff_t begin, std::ptrdiff_t end, const F& body, Op op,
    const std::type_identity_t<detail::vectors::body_lane_t<F>>& identity) {
  return detail::vectors::simd_fold<N>(begin, end, body, op, identity);
}
HPK_CALLS_EITHER
template <class T, class F, class Op = simd_plus<>>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_reduce(std::ptrdiff_t begin, std::ptrdiff_t end,
                                                    const F& body, Op op = {}) {
  using R = detail::vectors::body_lane_t<F>;
  return detail::vectors::simd_fold<detail::vectors::lanes_for<T>>(
      begin, end, body, op, detail::vectors::need_identity<R, Op>());
}
HPK_CALLS_EITHER
template <class T, class F, class Op>
HPK_FORCEINLINE_FUNCTION constexpr auto simd_reduce(
    std::ptrdiff_t begin, std::ptrdiff_t end, const F& body, Op op,
    const std::type_identity_t<detail::vectors::body_lane_t<F>>& identity) {
  return detail::vectors::simd_fold<detail::vectors::lanes_for<T>>(begin, end, body, op, identity);
}
///@}

}  // namespace hpk
