// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logarithms, and sine and cosine of float lanes, for processors with fma: less than 1 ulp, at
// twice the speed of SLEEF. They use Cody and Waite's reductions (Software Manual for the
// Elementary Functions, 1980) with the rounding errors of the large terms added back, and minimax
// polynomials of Cephes for float and of fdlibm for double. A vector with a lane outside the
// ordinary range is passed to the library.
#pragma once

#include <hpk/simd/detail/native_x86.hpp>
#include <hpk/simd/permute.hpp>

#include <limits>
#include <type_traits>

namespace hpk::detail::vectors {

/// Whether V uses the functions of this file.
template <class V>
inline constexpr bool is_fused =
    simd_fma && !simd_fast_math && simd_parts<typename V::value_type, V::size()>::width != 1;
template <class V>
inline constexpr bool is_fused_float = is_fused<V> && std::is_same_v<typename V::value_type, float>;

/// Returns a * b + c, rounded once.
template <class V>
HPK_FORCEINLINE_FUNCTION V fused(const V& a, const V& b, const V& c) {
  using parts = std::remove_cvref_t<decltype(parts_of(a))>;
  parts r;
  HPK_DETAIL_PARTS(parts::count, r.v[k] = native_fma<typename V::value_type, parts::width>(
                                     parts_of(a).v[k], parts_of(b).v[k], parts_of(c).v[k]))
  return simd_access::make<V>(r);
}
template <class V, class T>
HPK_FORCEINLINE_FUNCTION V polynomial(const V&, T last) {
  return V(last);
}
/// Returns first + x * (next + x * ...).
template <class V, class T, class... C>
HPK_FORCEINLINE_FUNCTION V polynomial(const V& x, T first, C... next) {
  return fused(x, polynomial(x, next...), V(first));
}

/// Returns the logarithm. Sets `valid` for the lanes where it is correct: positive normal numbers.
template <class V>
  requires std::is_same_v<typename V::value_type, float>
HPK_FORCEINLINE_FUNCTION V fused_log(const V& x, typename V::mask_type& valid) {
  using I = rebind_t<int, V>;
  valid = x >= V(0x1p-126f) && x < V(__builtin_inff());
  // x = 2^k * (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1), exactly.
  const I bits = simd_bit_cast<int>(x);
  const I exponent = (bits - I(0x3f3504f3)) >> 23;
  const V k(exponent);
  const V f = simd_bit_cast<float>(bits - (exponent << 23)) - V(1.0f);
  const V square = f * f;
  const V half = V(-0.5f);
  const V p = polynomial(f, 3.3333331174e-1f, -2.4999993993e-1f, 2.0000714765e-1f,
                         -1.6668057665e-1f, 1.4249322787e-1f, -1.2420140846e-1f, 1.1676998740e-1f,
                         -1.1514610310e-1f, 7.0376836292e-2f);
  // Compute f - f^2 / 2 as high + low, then k log(2) in the same way.
  const V high = fused(half, square, f);
  V low = fused(half, square, f - high);
  low = fused(half, fused(f, f, -square), low);
  const V whole = k * V(0.693359375f);
  const V sum = whole + high;
  low += high - (sum - whole);
  low = fused(k, V(-2.12194440e-4f), fused(f * square, p, low));
  return sum + low;
}

template <class V>
  requires std::is_same_v<typename V::value_type, double>
HPK_FORCEINLINE_FUNCTION V fused_log(const V& x, typename V::mask_type& valid) {
  using U = rebind_t<unsigned long long, V>;
  valid = x >= V(0x1p-1022) && x < V(__builtin_inf());
  // As for float, but the exponent becomes a double as the lower bits of 2^52, because few
  // processors convert 64-bit integers.
  const U bits = simd_bit_cast<unsigned long long>(x);
  constexpr unsigned long long one = 0x3ff0000000000000;
  const U biased = (bits + U(one - 0x3fe6a09e667f3bcd)) >> 52;
  const V k = simd_bit_cast<double>(biased | U(0x4330000000000000)) - V(0x1p52 + 1023);
  const V f = simd_bit_cast<double>(bits - (biased << 52) + U(one)) - V(1.0);
  const V s = f / (f + V(2.0));
  const V square = s * s;
  const V p = square * polynomial(square, 6.666666666666735130e-01, 3.999999999940941908e-01,
                                  2.857142874366239149e-01, 2.222219843214978396e-01,
                                  1.818357216161805012e-01, 1.531383769920937332e-01,
                                  1.479819860511658591e-01);
  const V half = V(0.5) * f * f;
  const V low = fused(s, half + p, k * V(1.90821492927058770002e-10));
  // Compute f - (half - low), with f - half as high + rest.
  const V high = f - half;
  const V rest = (f - high) - half;
  const V whole = k * V(6.93147180369123816490e-01);
  const V sum = whole + high;
  return sum + ((high - (sum - whole)) + (rest + low));
}

/// Returns the sine or the cosine. Sets `valid` for the lanes where it is correct: up to 8192,
/// except close to a multiple of pi/2.
template <bool Cosine, class V>
HPK_FORCEINLINE_FUNCTION V fused_sine(const V& x, typename V::mask_type& valid) {
  using I = rebind_t<int, V>;
  // Round k = x / (pi/2) to the nearest integer, in the lower bits of a large sum, and compute x -
  // k * (pi/2) as high + low. The first difference is exact.
  const V rounder(0x1.8p23f);
  const V shifted = fused(x, V(0x1.45f306p-1f), rounder);
  const V whole = shifted - rounder;
  const V first = fused(whole, V(-0x1.921fb6p0f), x);
  // A zero gets the sign of x, so that the sine of -0 is -0.
  const V k = simd_bit_cast<float>(simd_bit_cast<int>(whole) |
                                   (simd_bit_cast<int>(x) & I(std::numeric_limits<int>::min())));
  const V product = k * V(-0x1.777a5cp-25f);
  const auto size = [](const V& v) {
    return simd_bit_cast<float>(simd_bit_cast<int>(v) & I(std::numeric_limits<int>::max()));
  };
  valid = size(x) <= V(8192.0f) && size(first) >= size(product);
  const V high = first - product;
  V low = (first - high) - product;
  low -= fused(k, V(-0x1.777a5cp-25f), -product);
  low = fused(k, V(0x1.ee59dap-50f), low);

  const V square = high * high;
  V sine =
      high + fused(high * square,
                   polynomial(square, -1.6666654611e-1f, 8.3321608736e-3f, -1.9515295891e-4f), low);
  // Sums of zeros have lost the sign; restore it.
  const I sign(std::numeric_limits<int>::min());
  sine = simd_bit_cast<float>(simd_bit_cast<int>(sine) | (simd_bit_cast<int>(high) & sign));
  const V one(1.0f);
  const V rest = fused(V(-0.5f), square, one);
  V small = fused(V(-0.5f), square, one - rest);
  small = fused(-high, low, small);
  const V cosine = rest + fused(square * square,
                                polynomial(square, 4.166664568298827e-2f, -1.388731625493765e-3f,
                                           2.443315711809948e-5f),
                                small);
  const I quarter = simd_bit_cast<int>(shifted) + I(Cosine ? 1 : 0);
  const V result = hpk::select((quarter & I(1)) != I(0), cosine, sine);
  return simd_bit_cast<float>(simd_bit_cast<int>(result) ^ ((quarter & I(2)) << 30));
}

}  // namespace hpk::detail::vectors
