// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// basic_simd: a short vector that computes like a number, lane by lane. Operators on floating lanes
// round as they do on single numbers; integer lanes wrap around. Comparisons return a
// basic_simd_mask.
#pragma once

#include <hpk/simd/flags.hpp>
#include <hpk/simd/mask.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk::detail::vectors {

/// A generator: a callable that returns the value of each lane.
template <class G, class T>
concept simd_generator = requires(G& g) {
  { g(lane_index<0>()) } -> std::convertible_to<T>;
};
/// A number type that can change its value when it is converted to T. Operators reject it with a
/// message. With HPK_PERMISSIVE the lanes take the type of a lane plus the number; in comparisons
/// and shifts the number is converted to a lane.
template <class U, class T>
concept foreign_operand = std::is_arithmetic_v<U> && !is_lane_argument<U, T>;
template <class U, class T>
struct promoted {
  using type = T;
};
template <class U, class T>
  requires(HPK_PERMISSIVE != 0 && foreign_operand<U, T>)
struct promoted<U, T> {
  using type = decltype(U() + T());
};

template <class V>
inline constexpr bool mixes_operands = false;

}  // namespace hpk::detail::vectors

namespace hpk {

/// N lanes of type T: double, float, integers of 8 to 64 bits, or _Float16 if the processor
/// computes with it. Abi gives the number of lanes: simd_abi::scalar, simd_abi::fixed_size<N>,
/// simd_abi::native<T>. All functions may be called from kernels; concurrent calls on different
/// objects are safe. In memory a vector has the layout of T[N], aligned to the register, or part of
/// a register, that its lanes fill, so Views may hold it.
template <class T, class Abi = simd_abi::native<T>>
class basic_simd : simd_functions::parts_holder<detail::vectors::simd_parts<
                       detail::vectors::lane_or_float<T>, detail::vectors::lanes_of_abi<Abi>>> {
  static_assert(
      detail::vectors::is_simd_lane<T>,
      "hpk::basic_simd: lanes are float, double or integers of 8 to 64 bits; for half "
      "types write basic_simd<float, Abi>, which loads and stores them with flag_convert");
  static_assert(detail::vectors::lanes_of_abi<Abi> > 0,
                "hpk::basic_simd: the second argument is an ABI; write simd_abi::scalar, "
                "simd_abi::fixed_size<N> or simd_abi::native<T>, or write simd<T, N>");
  static constexpr int lane_count = detail::vectors::lanes_of_abi<Abi>;
  using parts_type = detail::vectors::simd_parts<detail::vectors::lane_or_float<T>, lane_count>;
  using part = typename parts_type::part;
  using holder = simd_functions::parts_holder<parts_type>;
  using holder::parts_;
  static constexpr int part_width = parts_type::width;
  static constexpr int parts_count = parts_type::count;
  static constexpr bool integral = std::is_integral_v<T>;
  template <class U>
  using both_lanes = basic_simd<typename detail::vectors::promoted<U, T>::type, Abi>;

 public:
  /// Types of a lane, of the ABI and of the result of comparisons.
  ///@{
  using value_type = T;
  using abi_type = Abi;
  using mask_type = basic_simd_mask<T, Abi>;
  ///@}
  /// The type that Views hold to store these vectors.
  using storage_type = basic_simd;
  /// The number of lanes, as `size` or `size()`.
  static constexpr detail::vectors::simd_size<lane_count> size{};

  /// Leaves the lanes uninitialized; basic_simd() sets them to zero.
  basic_simd() = default;
  /// Sets all lanes to `value`. Implicit if T can represent all values of U, and for int, unsigned
  /// (to unsigned lanes) and classes that convert to T; with HPK_PERMISSIVE always.
  template <class U>
    requires(std::convertible_to<U, T> && !detail::vectors::is_simd_v<U>)
  HPK_FORCEINLINE_FUNCTION constexpr explicit(!detail::vectors::is_lane_argument<U, T> &&
                                              !HPK_PERMISSIVE) basic_simd(const U& value)
      : holder{detail::vectors::broadcast<T, lane_count>(static_cast<T>(value))} {}
  /// Sets lane i to g(std::integral_constant<std::size_t, i>()).
  HPK_CALLS_EITHER
  template <class G>
    requires(detail::vectors::simd_generator<G, T> && !std::convertible_to<G, T>)
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd(G&& g)
      : holder{detail::vectors::make_parts<T, lane_count>(g)} {}
  /// Converts another vector with the same number of lanes as static_cast does; implicitly if T can
  /// represent all values of U.
  template <class U, class A>
    requires(detail::vectors::lanes_of_abi<A> == lane_count &&
             !std::is_same_v<basic_simd<U, A>, basic_simd>)
  HPK_FORCEINLINE_FUNCTION constexpr explicit(!detail::vectors::keeps_values<U, T>)
      basic_simd(const basic_simd<U, A>& other)
      : holder{detail::vectors::convert<T>(detail::vectors::parts_of(other))} {}
  /// Sets lanes to 1 where the mask is set, else to 0.
  template <class U, class A>
    requires(detail::vectors::lanes_of_abi<A> == lane_count)
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd(const basic_simd_mask<U, A>& m)
      : holder{detail::vectors::make_parts<T, lane_count>([&](auto i) { return m[i()] ? 1 : 0; })} {
  }
  /// Convert from and to the compiler's vector type, if one register holds all lanes.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd(const part& native)
    requires(parts_count == 1 && part_width > 1)
      : holder{{{native}}} {}
  HPK_FORCEINLINE_FUNCTION constexpr explicit operator part() const
    requires(parts_count == 1)
  {
    return parts_.v[0];
  }
  ///@}
  /// Loads lanes at an address, as unchecked_load does; with a mask the other lanes are zero.
  ///@{
  template <class U, class... F>
    requires std::is_arithmetic_v<U>
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd(const U* from,
                                                         simd_flags<F...> flags = {});
  template <class U, class... F>
    requires std::is_arithmetic_v<U>
  HPK_FORCEINLINE_FUNCTION constexpr explicit basic_simd(const U* from, const mask_type& m,
                                                         simd_flags<F...> flags = {});
  ///@}

  /// Returns lane i.
  HPK_FORCEINLINE_FUNCTION constexpr T operator[](std::size_t i) const {
    detail::vectors::check_lane(static_cast<long long>(i), lane_count);
    return parts_.lane(static_cast<int>(i));
  }
  /// Load and store lanes. New programs call unchecked_load and unchecked_store.
  ///@{
  template <class U, class... F>
  HPK_FORCEINLINE_FUNCTION constexpr void copy_from(const U* from, simd_flags<F...> flags = {}) {
    *this = basic_simd(from, flags);
  }
  template <class U, class... F>
  HPK_FORCEINLINE_FUNCTION constexpr void copy_to(U* to, simd_flags<F...> flags = {}) const;
  ///@}

  /// Return the lanes, negated by -. Integers wrap around.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd operator+() const { return *this; }
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd operator-() const {
    basic_simd r{};
    if constexpr (integral) {
      HPK_DETAIL_PARTS(parts_count, r.parts_.v[k] = detail::vectors::wrapped_minus<T, part_width>(
                                        part{}, parts_.v[k]))
    } else {
      HPK_DETAIL_PARTS(parts_count, r.parts_.v[k] = -parts_.v[k])
    }
    return r;
  }
  ///@}
  /// Returns the lanes with all bits inverted.
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd operator~() const
    requires integral
  {
    basic_simd r{};
    HPK_DETAIL_PARTS(parts_count, r.parts_.v[k] = static_cast<part>(~parts_.v[k]))
    return r;
  }
  /// Returns a mask of the lanes that are zero.
  HPK_FORCEINLINE_FUNCTION constexpr mask_type operator!() const { return *this == basic_simd(); }
  /// Add 1 to each lane, or subtract 1. Integers wrap around.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd& operator++() { return *this += basic_simd(T(1)); }
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd& operator--() { return *this -= basic_simd(T(1)); }
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd operator++(int) {
    const basic_simd before = *this;
    ++*this;
    return before;
  }
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd operator--(int) {
    const basic_simd before = *this;
    --*this;
    return before;
  }
  ///@}

// Defines a op b, a op= b, and overloads that reject numbers that do not fit a lane.
#define HPK_DETAIL_SIMD_BINARY(op, lanes, condition, check, ...)                             \
  HPK_FORCEINLINE_FUNCTION friend constexpr basic_simd operator op(const basic_simd& a,      \
                                                                   const basic_simd& b)      \
    requires(condition)                                                                      \
  {                                                                                          \
    check;                                                                                   \
    basic_simd r{};                                                                          \
    HPK_DETAIL_PARTS(parts_count, r.parts_.v[k] = __VA_ARGS__)                               \
    return r;                                                                                \
  }                                                                                          \
  HPK_FORCEINLINE_FUNCTION friend constexpr basic_simd& operator op##=(basic_simd & a,       \
                                                                       const basic_simd & b) \
    requires(condition)                                                                      \
  {                                                                                          \
    return a = a op b;                                                                       \
  }                                                                                          \
  template <detail::vectors::foreign_operand<T> U>                                           \
  HPK_FORCEINLINE_FUNCTION friend constexpr lanes operator op(const basic_simd& a, U b) {    \
    refuse<U>();                                                                             \
    return lanes(a) op lanes(b);                                                             \
  }                                                                                          \
  template <detail::vectors::foreign_operand<T> U>                                           \
  HPK_FORCEINLINE_FUNCTION friend constexpr lanes operator op(U a, const basic_simd& b) {    \
    refuse<U>();                                                                             \
    return lanes(a) op lanes(b);                                                             \
  }
  /// Work lane by lane; integers wrap around. A number that converts implicitly stands for a vector
  /// of it; others do not compile.
  ///@{
  HPK_DETAIL_SIMD_BINARY(+, both_lanes<U>, true, {},
                         (detail::vectors::wrapped_plus<T, part_width>(a.parts_.v[k],
                                                                       b.parts_.v[k])))
  HPK_DETAIL_SIMD_BINARY(-, both_lanes<U>, true, {},
                         (detail::vectors::wrapped_minus<T, part_width>(a.parts_.v[k],
                                                                        b.parts_.v[k])))
  HPK_DETAIL_SIMD_BINARY(*, both_lanes<U>, true, {},
                         (detail::vectors::wrapped_times<T, part_width>(a.parts_.v[k],
                                                                        b.parts_.v[k])))
  ///@}
  /// Divide lane by lane, integers without a fraction. Precondition: no integer lane of b is zero.
  ///@{
  HPK_DETAIL_SIMD_BINARY(/, both_lanes<U>, true, check_divisor(b),
                         static_cast<part>(a.parts_.v[k] / b.parts_.v[k]))
  HPK_DETAIL_SIMD_BINARY(%, both_lanes<U>, integral, check_divisor(b),
                         static_cast<part>(a.parts_.v[k] % b.parts_.v[k]))
  ///@}
  /// Combine the bits of integers.
  ///@{
  HPK_DETAIL_SIMD_BINARY(&, both_lanes<U>, integral, {},
                         static_cast<part>(a.parts_.v[k] & b.parts_.v[k]))
  HPK_DETAIL_SIMD_BINARY(|, both_lanes<U>, integral, {},
                         static_cast<part>(a.parts_.v[k] | b.parts_.v[k]))
  HPK_DETAIL_SIMD_BINARY(^, both_lanes<U>, integral,
                         {
                         },
                         static_cast<part>(a.parts_.v[k] ^ b.parts_.v[k]))
  ///@}
  /// Shift by counts from 0 to the number of bits of T minus 1. Shifts to the left insert zeros and
  /// drop the highest bits; shifts to the right insert copies of the sign bit, or zeros if T is
  /// unsigned.
  ///@{
  HPK_DETAIL_SIMD_BINARY(<<, basic_simd, integral, check_shift(b),
                         static_cast<part>(a.parts_.v[k] << b.parts_.v[k]))
  HPK_DETAIL_SIMD_BINARY(>>, basic_simd, integral, check_shift(b),
                         static_cast<part>(a.parts_.v[k] >> b.parts_.v[k]))
  ///@}
#undef HPK_DETAIL_SIMD_BINARY

#define HPK_DETAIL_SIMD_COMPARE(op)                                                           \
  HPK_FORCEINLINE_FUNCTION friend constexpr mask_type operator op(const basic_simd& a,        \
                                                                  const basic_simd& b) {      \
    using mask_parts = detail::vectors::mask_parts<T, lane_count>;                            \
    mask_parts r{};                                                                           \
    HPK_DETAIL_PARTS(parts_count,                                                             \
                     r.v[k] = detail::vectors::as_mask_part<typename mask_parts::part>(       \
                         a.parts_.v[k] op b.parts_.v[k]))                                     \
    return detail::vectors::simd_access::make<mask_type>(r);                                  \
  }                                                                                           \
  template <detail::vectors::foreign_operand<T> U>                                            \
  HPK_FORCEINLINE_FUNCTION friend constexpr mask_type operator op(const basic_simd& a, U b) { \
    refuse<U>();                                                                              \
    return a op basic_simd(b);                                                                \
  }                                                                                           \
  template <detail::vectors::foreign_operand<T> U>                                            \
  HPK_FORCEINLINE_FUNCTION friend constexpr mask_type operator op(U a, const basic_simd& b) { \
    refuse<U>();                                                                              \
    return basic_simd(a) op b;                                                                \
  }
  /// Compare lane by lane like numbers: NaN is unequal to all numbers, and neither less nor
  /// greater.
  ///@{
  HPK_DETAIL_SIMD_COMPARE(==)
  HPK_DETAIL_SIMD_COMPARE(!=)
  HPK_DETAIL_SIMD_COMPARE(<)
  HPK_DETAIL_SIMD_COMPARE(<=)
  HPK_DETAIL_SIMD_COMPARE(>)
  HPK_DETAIL_SIMD_COMPARE(>=)
  ///@}
#undef HPK_DETAIL_SIMD_COMPARE

