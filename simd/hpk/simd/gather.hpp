// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of elements anywhere in a range: gather and scatter by a vector of indices, also
// with a mask; and conversion between structures of M equal members and M vectors (interleaved).
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/simd/memory.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

namespace detail::vectors {
/// V, or, if V is void, a vector of the element type with as many lanes as there are indices.
template <class V, class U, class I, class Abi>
using gathered_t = typename std::conditional_t<std::is_void_v<V>, type_identity<basic_simd<U, Abi>>,
                                               type_identity<V>>::type;

template <class V, class Abi>
HPK_FUNCTION constexpr void check_indices() {
  static_assert(V::size() == lanes_of_abi<Abi>,
                "hpk: a gather or scatter needs one index per lane; write indices of V::size() "
                "lanes, as simd<int, V::size()>");
}
/// Returns the index in a lane as an offset in elements.
template <class I, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr std::ptrdiff_t place(const basic_simd<I, Abi>& indices, int i) {
  return static_cast<std::ptrdiff_t>(parts_of(indices).lane(i));
}
}  // namespace detail::vectors

/// Returns a vector whose lane i is from[indices[i]]. Precondition: all elements exist.
template <class V = void, class U, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_gather_from(const U* from,
                                                              const basic_simd<I, Abi>& indices,
                                                              simd_flags<F...> = {}) {
  using to = detail::vectors::gathered_t<V, U, I, Abi>;
  using T = typename to::value_type;
  detail::vectors::check_indices<to, Abi>();
  detail::vectors::check_conversion<U, T, F...>();
  return to([&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) {
    return static_cast<T>(from[detail::vectors::place(indices, static_cast<int>(i()))]);
  });
}
/// Gathers the lanes where the mask is set; the others are zero, and their elements need not exist.
template <class V = void, class U, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_gather_from(
    const U* from, const typename detail::vectors::gathered_t<V, U, I, Abi>::mask_type& m,
    const basic_simd<I, Abi>& indices, simd_flags<F...> = {}) {
  using to = detail::vectors::gathered_t<V, U, I, Abi>;
  using T = typename to::value_type;
  detail::vectors::check_indices<to, Abi>();
  detail::vectors::check_conversion<U, T, F...>();
  return to([&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) {
    return m[i()] ? static_cast<T>(from[detail::vectors::place(indices, static_cast<int>(i()))])
                  : T();
  });
}
/// Stores lane i to to[indices[i]]; among equal indices the last lane wins. Precondition: all
/// elements exist.
template <class T, class A, class U, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_scatter_to(const basic_simd<T, A>& v, U* to,
                                                             const basic_simd<I, Abi>& indices,
                                                             simd_flags<F...> = {}) {
  detail::vectors::check_indices<basic_simd<T, A>, Abi>();
  detail::vectors::check_conversion<T, U, F...>();
  const auto& p = detail::vectors::parts_of(v);
  HPK_DETAIL_PARTS(detail::vectors::lanes_of_abi<A>,
                   to[detail::vectors::place(indices, k)] = static_cast<U>(p.lane(k)))
}
/// Scatters the lanes where the mask is set.
template <class T, class A, class U, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_scatter_to(
    const basic_simd<T, A>& v, U* to, const typename basic_simd<T, A>::mask_type& m,
    const basic_simd<I, Abi>& indices, simd_flags<F...> = {}) {
  detail::vectors::check_indices<basic_simd<T, A>, Abi>();
  detail::vectors::check_conversion<T, U, F...>();
  const auto& p = detail::vectors::parts_of(v);
  const auto& pm = detail::vectors::parts_of(m);
  HPK_DETAIL_PARTS(detail::vectors::lanes_of_abi<A>,
                   pm.lane(k) != 0
                       ? void(to[detail::vectors::place(indices, k)] = static_cast<U>(p.lane(k)))
                       : void())
}

namespace detail::vectors {
/// Returns a mask of the lanes whose index is in a range of `size` elements and that are set in m.
template <class V, class I, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto lanes_within(const basic_simd<I, Abi>& indices,
                                                     std::size_t size,
                                                     const typename V::mask_type& m) {
  return typename V::mask_type([&](auto i) {
    const auto at = place(indices, static_cast<int>(i()));
    return m[i()] && at >= 0 && static_cast<std::size_t>(at) < size;
  });
}
template <class V, class I, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr void check_places(const basic_simd<I, Abi>& indices,
                                                     std::size_t size,
                                                     const typename V::mask_type& m) {
  if constexpr (simd_checks) {
    for (int i = 0; i < lanes_of_abi<Abi>; ++i)
      if (m[static_cast<std::size_t>(i)]) check_index(place(indices, i), size, i);
  }
}
}  // namespace detail::vectors

