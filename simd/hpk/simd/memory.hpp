// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of contiguous memory: unchecked_load and unchecked_store of all lanes, the same
// with a mask, and partial_load and partial_store of as many elements as the range has. flags.hpp
// has the flags.
#pragma once

#include <hpk/simd/vector.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk::detail::vectors {

/// A contiguous range that knows its size: arrays, spans, Views of rank 1.
template <class R>
concept simd_range = requires(R& r) {
  { *r.data() };
  { r.size() } -> std::convertible_to<std::size_t>;
};
template <class R>
using range_element_t = std::remove_cvref_t<decltype(*std::declval<R&>().data())>;

/// V, or, if V is void, the native vector of the element type.
template <class V, class U>
using loaded_t =
    typename std::conditional_t<std::is_void_v<V>, type_identity<simd<U>>, type_identity<V>>::type;

template <class From, class To, class... F>
HPK_FUNCTION constexpr void check_conversion() {
  static_assert(keeps_values<From, To> || has_convert_flag<F...>,
                "hpk: a load or store converts to a type that does not have every value; write "
                "flag_convert if that is meant");
}

/// Loads N elements. If Aligned, the address has the alignment of the parts.
template <class T, int N, bool Aligned>
HPK_FORCEINLINE_FUNCTION constexpr simd_parts<T, N> load_parts(const T* p) {
  using parts = simd_parts<T, N>;
  if constexpr (parts::width == 1) {
    parts r{};
    HPK_DETAIL_PARTS(N, r.v[k] = p[k])
    return r;
  } else {
    if (__builtin_is_constant_evaluated()) return make_parts<T, N>([&](auto i) { return p[i()]; });
    using unaligned = typename simd_register<T, parts::width>::unaligned;
    using aligned = typename parts::part;
    parts r;
    if constexpr (Aligned) {
      HPK_DETAIL_PARTS(parts::count,
                       r.v[k] = *reinterpret_cast<const aligned*>(p + k * parts::width))
    } else {
      HPK_DETAIL_PARTS(parts::count,
                       r.v[k] = *reinterpret_cast<const unaligned*>(p + k * parts::width))
    }
    return r;
  }
}
template <class T, int N, bool Aligned>
HPK_FORCEINLINE_FUNCTION constexpr void store_parts(const simd_parts<T, N>& v, T* p) {
  using parts = simd_parts<T, N>;
  if constexpr (parts::width == 1) {
    HPK_DETAIL_PARTS(N, p[k] = v.v[k])
  } else {
    if (__builtin_is_constant_evaluated()) {
      for (int i = 0; i < N; ++i) p[i] = v.lane(i);
      return;
    }
    using unaligned = typename simd_register<T, parts::width>::unaligned;
    using aligned = typename parts::part;
    if constexpr (Aligned) {
      HPK_DETAIL_PARTS(parts::count, *reinterpret_cast<aligned*>(p + k * parts::width) = v.v[k])
    } else {
      HPK_DETAIL_PARTS(parts::count, *reinterpret_cast<unaligned*>(p + k * parts::width) = v.v[k])
    }
  }
}

/// Loads the lanes for which `selected(i)` is true. The others are zero, and their elements are not
/// read.
template <class T, int N, class U, class S>
HPK_FORCEINLINE_FUNCTION constexpr simd_parts<T, N> load_some(const U* p, const S& selected) {
  return make_parts<T, N>([&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) {
    return selected(static_cast<int>(i())) ? static_cast<T>(p[i()]) : T();
  });
}
template <class T, int N, class U, class S>
HPK_FORCEINLINE_FUNCTION constexpr void store_some(const simd_parts<T, N>& v, U* p,
                                                   const S& selected) {
  HPK_DETAIL_PARTS(N, selected(k) ? void(p[k] = static_cast<U>(v.lane(k))) : void())
}

/// Returns the mask of the first n lanes.
template <class M>
HPK_FORCEINLINE_FUNCTION constexpr M first_lanes(std::size_t n) {
  using lane = typename std::remove_cvref_t<decltype(parts_of(std::declval<M&>()))>;
  using index = std::remove_cvref_t<decltype(std::declval<lane&>().lane(0))>;
  constexpr int lanes = M::size();
  const auto limit = static_cast<index>(n < lanes ? n : lanes);
  const auto numbers = make_parts<index, lanes>([](auto i) { return i(); });
  const auto limits = broadcast<index, lanes>(limit);
  lane r{};
  HPK_DETAIL_PARTS(lane::count,
                   r.v[k] = as_mask_part<typename lane::part>(numbers.v[k] < limits.v[k]))
  return simd_access::make<M>(r);
}

