// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// complex: std::complex for kernels, with the same layout, and conversions from and to it.
// Functions of complex numbers are in complex_math.hpp.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/math/complex_quotient.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

/// Functions of complex numbers that share names with mathematical functions. Found by
/// argument-dependent lookup; if they were declared in hpk, they would hide the functions of
/// hpk::math from hpk::f(x).
namespace hpk::complex_functions {
/// @cond internal
/// The parts of a complex number, in a base class so that lookup finds these functions. With an
/// empty base class, g++ for ARM would print a note (-Wpsabi) at each function with a complex
/// parameter.
template <class T>
struct complex_parts {
  T re_ = T(0);
  T im_ = T(0);
};
/// @endcond
}  // namespace hpk::complex_functions

namespace hpk::detail {

/// Types that the parts of a complex number may have.
template <class T>
concept complex_part =
    std::is_same_v<T, std::remove_cv_t<T>> && std::numeric_limits<T>::is_specialized &&
    !std::numeric_limits<T>::is_integer;
/// Real numbers that may be mixed with complex numbers.
template <class T>
concept real_number = std::is_arithmetic_v<T> || complex_part<T>;

template <class T>
inline constexpr std::size_t complex_alignment = HPK_COMPLEX_ALIGN ? 2 * sizeof(T) : alignof(T);

template <class C>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<complex<T>> = true;
/// Complex numbers of other libraries, in particular std::complex.
template <class C>
concept other_complex = std::is_class_v<C> && !is_complex_v<C> && requires(const C& z) {
  typename C::value_type;
  requires complex_part<typename C::value_type>;
  { z.real() } -> std::convertible_to<typename C::value_type>;
  { z.imag() } -> std::convertible_to<typename C::value_type>;
  C(z.real(), z.imag());
};
template <class C>
concept any_complex = is_complex_v<C> || other_complex<C>;

template <class X>
struct part_of {
  using type = X;
};
template <any_complex C>
struct part_of<C> {
  using type = typename C::value_type;
};
/// The part type of the result of A op B: integers take the type of the other operand.
template <class A, class B>
using common_part_t = std::common_type_t<typename part_of<A>::type, typename part_of<B>::type>;

/// An operand pair: a hpk::complex and another complex or real number.
template <class A, class B>
concept complex_operands = (is_complex_v<A> && (any_complex<B> || real_number<B>)) ||
                           (is_complex_v<B> && (other_complex<A> || real_number<A>));

HPK_CALLS_EITHER
template <class T, class X>
HPK_FORCEINLINE_FUNCTION constexpr T real_part(const X& x) {
  if constexpr (any_complex<X>) {
    return static_cast<T>(x.real());
  } else {
    return static_cast<T>(x);
  }
}
HPK_CALLS_EITHER
template <class T, class X>
HPK_FORCEINLINE_FUNCTION constexpr T imaginary_part(const X& x) {
  if constexpr (any_complex<X>) {
    return static_cast<T>(x.imag());
  } else {
    return T(0);
  }
}

}  // namespace hpk::detail

namespace hpk {

/// A complex number with parts of type T: float, double, long double (on hosts), or a half type.
/// Two T, the real part first, like std::complex<T>, so a View of either may wrap memory of the
/// other (reinterpret_cast of the pointer). Trivially copyable; zero by default. Aligned like T, or
/// to the size of both parts if HPK_COMPLEX_ALIGN is 1. A View of complex numbers may then wrap
/// only memory with that alignment, which checked builds test.
///
/// A product is (ac - bd, ad + bc) without further checks, so that it vectorises. If a factor is
/// infinite, parts of the product may be NaN; std::complex detects and corrects such products.
/// Quotients are corrected, and their intermediate results neither overflow nor underflow.
template <class T>
class alignas(detail::complex_alignment<T>) complex : complex_functions::complex_parts<T> {
  using parts = complex_functions::complex_parts<T>;
  using parts::im_, parts::re_;
  static_assert(detail::complex_part<T>,
                "hpk::complex: the parts are floating-point numbers; write hpk::complex<double>");

 public:
  using value_type = T;  ///< the type of the parts