/// Gather from and scatter to ranges, which have data() and size(). An index outside the range is
/// an error in checked builds. The partial forms skip such lanes: they gather zeros and store
/// nothing.
///@{
template <class V = void, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_gather_from(const R& from,
                                                              const basic_simd<I, Abi>& indices,
                                                              simd_flags<F...> flags = {}) {
  using to = detail::vectors::gathered_t<V, detail::vectors::range_element_t<const R>, I, Abi>;
  detail::vectors::check_places<to>(indices, static_cast<std::size_t>(from.size()),
                                    typename to::mask_type(true));
  return hpk::unchecked_gather_from<to>(from.data(), indices, flags);
}
template <class V = void, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_gather_from(
    const R& from,
    const typename detail::vectors::gathered_t<V, detail::vectors::range_element_t<const R>, I,
                                               Abi>::mask_type& m,
    const basic_simd<I, Abi>& indices, simd_flags<F...> flags = {}) {
  using to = detail::vectors::gathered_t<V, detail::vectors::range_element_t<const R>, I, Abi>;
  detail::vectors::check_places<to>(indices, static_cast<std::size_t>(from.size()), m);
  return hpk::unchecked_gather_from<to>(from.data(), m, indices, flags);
}
template <class V = void, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto partial_gather_from(
    const R& from,
    const typename detail::vectors::gathered_t<V, detail::vectors::range_element_t<const R>, I,
                                               Abi>::mask_type& m,
    const basic_simd<I, Abi>& indices, simd_flags<F...> flags = {}) {
  using to = detail::vectors::gathered_t<V, detail::vectors::range_element_t<const R>, I, Abi>;
  return hpk::unchecked_gather_from<to>(
      from.data(),
      detail::vectors::lanes_within<to>(indices, static_cast<std::size_t>(from.size()), m), indices,
      flags);
}
template <class V = void, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr auto partial_gather_from(const R& from,
                                                            const basic_simd<I, Abi>& indices,
                                                            simd_flags<F...> flags = {}) {
  using to = detail::vectors::gathered_t<V, detail::vectors::range_element_t<const R>, I, Abi>;
  return hpk::partial_gather_from<to>(from, typename to::mask_type(true), indices, flags);
}
template <class T, class A, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_scatter_to(const basic_simd<T, A>& v, R&& to,
                                                             const basic_simd<I, Abi>& indices,
                                                             simd_flags<F...> flags = {}) {
  using from = basic_simd<T, A>;
  detail::vectors::check_places<from>(indices, static_cast<std::size_t>(to.size()),
                                      typename from::mask_type(true));
  hpk::unchecked_scatter_to(v, to.data(), indices, flags);
}
template <class T, class A, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_scatter_to(
    const basic_simd<T, A>& v, R&& to, const typename basic_simd<T, A>::mask_type& m,
    const basic_simd<I, Abi>& indices, simd_flags<F...> flags = {}) {
  detail::vectors::check_places<basic_simd<T, A>>(indices, static_cast<std::size_t>(to.size()), m);
  hpk::unchecked_scatter_to(v, to.data(), m, indices, flags);
}
template <class T, class A, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr void partial_scatter_to(
    const basic_simd<T, A>& v, R&& to, const typename basic_simd<T, A>::mask_type& m,
    const basic_simd<I, Abi>& indices, simd_flags<F...> flags = {}) {
  using from = basic_simd<T, A>;
  hpk::unchecked_scatter_to(
      v, to.data(),
      detail::vectors::lanes_within<from>(indices, static_cast<std::size_t>(to.size()), m), indices,
      flags);
}
template <class T, class A, detail::vectors::simd_range R, class I, class Abi, class... F>
  requires std::is_integral_v<I>
HPK_FORCEINLINE_FUNCTION constexpr void partial_scatter_to(const basic_simd<T, A>& v, R&& to,
                                                           const basic_simd<I, Abi>& indices,
                                                           simd_flags<F...> flags = {}) {
  hpk::partial_scatter_to(v, to, typename basic_simd<T, A>::mask_type(true), indices, flags);
}
///@}

/// Load M vectors from V::size() structures of M members each: lane i of vector m is from[M * i +
/// m]; and store them back.
///@{
template <class V, int M, class U>
HPK_FORCEINLINE_FUNCTION constexpr Array<V, static_cast<std::size_t>(M)> load_interleaved(
    const U* from) {
  Array<V, static_cast<std::size_t>(M)> r{};
  for (int m = 0; m < M; ++m)
    r[static_cast<std::size_t>(m)] = V([&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) {
      return static_cast<typename V::value_type>(from[M * static_cast<int>(i()) + m]);
    });
  return r;
}
template <class V, std::size_t M, class U>
HPK_FORCEINLINE_FUNCTION constexpr void store_interleaved(const Array<V, M>& vs, U* to) {
  for (std::size_t m = 0; m < M; ++m) {
    const auto& p = detail::vectors::parts_of(vs[m]);
    HPK_DETAIL_PARTS(V::size(), to[M * static_cast<std::size_t>(k) + m] = static_cast<U>(p.lane(k)))
  }
}
///@}

}  // namespace hpk