/// Load and store the lanes that the mask selects.
template <class T, int N>
HPK_FORCEINLINE_FUNCTION constexpr simd_parts<T, N> load_masked(const T* p,
                                                                const mask_parts<T, N>& m) {
  using parts = simd_parts<T, N>;
  if constexpr (simd_masks_memory<T, parts::width>) {
    if (!__builtin_is_constant_evaluated()) {
      parts r{};
      HPK_DETAIL_PARTS(parts::count,
                       r.v[k] = native_masked_load<T, parts::width>(p + k * parts::width, m.v[k]))
      return r;
    }
  }
  return load_some<T, N>(p, [&](int i) { return m.lane(i) != 0; });
}
template <class T, int N>
HPK_FORCEINLINE_FUNCTION constexpr void store_masked(const simd_parts<T, N>& v, T* p,
                                                     const mask_parts<T, N>& m) {
  using parts = simd_parts<T, N>;
  if constexpr (simd_masks_memory<T, parts::width>) {
    if (!__builtin_is_constant_evaluated()) {
      HPK_DETAIL_PARTS(parts::count,
                       (native_masked_store<T, parts::width>(p + k * parts::width, m.v[k], v.v[k])))
      return;
    }
  }
  store_some<T, N>(v, p, [&](int i) { return m.lane(i) != 0; });
}

}  // namespace hpk::detail::vectors

