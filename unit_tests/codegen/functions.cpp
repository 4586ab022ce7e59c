// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over functions of hpk:: and over the same functions of std::, in pairs ours_X and theirs_X.
// same_code.py checks that both compile to the same instructions, so that none is slower. isnormal
// and the other functions of bits have a different implementation; benchmarks compare those (topic
// math).
#include <hpk/bit.hpp>
#include <hpk/complex.hpp>
#include <hpk/math.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>

// One function of this name for each type. The result has the return type of the function.
#define LOOP(side, space, name, type, ...)                                                     \
  void side##_##name##_##type(const type* a, const type* b, void* results, int n) {            \
    for (int i = 0; i < n; ++i) {                                                              \
      [[maybe_unused]] const type x = a[i], y = b[i];                                          \
      static_cast<decltype(space::name(__VA_ARGS__))*>(results)[i] = space::name(__VA_ARGS__); \
    }                                                                                          \
  }
#define PAIR(name, type, ...)              \
  LOOP(ours, hpk, name, type, __VA_ARGS__) \
  LOOP(theirs, std, name, type, __VA_ARGS__)
#define REAL(name, ...)          \
  PAIR(name, float, __VA_ARGS__) \
  PAIR(name, double, __VA_ARGS__)
#define WORD(name, ...)             \
  PAIR(name, uint16_t, __VA_ARGS__) \
  PAIR(name, uint32_t, __VA_ARGS__) \
  PAIR(name, uint64_t, __VA_ARGS__)
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

REAL(abs, x)
REAL(fabs, x)
REAL(exp, x)
REAL(exp2, x)
REAL(expm1, x)
REAL(log, x)
REAL(log10, x)
REAL(log2, x)
REAL(log1p, x)
REAL(sqrt, x)
REAL(cbrt, x)
REAL(sin, x)
REAL(cos, x)
REAL(tan, x)
REAL(asin, x)
REAL(acos, x)
REAL(atan, x)
REAL(sinh, x)
REAL(cosh, x)
REAL(tanh, x)
REAL(asinh, x)
REAL(acosh, x)
REAL(atanh, x)
REAL(erf, x)
REAL(erfc, x)
REAL(tgamma, x)
REAL(lgamma, x)
REAL(ceil, x)
REAL(floor, x)
REAL(trunc, x)
REAL(round, x)
REAL(nearbyint, x)
REAL(rint, x)
REAL(logb, x)
REAL(lround, x)
REAL(lrint, x)
REAL(llround, x)
REAL(llrint, x)
REAL(ilogb, x)
REAL(isfinite, x)
REAL(isinf, x)
REAL(isnan, x)
REAL(signbit, x)
REAL(fmod, x, y)
REAL(remainder, x, y)
REAL(fmax, x, y)
REAL(fmin, x, y)
REAL(fdim, x, y)
REAL(pow, x, y)
REAL(hypot, x, y)
REAL(atan2, x, y)
REAL(nextafter, x, y)
REAL(copysign, x, y)
REAL(isgreater, x, y)
REAL(isgreaterequal, x, y)
REAL(isless, x, y)
REAL(islessequal, x, y)
REAL(islessgreater, x, y)
REAL(isunordered, x, y)
REAL(fma, x, y, x)
WORD(popcount, x)
WORD(rotl, x, 5)
WORD(rotr, x, 5)

void ours_conj_double(const hpk::complex<double>* a, hpk::complex<double>* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = hpk::conj(a[i]);
}
void theirs_conj_double(const std::complex<double>* a, std::complex<double>* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = std::conj(a[i]);
}