  /// Zero.
  constexpr complex() noexcept = default;
  /// Constructs from the parts, or from a real number.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr complex(T re) noexcept : parts{re, T(0)} {}
  HPK_FORCEINLINE_FUNCTION constexpr complex(T re, T im) noexcept : parts{re, im} {}
  ///@}
  /// Converts from a complex or real number with parts of any type; hpk::complex, std::complex and
  /// similar types.
  HPK_CALLS_EITHER
  template <class C>
    requires(detail::any_complex<C> && !std::same_as<C, complex>)
  HPK_FORCEINLINE_FUNCTION constexpr complex(const C& other)
      : parts{static_cast<T>(other.real()), static_cast<T>(other.imag())} {}
  /// Converts to std::complex with the same parts, and to similar types.
  template <detail::other_complex C>
    requires std::same_as<typename C::value_type, T>
  constexpr operator C() const {
    return C(re_, im_);
  }
  /// Assigns a real number.
  HPK_FORCEINLINE_FUNCTION constexpr complex& operator=(T re) noexcept {
    re_ = re;
    im_ = T(0);
    return *this;
  }

  /// The real and the imaginary part, to read or to set.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr T& real() noexcept { return re_; }
  HPK_FORCEINLINE_FUNCTION constexpr T& imag() noexcept { return im_; }
  HPK_FORCEINLINE_FUNCTION constexpr T real() const noexcept { return re_; }
  HPK_FORCEINLINE_FUNCTION constexpr T imag() const noexcept { return im_; }
  HPK_FORCEINLINE_FUNCTION constexpr void real(T re) noexcept { re_ = re; }
  HPK_FORCEINLINE_FUNCTION constexpr void imag(T im) noexcept { im_ = im; }
  ///@}

  /// Operators with a complex number of any kind, or a real number; the result is rounded to T.
  ///@{
  HPK_CALLS_EITHER
  template <class X>
    requires detail::complex_operands<complex, X>
  HPK_FORCEINLINE_FUNCTION constexpr complex& operator+=(const X& x) {
    return *this = *this + x;
  }
  HPK_CALLS_EITHER
  template <class X>
    requires detail::complex_operands<complex, X>
  HPK_FORCEINLINE_FUNCTION constexpr complex& operator-=(const X& x) {
    return *this = *this - x;
  }
  HPK_CALLS_EITHER
  template <class X>
    requires detail::complex_operands<complex, X>
  HPK_FORCEINLINE_FUNCTION constexpr complex& operator*=(const X& x) {
    return *this = *this * x;
  }
  HPK_CALLS_EITHER
  template <class X>
    requires detail::complex_operands<complex, X>
  HPK_FORCEINLINE_FUNCTION constexpr complex& operator/=(const X& x) {
    return *this = *this / x;
  }
  ///@}

  /// Operations of volatile numbers, which Kokkos has deprecated, only in programs of the drop-in.
  ///@{
  // Templates, because a constructor that is not a template would be an additional copy constructor
  // and not trivial.
  template <std::same_as<complex> C>
    requires(static_cast<bool>(HPK_PERMISSIVE))
  HPK_FORCEINLINE_FUNCTION constexpr complex(const volatile C& other) noexcept
      : parts{other.real(), other.imag()} {}
  template <std::same_as<complex> C>
    requires(static_cast<bool>(HPK_PERMISSIVE))
  HPK_FORCEINLINE_FUNCTION constexpr complex& operator=(const volatile C& other) noexcept {
    return *this = complex(other);
  }
  template <class X>
    requires(static_cast<bool>(HPK_PERMISSIVE) &&
             (std::same_as<std::remove_cv_t<X>, complex> || std::same_as<X, T>))
  HPK_FORCEINLINE_FUNCTION constexpr void operator=(const X& x) volatile {
    const complex z(x);
    re_ = z.re_;
    im_ = z.im_;
  }
  HPK_FORCEINLINE_FUNCTION constexpr T real() const volatile noexcept
    requires(static_cast<bool>(HPK_PERMISSIVE))
  {
    return re_;
  }
  HPK_FORCEINLINE_FUNCTION constexpr T imag() const volatile noexcept
    requires(static_cast<bool>(HPK_PERMISSIVE))
  {
    return im_;
  }
  ///@}
#define HPK_DETAIL_COMPLEX_VOLATILE(op)                                                   \
  template <class X>                                                                      \
    requires(static_cast<bool>(HPK_PERMISSIVE) && std::convertible_to<const X&, complex>) \
  HPK_FORCEINLINE_FUNCTION constexpr void operator op##=(const X& x) volatile {           \
    *this = complex(*this) op complex(x);                                                 \
  }
  HPK_DETAIL_COMPLEX_VOLATILE(+)
  HPK_DETAIL_COMPLEX_VOLATILE(-)
  HPK_DETAIL_COMPLEX_VOLATILE(*)
  HPK_DETAIL_COMPLEX_VOLATILE(/)
#undef HPK_DETAIL_COMPLEX_VOLATILE

