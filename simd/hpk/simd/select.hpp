// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane-wise choices: select(mask, a, b), and where(mask, v) = x, which assigns to the lanes that
// the mask selects. They also take a bool and numbers, so the same code serves vectors and numbers.
// Also min, max, minmax and clamp of vectors.
#pragma once

#include <hpk/base/min_max.hpp>
#include <hpk/base/pair.hpp>
#include <hpk/simd/memory.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace hpk {

/// Returns a where the mask is set, b in the other lanes. Both arguments are evaluated.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> select(
    const basic_simd_mask<T, Abi>& m, const std::type_identity_t<basic_simd<T, Abi>>& a,
    const std::type_identity_t<basic_simd<T, Abi>>& b) {
  const auto& pm = detail::vectors::parts_of(m);
  const auto& pa = detail::vectors::parts_of(a);
  const auto& pb = detail::vectors::parts_of(b);
  using parts = std::remove_cvref_t<decltype(pa)>;
  parts r{};
  HPK_DETAIL_PARTS(parts::count, r.v[k] = detail::vectors::choose(pm.v[k], pa.v[k], pb.v[k]))
  return detail::vectors::simd_access::make<basic_simd<T, Abi>>(r);
}
/// Selects with a mask whose lanes have another type but the same number, the lanes of masks, or
/// one of two numbers.
///@{
template <class U, class A, class T, class Abi>
  requires(!(std::is_same_v<T, U> && std::is_same_v<Abi, A>) &&
           detail::vectors::lanes_of_abi<A> == detail::vectors::lanes_of_abi<Abi>)
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> select(const basic_simd_mask<U, A>& m,
                                                             const basic_simd<T, Abi>& a,
                                                             const basic_simd<T, Abi>& b) {
  return hpk::select(basic_simd_mask<T, Abi>(m), a, b);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd_mask<T, Abi> select(
    const basic_simd_mask<T, Abi>& m, const basic_simd_mask<T, Abi>& a,
    const basic_simd_mask<T, Abi>& b) {
  return (m && a) || (!m && b);
}
HPK_CALLS_EITHER
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T select(std::same_as<bool> auto m, const T& a, const T& b) {
  return m ? a : b;
}
///@}
/// The name of select in Kokkos.
HPK_CALLS_EITHER
template <class M, class A, class B>
  requires requires(const M& m, const A& a, const B& b) { hpk::select(m, a, b); }
HPK_FORCEINLINE_FUNCTION constexpr auto condition(const M& m, const A& a, const B& b) {
  return hpk::select(m, a, b);
}

/// The lanes of a const vector v that a mask selects; where(mask, v) returns it.
template <class M, class V>
class const_where_expression {
 public:
  /// Hold the mask and refer to the vector or number; where(mask, v) calls the constructor.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr const_where_expression(const M& m, V& v)
      : mask_(m), value_(v) {}
  HPK_FORCEINLINE_FUNCTION constexpr const M& mask() const { return mask_; }
  HPK_FORCEINLINE_FUNCTION constexpr const V& value() const { return value_; }
  ///@}

  /// Stores the selected lanes at an address, or to its elements with the given indices.
  ///@{
  template <class U, class... F>
  HPK_FORCEINLINE_FUNCTION constexpr void copy_to(U* to, simd_flags<F...> flags = {}) const {
    if constexpr (detail::vectors::is_simd_v<std::remove_const_t<V>>) {
      hpk::unchecked_store(value_, to, mask_, flags);
    } else if (mask_) {
      *to = value_;
    }
  }
  template <class U, class I, class Abi>
  HPK_FORCEINLINE_FUNCTION constexpr void scatter_to(U* to, const basic_simd<I, Abi>& index) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(index.size()); ++i)
      if (mask_[i]) to[index[i]] = value_[i];
  }
  ///@}

 protected:
  /// For derived classes.
  ///@{
  M mask_;
  V& value_;
  ///@}
};

/// The lanes of a vector that a mask selects; assignments such as where(mask, v) += x leave the
/// other lanes unchanged.
template <class M, class V>
class where_expression : public const_where_expression<M, V> {
  using base = const_where_expression<M, V>;
  using base::mask_;
  using base::value_;

 public:
  using base::base;
#define HPK_DETAIL_WHERE(op, ...)                                         \
  template <class X>                                                      \
    requires std::convertible_to<X, V>                                    \
  HPK_FORCEINLINE_FUNCTION constexpr void operator op(const X& x) const { \
    value_ = hpk::select(mask_, V(__VA_ARGS__), V(value_));               \
  }
  /// Assign to the selected lanes; the others stay. / and % ignore zeros in the other lanes of x.
  ///@{
  HPK_DETAIL_WHERE(=, x)
  HPK_DETAIL_WHERE(+=, value_ + V(x))
  HPK_DETAIL_WHERE(-=, value_ - V(x))
  HPK_DETAIL_WHERE(*=, value_* V(x))
  HPK_DETAIL_WHERE(&=, value_& V(x))
  HPK_DETAIL_WHERE(|=, value_ | V(x))
  HPK_DETAIL_WHERE(^=, value_ ^ V(x))
  HPK_DETAIL_WHERE(<<=, value_ << V(x))
  HPK_DETAIL_WHERE(>>=, value_ >> V(x))
  // Divides lanes that are not selected by 1: their divisor may be zero.
  HPK_DETAIL_WHERE(/=, value_ / hpk::select(mask_, V(x), V(1)))
  HPK_DETAIL_WHERE(%=, value_ % hpk::select(mask_, V(x), V(1)))
  ///@}
#undef HPK_DETAIL_WHERE