 private:
  friend struct detail::vectors::simd_access;

  template <class U>
  HPK_FUNCTION static constexpr void refuse() {
    static_assert(detail::always_false<U> || HPK_PERMISSIVE,
                  "hpk::basic_simd: the lanes do not have every value of this operand's type; "
                  "write V(x) to convert x to the lanes, or rebind_t<U, V>(v) to convert them");
  }
  HPK_FORCEINLINE_FUNCTION static constexpr void check_divisor(const basic_simd& b) {
    if constexpr (detail::vectors::simd_checks && integral) {
      for (int i = 0; i < lane_count; ++i)
        if (b.parts_.lane(i) == 0) {
          HPK_IF_ON_HOST((detail::vectors::raise_simd_divisor(i);))
          HPK_IF_ON_DEVICE((hpk::abort("hpk::basic_simd: integers are divided by zero");))
        }
    }
  }
  HPK_FORCEINLINE_FUNCTION static constexpr void check_shift(const basic_simd& b) {
    if constexpr (detail::vectors::simd_checks && integral) {
      constexpr int bits = 8 * static_cast<int>(sizeof(T));
      for (int i = 0; i < lane_count; ++i) {
        [[maybe_unused]] const auto n = static_cast<long long>(b.parts_.lane(i));
        if (n < 0 || n >= bits) {
          HPK_IF_ON_HOST((detail::vectors::raise_simd_shift(n, bits, i);))
          HPK_IF_ON_DEVICE((hpk::abort("hpk::basic_simd: a shift by too many bits");))
        }
      }
    }
  }
};

}  // namespace hpk