namespace hpk {

/// Loads V::size() elements at an address; without V, as many as the native vector of their type
/// has. Elements of another type are converted to the lane type, which must represent all their
/// values unless the flags contain flag_convert. Precondition: the elements exist, and their
/// address has the alignment that the flags promise.
template <class V = void, class U, class... F>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_load(const U* from, simd_flags<F...> = {}) {
  using to = detail::vectors::loaded_t<V, U>;
  using T = typename to::value_type;
  detail::vectors::check_conversion<U, T, F...>();
  constexpr std::size_t alignment = detail::vectors::flags_alignment<to, F...>;
  if constexpr (alignment > 1) detail::vectors::check_alignment(from, alignment);
  if constexpr (std::is_same_v<U, T>) {
    return detail::vectors::simd_access::make<to>(
        detail::vectors::load_parts<T, to::size(), (alignment >= alignof(to))>(from));
  } else if constexpr (std::is_arithmetic_v<U>) {
    return to(detail::vectors::simd_access::make<simd<U, to::size()>>(
        detail::vectors::load_parts<U, to::size(), false>(from)));
  } else {
    return to([&](auto i) { return static_cast<T>(from[i()]); });
  }
}
/// Loads the lanes where the mask is set; the others are zero, and their elements need not exist.
template <class V = void, class U, class... F>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_load(
    const U* from, const typename detail::vectors::loaded_t<V, U>::mask_type& m,
    simd_flags<F...> = {}) {
  using to = detail::vectors::loaded_t<V, U>;
  using T = typename to::value_type;
  detail::vectors::check_conversion<U, T, F...>();
  constexpr std::size_t alignment = detail::vectors::flags_alignment<to, F...>;
  if constexpr (alignment > 1) detail::vectors::check_alignment(from, alignment);
  if constexpr (std::is_same_v<U, T>) {
    return detail::vectors::simd_access::make<to>(
        detail::vectors::load_masked<T, to::size()>(from, detail::vectors::parts_of(m)));
  } else {
    return detail::vectors::simd_access::make<to>(detail::vectors::load_some<T, to::size()>(
        from, [&](int i) { return m[static_cast<std::size_t>(i)]; }));
  }
}
/// Loads the first `count` elements, but at most V::size(); the other lanes are zero. With a mask
/// only those among them where it is set.
///@{
template <class V = void, class U, std::integral I, class... F>
HPK_FORCEINLINE_FUNCTION constexpr auto partial_load(const U* from, I count,
                                                     simd_flags<F...> flags = {}) {
  using to = detail::vectors::loaded_t<V, U>;
  const auto n = static_cast<std::size_t>(count > 0 ? count : I(0));
  return hpk::unchecked_load<to>(from, detail::vectors::first_lanes<typename to::mask_type>(n),
                                 flags);
}
template <class V = void, class U, std::integral I, class... F>
HPK_FORCEINLINE_FUNCTION constexpr auto partial_load(
    const U* from, I count, const typename detail::vectors::loaded_t<V, U>::mask_type& m,
    simd_flags<F...> flags = {}) {
  using to = detail::vectors::loaded_t<V, U>;
  const auto n = static_cast<std::size_t>(count > 0 ? count : I(0));
  return hpk::unchecked_load<to>(from, m && detail::vectors::first_lanes<typename to::mask_type>(n),
                                 flags);
}
///@}

/// Stores all lanes, or the lanes where the mask is set, at an address; other elements are not
/// accessed. Lanes are converted to another element type under the rules of unchecked_load.
///@{
template <class T, class Abi, class U, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_store(const basic_simd<T, Abi>& v, U* to,
                                                        simd_flags<F...> = {}) {
  using from = basic_simd<T, Abi>;
  detail::vectors::check_conversion<T, U, F...>();
  constexpr std::size_t alignment = detail::vectors::flags_alignment<from, F...>;
  if constexpr (alignment > 1) detail::vectors::check_alignment(to, alignment);
  if constexpr (std::is_same_v<U, T>) {
    detail::vectors::store_parts<T, from::size(), (alignment >= alignof(from))>(
        detail::vectors::parts_of(v), to);
  } else if constexpr (std::is_arithmetic_v<U>) {
    detail::vectors::store_parts<U, from::size(), false>(
        detail::vectors::convert<U>(detail::vectors::parts_of(v)), to);
  } else {
    detail::vectors::store_some(detail::vectors::parts_of(v), to, [](int) { return true; });
  }
}
template <class T, class Abi, class U, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_store(
    const basic_simd<T, Abi>& v, U* to, const typename basic_simd<T, Abi>::mask_type& m,
    simd_flags<F...> = {}) {
  using from = basic_simd<T, Abi>;
  detail::vectors::check_conversion<T, U, F...>();
  constexpr std::size_t alignment = detail::vectors::flags_alignment<from, F...>;
  if constexpr (alignment > 1) detail::vectors::check_alignment(to, alignment);
  if constexpr (std::is_same_v<U, T>) {
    detail::vectors::store_masked<T, from::size()>(detail::vectors::parts_of(v), to,
                                                   detail::vectors::parts_of(m));
  } else {
    detail::vectors::store_some(detail::vectors::parts_of(v), to,
                                [&](int i) { return m[static_cast<std::size_t>(i)]; });
  }
}
///@}
/// Stores the first `count` lanes; with a mask only those among them where it is set.
///@{
template <class T, class Abi, class U, std::integral I, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void partial_store(const basic_simd<T, Abi>& v, U* to, I count,
                                                      simd_flags<F...> flags = {}) {
  const auto n = static_cast<std::size_t>(count > 0 ? count : I(0));
  hpk::unchecked_store(v, to, detail::vectors::first_lanes<basic_simd_mask<T, Abi>>(n), flags);
}
template <class T, class Abi, class U, std::integral I, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void partial_store(
    const basic_simd<T, Abi>& v, U* to, I count, const typename basic_simd<T, Abi>::mask_type& m,
    simd_flags<F...> flags = {}) {
  const auto n = static_cast<std::size_t>(count > 0 ? count : I(0));
  hpk::unchecked_store(v, to, m && detail::vectors::first_lanes<basic_simd_mask<T, Abi>>(n), flags);
}
///@}

/// Load from and store to ranges, which have data() and size(). The unchecked forms need at least
/// V::size() elements; fewer are an error in checked builds. The partial forms take the elements
/// that there are.
///@{
template <class V = void, detail::vectors::simd_range R, class... F>
HPK_FORCEINLINE_FUNCTION constexpr auto unchecked_load(const R& from, simd_flags<F...> flags = {}) {
  using to = detail::vectors::loaded_t<V, detail::vectors::range_element_t<const R>>;
  detail::vectors::check_range(static_cast<std::size_t>(from.size()), to::size());
  return hpk::unchecked_load<to>(from.data(), flags);
}
template <class V = void, detail::vectors::simd_range R, class... F>
HPK_FORCEINLINE_FUNCTION constexpr auto partial_load(const R& from, simd_flags<F...> flags = {}) {
  using to = detail::vectors::loaded_t<V, detail::vectors::range_element_t<const R>>;
  return hpk::partial_load<to>(from.data(), static_cast<std::size_t>(from.size()), flags);
}
template <class T, class Abi, detail::vectors::simd_range R, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void unchecked_store(const basic_simd<T, Abi>& v, R&& to,
                                                        simd_flags<F...> flags = {}) {
  detail::vectors::check_range(static_cast<std::size_t>(to.size()), basic_simd<T, Abi>::size());
  hpk::unchecked_store(v, to.data(), flags);
}
template <class T, class Abi, detail::vectors::simd_range R, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void partial_store(const basic_simd<T, Abi>& v, R&& to,
                                                      simd_flags<F...> flags = {}) {
  hpk::partial_store(v, to.data(), static_cast<std::size_t>(to.size()), flags);
}
///@}

template <class T, class Abi>
template <class U, class... F>
  requires std::is_arithmetic_v<U>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi>::basic_simd(const U* from,
                                                                  simd_flags<F...> flags)
    : basic_simd(hpk::unchecked_load<basic_simd>(from, flags)) {}
template <class T, class Abi>
template <class U, class... F>
  requires std::is_arithmetic_v<U>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi>::basic_simd(const U* from, const mask_type& m,
                                                                  simd_flags<F...> flags)
    : basic_simd(hpk::unchecked_load<basic_simd>(from, m, flags)) {}
template <class T, class Abi>
template <class U, class... F>
HPK_FORCEINLINE_FUNCTION constexpr void basic_simd<T, Abi>::copy_to(U* to,
                                                                    simd_flags<F...> flags) const {
  hpk::unchecked_store(*this, to, flags);
}

}  // namespace hpk