  /// Loads the selected lanes from an address, or from its elements with the given indices.
  ///@{
  template <class U, class... F>
  HPK_FORCEINLINE_FUNCTION constexpr void copy_from(const U* from,
                                                    simd_flags<F...> flags = {}) const {
    if constexpr (detail::vectors::is_simd_v<V>) {
      value_ = hpk::select(mask_, hpk::unchecked_load<V>(from, mask_, flags), value_);
    } else if (mask_) {
      value_ = *from;
    }
  }
  template <class U, class I, class Abi>
  HPK_FORCEINLINE_FUNCTION constexpr void gather_from(const U* from,
                                                      const basic_simd<I, Abi>& index) const {
    using lane = typename V::value_type;
    value_ =
        V([&](auto i) { return mask_[i()] ? static_cast<lane>(from[index[i()]]) : value_[i()]; });
  }
  ///@}
};

/// Returns the lanes of v that the mask selects.
///@{
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto where(
    const std::type_identity_t<basic_simd_mask<T, Abi>>& m, basic_simd<T, Abi>& v) {
  return where_expression<basic_simd_mask<T, Abi>, basic_simd<T, Abi>>(m, v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto where(
    const std::type_identity_t<basic_simd_mask<T, Abi>>& m, const basic_simd<T, Abi>& v) {
  return const_where_expression<basic_simd_mask<T, Abi>, const basic_simd<T, Abi>>(m, v);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr auto where(const basic_simd_mask<T, Abi>& m,
                                              basic_simd_mask<T, Abi>& v) {
  return where_expression<basic_simd_mask<T, Abi>, basic_simd_mask<T, Abi>>(m, v);
}
template <class T>
  requires std::is_arithmetic_v<T>
HPK_FORCEINLINE_FUNCTION constexpr auto where(std::same_as<bool> auto m, T& v) {
  return where_expression<bool, T>(m, v);
}
///@}

/// Return the smaller or the larger lane of two vectors, the lane of a if they are equal or
/// unordered.
///@{
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> min(const basic_simd<T, Abi>& a,
                                                          const basic_simd<T, Abi>& b) {
  const auto& pa = detail::vectors::parts_of(a);
  const auto& pb = detail::vectors::parts_of(b);
  using parts = std::remove_cvref_t<decltype(pa)>;
  parts r{};
  HPK_DETAIL_PARTS(parts::count, r.v[k] = pb.v[k] < pa.v[k] ? pb.v[k] : pa.v[k])
  return detail::vectors::simd_access::make<basic_simd<T, Abi>>(r);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> max(const basic_simd<T, Abi>& a,
                                                          const basic_simd<T, Abi>& b) {
  const auto& pa = detail::vectors::parts_of(a);
  const auto& pb = detail::vectors::parts_of(b);
  using parts = std::remove_cvref_t<decltype(pa)>;
  parts r{};
  HPK_DETAIL_PARTS(parts::count, r.v[k] = pa.v[k] < pb.v[k] ? pb.v[k] : pa.v[k])
  return detail::vectors::simd_access::make<basic_simd<T, Abi>>(r);
}
///@}
/// Returns the minimum and the maximum of each pair of lanes.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr pair<basic_simd<T, Abi>, basic_simd<T, Abi>> minmax(
    const basic_simd<T, Abi>& a, const basic_simd<T, Abi>& b) {
  return {hpk::min(a, b), hpk::max(a, b)};
}
/// Returns the lanes of v, limited to [low, high]. Precondition: low <= high. A NaN stays a NaN.
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr basic_simd<T, Abi> clamp(
    const basic_simd<T, Abi>& v, const std::type_identity_t<basic_simd<T, Abi>>& low,
    const std::type_identity_t<basic_simd<T, Abi>>& high) {
  HPK_EXPECTS(none_of(high < low));
  return hpk::min(hpk::max(v, low), high);
}
#define HPK_DETAIL_SIMD_MIXED(name)                                                       \
  template <class T, class Abi, class U>                                                  \
    requires(!detail::vectors::is_simd_v<U> && detail::vectors::is_lane_argument<U, T> && \
             std::convertible_to<U, T>)                                                   \
  HPK_FORCEINLINE_FUNCTION constexpr auto name(const basic_simd<T, Abi>& a, const U& b) { \
    return hpk::name(a, basic_simd<T, Abi>(b));                                           \
  }                                                                                       \
  template <class T, class Abi, class U>                                                  \
    requires(!detail::vectors::is_simd_v<U> && detail::vectors::is_lane_argument<U, T> && \
             std::convertible_to<U, T>)                                                   \
  HPK_FORCEINLINE_FUNCTION constexpr auto name(const U& a, const basic_simd<T, Abi>& b) { \
    return hpk::name(basic_simd<T, Abi>(a), b);                                           \
  }
/// The same with a number for one of the vectors, if the lanes have every value of its type.
///@{
HPK_DETAIL_SIMD_MIXED(min)
HPK_DETAIL_SIMD_MIXED(max)
///@}
#undef HPK_DETAIL_SIMD_MIXED

}  // namespace hpk