 private:
  template <std::size_t I, class U>
  HPK_FUNCTION friend constexpr const U& get(const complex<U>& z) noexcept;
};

/// Deduces the type of the parts from the arguments.
///@{
template <class T>
HPK_DEDUCTION_GUIDE complex(T) -> complex<T>;
template <class T>
HPK_DEDUCTION_GUIDE complex(T, T) -> complex<T>;
template <detail::other_complex C>
HPK_DEDUCTION_GUIDE complex(C) -> complex<typename C::value_type>;
///@}

/// The parts and the conjugate of a complex number. A real number has imaginary part 0; an integer
/// counts as double.
///@{
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T real(const complex<T>& z) noexcept {
  return z.real();
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T imag(const complex<T>& z) noexcept {
  return z.imag();
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr complex<T> conj(const complex<T>& z) noexcept {
  return {z.real(), -z.imag()};
}
template <detail::real_number R>
HPK_FORCEINLINE_FUNCTION constexpr auto real(R x) noexcept {
  return static_cast<std::conditional_t<std::is_integral_v<R>, double, R>>(x);
}
template <detail::real_number R>
HPK_FORCEINLINE_FUNCTION constexpr auto imag(R) noexcept {
  return std::conditional_t<std::is_integral_v<R>, double, R>(0);
}
template <detail::real_number R>
HPK_FORCEINLINE_FUNCTION constexpr auto conj(R x) noexcept {
  return complex<std::conditional_t<std::is_integral_v<R>, double, R>>(real(x));
}
///@}
/// The square of the magnitude.
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr T norm(const complex<T>& z) noexcept {
  return z.real() * z.real() + z.imag() * z.imag();
}

/// Arithmetic of complex numbers of any kind and real numbers. The parts of the result have the
/// common type of the operands' parts; an integer takes the type of the other operand.
///@{
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr complex<T> operator+(const complex<T>& z) noexcept {
  return z;
}
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr complex<T> operator-(const complex<T>& z) noexcept {
  return {-z.real(), -z.imag()};
}

HPK_CALLS_EITHER
template <class A, class B>
  requires detail::complex_operands<A, B>
HPK_FORCEINLINE_FUNCTION constexpr auto operator+(const A& a, const B& b) {
  using T = detail::common_part_t<A, B>;
  const T re = detail::real_part<T>(a) + detail::real_part<T>(b);
  if constexpr (!detail::any_complex<A>) {
    return complex<T>(re, detail::imaginary_part<T>(b));
  } else if constexpr (!detail::any_complex<B>) {
    return complex<T>(re, detail::imaginary_part<T>(a));
  } else {
    return complex<T>(re, detail::imaginary_part<T>(a) + detail::imaginary_part<T>(b));
  }
}
HPK_CALLS_EITHER
template <class A, class B>
  requires detail::complex_operands<A, B>
HPK_FORCEINLINE_FUNCTION constexpr auto operator-(const A& a, const B& b) {
  using T = detail::common_part_t<A, B>;
  const T re = detail::real_part<T>(a) - detail::real_part<T>(b);
  if constexpr (!detail::any_complex<A>) {
    return complex<T>(re, -detail::imaginary_part<T>(b));
  } else if constexpr (!detail::any_complex<B>) {
    return complex<T>(re, detail::imaginary_part<T>(a));
  } else {
    return complex<T>(re, detail::imaginary_part<T>(a) - detail::imaginary_part<T>(b));
  }
}
HPK_CALLS_EITHER
template <class A, class B>
  requires detail::complex_operands<A, B>
HPK_FORCEINLINE_FUNCTION constexpr auto operator*(const A& a, const B& b) {
  using T = detail::common_part_t<A, B>;
  const T x = detail::real_part<T>(a);
  const T y = detail::imaginary_part<T>(a);
  const T u = detail::real_part<T>(b);
  const T v = detail::imaginary_part<T>(b);
  if constexpr (!detail::any_complex<A>) {
    return complex<T>(x * u, x * v);
  } else if constexpr (!detail::any_complex<B>) {
    return complex<T>(x * u, y * u);
  } else {
    return complex<T>(x * u - y * v, x * v + y * u);
  }
}

HPK_CALLS_EITHER
template <class A, class B>
  requires detail::complex_operands<A, B>
HPK_FORCEINLINE_FUNCTION constexpr auto operator/(const A& a, const B& b) {
  using T = detail::common_part_t<A, B>;
  const T x = detail::real_part<T>(a);
  const T y = detail::imaginary_part<T>(a);
  if constexpr (!detail::any_complex<B>) {
    return complex<T>(x / static_cast<T>(b), y / static_cast<T>(b));
  } else {
    return detail::quotient<T>(x, y, detail::real_part<T>(b), detail::imaginary_part<T>(b));
  }
}
///@}

/// Whether both parts are equal; for complex and real numbers of any kind.
HPK_CALLS_EITHER
template <class A, class B>
  requires detail::complex_operands<A, B>
HPK_FORCEINLINE_FUNCTION constexpr bool operator==(const A& a, const B& b) {
  using T = detail::common_part_t<A, B>;
  return detail::real_part<T>(a) == detail::real_part<T>(b) &&
         detail::imaginary_part<T>(a) == detail::imaginary_part<T>(b);
}

/// The real (0) or imaginary (1) part, with the reference type of std::get.
///@{
template <std::size_t I, class T>
HPK_FORCEINLINE_FUNCTION constexpr const T& get(const complex<T>& z) noexcept {
  static_assert(I < 2, "hpk::get: a complex number has the parts 0 and 1");
  return I == 0 ? z.re_ : z.im_;
}
template <std::size_t I, class T>
HPK_FORCEINLINE_FUNCTION constexpr T& get(complex<T>& z) noexcept {
  return const_cast<T&>(hpk::get<I>(static_cast<const complex<T>&>(z)));
}
template <std::size_t I, class T>
HPK_FORCEINLINE_FUNCTION constexpr T&& get(complex<T>&& z) noexcept {
  return static_cast<T&&>(hpk::get<I>(z));
}
template <std::size_t I, class T>
HPK_FORCEINLINE_FUNCTION constexpr const T&& get(const complex<T>&& z) noexcept {
  return static_cast<const T&&>(hpk::get<I>(z));
}
///@}

/// Writes (re,im); reads (re,im), (re), or re, like std::complex.
///@{
template <class Stream, class T>
  requires requires(Stream& stream, T value) {
    stream.operator<<(value);
    stream.precision();
  }
Stream& operator<<(Stream& stream, const complex<T>& z) {
  stream << '(';
  stream << z.real();
  stream << ',';
  stream << z.imag();
  stream << ')';
  return stream;
}
template <class Stream, class T>
  requires requires(Stream& stream, T& value, char& c) {
    stream.operator>>(value);
    stream.putback(c);
  }
Stream& operator>>(Stream& stream, complex<T>& z) {
  T re = T(0);
  T im = T(0);
  char c = 0;
  bool right = static_cast<bool>(stream >> c);
  if (right && c == '(') {
    right = static_cast<bool>(stream >> re >> c);
    if (right && c == ',') right = static_cast<bool>(stream >> im >> c);
    right = right && c == ')';
  } else if (right) {
    stream.putback(c);
    right = static_cast<bool>(stream >> re);
  }
  if (right) {
    z = complex<T>(re, im);
  } else {
    stream.setstate(Stream::failbit);
  }
  return stream;
}
///@}

template <class T>
struct reduction_accumulator;

/// Sums and products of complex half numbers are accumulated in a wider type.
template <class T>
  requires requires { typename reduction_accumulator<T>::type; }
struct reduction_accumulator<complex<T>> {
  /// A complex number whose parts are accumulators of T.
  using type = complex<typename reduction_accumulator<T>::type>;
};

}  // namespace hpk

/// @cond internal
// Support for structured bindings.
template <class T>
struct std::tuple_size<hpk::complex<T>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class T>
struct std::tuple_element<I, hpk::complex<T>> {
  static_assert(I < 2, "hpk: a complex number has the parts 0 and 1");
  using type = T;
};
/// @endcond
