// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// basic_simd_mask: a bool for every lane of a vector, as comparisons of vectors return it. Also the
// queries all_of, any_of and none_of, the number of set lanes, and the first and last of them.
#pragma once

#include <hpk/simd/detail/check.hpp>
#include <hpk/simd/detail/native_x86.hpp>
#include <hpk/simd/detail/storage.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

/// One bool per lane of basic_simd<T, Abi>. Operators work lane by lane, && and || do not
/// short-circuit, and false is less than true. Masks with the same lane size and number of lanes
/// convert into each other implicitly. All functions may be called from kernels; concurrent calls
/// on different objects are safe.
template <class T, class Abi>
class basic_simd_mask : simd_functions::parts_holder<
                            detail::vectors::mask_parts<T, detail::vectors::lanes_of_abi<Abi>>> {
  static_assert(detail::vectors::is_simd_lane<T>,
                "hpk::basic_simd_mask: lanes are float, double or integers of 8 to 64 bits; write "
                "basic_simd_mask<float, Abi> for half types");
  static_assert(detail::vectors::lanes_of_abi<Abi> > 0,
                "hpk::basic_simd_mask: the second argument is an ABI; write simd_abi::scalar, "
                "simd_abi::fixed_size<N> or simd_abi::native<T>, or write simd_mask<T, N>");
  static constexpr int lanes = detail::vectors::lanes_of_abi<Abi>;
  using lane_type = detail::vectors::mask_lane_t<T>;
  using parts_type = detail::vectors::mask_parts<T, lanes>;
  using part = typename parts_type::part;
  using holder = simd_functions::parts_holder<parts_type>;
  using holder::parts_;

 public:
  /// Types of a lane, of the ABI and of the vector with the same lanes.
  ///@{
  using value_type = bool;
  using abi_type = Abi;
  using simd_type = basic_simd<T, Abi>;
  ///@}
  /// The number of lanes, as `size` or `size()`.
  static constexpr detail::vectors::simd_size<lanes> size{};

  /// Leaves the lanes uninitialized; basic_simd_mask() sets them to false.
  basic_simd_mask() = default;
  /// Sets all lanes to `value`, which is a bool or, with HPK_PERMISSIVE, any number.
  template <class B>
    requires(std::same_as<B, bool> || (HPK_PERMISSIVE != 0 && std::is_arithmetic_v<B>))
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd_mask(B value)
      : holder{
            detail::vectors::broadcast<lane_type, lanes>(static_cast<lane_type>(value ? -1 : 0))} {}
  /// Sets lane i to g(std::integral_constant<std::size_t, i>()).
  HPK_CALLS_EITHER
  template <class G>
    requires requires(G& g) {
      { g(detail::vectors::lane_index<0>()) } -> std::convertible_to<bool>;
    }
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd_mask(G&& g)
      : holder{detail::vectors::make_parts<lane_type, lanes>(
            [&] HPK_DETAIL_ALWAYS_INLINE_LAMBDA(auto i) {
              return static_cast<bool>(g(i)) ? -1 : 0;
            })} {}
  /// Converts another mask with the same number of lanes; implicitly if its lanes have the same
  /// size.
  template <class U, class A>
    requires(detail::vectors::lanes_of_abi<A> == lanes &&
             !std::is_same_v<basic_simd_mask<U, A>, basic_simd_mask>)
  HPK_FORCEINLINE_FUNCTION constexpr explicit(sizeof(U) != sizeof(T))
      basic_simd_mask(const basic_simd_mask<U, A>& other)
      : holder{detail::vectors::convert<lane_type>(detail::vectors::parts_of(other))} {}
  /// Convert from and to the compiler's vector type with lanes 0 or -1, if one register holds all
  /// lanes.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd_mask(const part& native)
    requires(parts_type::count == 1 && parts_type::width > 1)
      : holder{{{native}}} {}
  HPK_FORCEINLINE_FUNCTION constexpr explicit operator part() const
    requires(parts_type::count == 1 && parts_type::width > 1)
  {
    return parts_.v[0];
  }
  ///@}
  /// Returns the value of the only lane.
  HPK_FORCEINLINE_FUNCTION constexpr explicit operator bool() const
    requires(lanes == 1)
  {
    return parts_.v[0] != 0;
  }

  /// Returns lane i.
  HPK_FORCEINLINE_FUNCTION constexpr bool operator[](std::size_t i) const {
    detail::vectors::check_lane(static_cast<long long>(i), lanes);
    return parts_.lane(static_cast<int>(i)) != 0;
  }

  /// Returns an integer whose bit i is lane i.
  HPK_FORCEINLINE_FUNCTION constexpr unsigned long long to_ullong() const {
    unsigned long long bits = 0;
    if constexpr (parts_type::width > 1) {
      HPK_DETAIL_PARTS(parts_type::count,
                       bits |= detail::vectors::mask_bits<lane_type, parts_type::width>(parts_.v[k])
                               << (k * parts_type::width))
    } else {
      HPK_DETAIL_PARTS(lanes, bits |= static_cast<unsigned long long>(parts_.v[k] & 1) << k)
    }
    return bits;
  }
  /// Returns a mask whose lane i is bit i.
  HPK_FORCEINLINE_FUNCTION static constexpr basic_simd_mask from_ullong(unsigned long long bits) {
    return basic_simd_mask([&](auto i) { return (bits >> i() & 1) != 0; });
  }

#define HPK_DETAIL_MASK_BINARY(op, ...)                                                 \
  HPK_FORCEINLINE_FUNCTION friend constexpr basic_simd_mask operator op(                \
      const basic_simd_mask& a, const basic_simd_mask& b) {                             \
    basic_simd_mask r{};                                                                \
    HPK_DETAIL_PARTS(parts_type::count, r.parts_.v[k] = static_cast<part>(__VA_ARGS__)) \
    return r;                                                                           \
  }
  /// Combine or compare two masks lane by lane. Both operands are evaluated.
  ///@{
  HPK_DETAIL_MASK_BINARY(&&, a.parts_.v[k] & b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(||, a.parts_.v[k] | b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(&, a.parts_.v[k] & b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(|, a.parts_.v[k] | b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(^, a.parts_.v[k] ^ b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(==, ~(a.parts_.v[k] ^ b.parts_.v[k]))
  HPK_DETAIL_MASK_BINARY(!=, a.parts_.v[k] ^ b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(<, ~a.parts_.v[k] & b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(<=, ~a.parts_.v[k] | b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(>, a.parts_.v[k] & ~b.parts_.v[k])
  HPK_DETAIL_MASK_BINARY(>=, a.parts_.v[k] | ~b.parts_.v[k])
  ///@}
#undef HPK_DETAIL_MASK_BINARY
#define HPK_DETAIL_MASK_ASSIGN(op)                                           \
  HPK_FORCEINLINE_FUNCTION friend constexpr basic_simd_mask& operator op##=( \
      basic_simd_mask & a, const basic_simd_mask & b) {                      \
    return a = a op b;                                                       \
  }
  /// Combine a with b lane by lane, and store the result in a.
  ///@{
  HPK_DETAIL_MASK_ASSIGN(&)
  HPK_DETAIL_MASK_ASSIGN(|)
  HPK_DETAIL_MASK_ASSIGN(^)
  ///@}
#undef HPK_DETAIL_MASK_ASSIGN
  /// Return a mask with all lanes inverted.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd_mask operator!() const {
    basic_simd_mask r{};
    HPK_DETAIL_PARTS(parts_type::count, r.parts_.v[k] = static_cast<part>(~parts_.v[k]))
    return r;
  }
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd_mask operator~() const { return !*this; }
  ///@}

 private:
  friend struct detail::vectors::simd_access;
};

/// Return whether all lanes, at least one lane, or no lane is set. A bool counts as one lane.
///@{
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr bool all_of(const basic_simd_mask<T, Abi>& m) {
  const auto& p = detail::vectors::parts_of(m);
  auto all = p.v[0];
  HPK_DETAIL_PARTS(std::remove_cvref_t<decltype(p)>::count, all &= p.v[k])
  return detail::vectors::all_lanes<detail::vectors::mask_lane_t<T>>(all);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr bool any_of(const basic_simd_mask<T, Abi>& m) {
  const auto& p = detail::vectors::parts_of(m);
  auto any = p.v[0];
  HPK_DETAIL_PARTS(std::remove_cvref_t<decltype(p)>::count, any |= p.v[k])
  return detail::vectors::any_lane<detail::vectors::mask_lane_t<T>>(any);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr bool none_of(const basic_simd_mask<T, Abi>& m) {
  return !any_of(m);
}
HPK_FORCEINLINE_FUNCTION constexpr bool all_of(std::same_as<bool> auto m) { return m; }
HPK_FORCEINLINE_FUNCTION constexpr bool any_of(std::same_as<bool> auto m) { return m; }
HPK_FORCEINLINE_FUNCTION constexpr bool none_of(std::same_as<bool> auto m) { return !m; }
///@}

/// Returns the number of lanes that are set. A bool counts as one lane.
///@{
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr int reduce_count(const basic_simd_mask<T, Abi>& m) {
  return hpk::popcount(m.to_ullong());
}
HPK_FORCEINLINE_FUNCTION constexpr int reduce_count(std::same_as<bool> auto m) { return m ? 1 : 0; }
///@}
/// Return the index of the first and of the last lane that is set. Precondition: at least one is
/// set.
///@{
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr int reduce_min_index(const basic_simd_mask<T, Abi>& m) {
  const auto bits = m.to_ullong();
  HPK_EXPECTS(bits != 0);
  return hpk::countr_zero(bits);
}
template <class T, class Abi>
HPK_FORCEINLINE_FUNCTION constexpr int reduce_max_index(const basic_simd_mask<T, Abi>& m) {
  const auto bits = m.to_ullong();
  HPK_EXPECTS(bits != 0);
  return 63 - hpk::countl_zero(bits);
}
///@}

}  // namespace hpk
