// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of whole registers from a library: SLEEF if HPK_WITH_SLEEF is 1 (set by
// the build when it finds SLEEF; the target hpk::simd links it), else glibc's libmvec if
// HPK_WITH_LIBMVEC is 1 (the default on x86-64 with glibc 2.35 or newer; libm links it). They are
// declared here under their symbols, because the headers of SLEEF include the headers of the
// processor.
#pragma once

#include <hpk/base/config.hpp>
#include <hpk/base/file_settings.hpp>
#include <hpk/simd/detail/native.hpp>

#if !defined(HPK_WITH_LIBMVEC)
#if HPK_DETAIL_SIMD_X86 && defined(__GLIBC__) && defined(__GLIBC_MINOR__)
#if __GLIBC__ == 2 && __GLIBC_MINOR__ >= 35
#define HPK_WITH_LIBMVEC 1
#endif
#endif
#endif
#if !defined(HPK_WITH_LIBMVEC)
#define HPK_WITH_LIBMVEC 0  ///< 1 when the program may call vector functions of glibc
#endif

namespace hpk::detail::vectors {

/// Whether vector functions come from SLEEF.
inline constexpr bool simd_sleef = HPK_WITH_SLEEF != 0;
/// The libraries of the vector functions. All files of a program must use the same ones.
inline constexpr const char* simd_libraries = HPK_WITH_SLEEF && HPK_WITH_LIBMVEC
                                                  ? "SLEEF and libmvec"
                                              : HPK_WITH_SLEEF   ? "SLEEF"
                                              : HPK_WITH_LIBMVEC ? "libmvec"
                                                                 : "none";

#if HPK_DETAIL_SIMD_VECTORS && !HPK_DETAIL_OF_LIBRARY
/// Records the library of vector functions that the including file uses, to compare it with other
/// files.
HPK_DETAIL_BEFORE_MAIN(record_vector_libraries) {
  require_same_setting("library of vector functions (HPK_WITH_SLEEF, HPK_WITH_LIBMVEC)",
                       simd_libraries, __BASE_FILE__,
                       "compile all files with the same macros, or with none");
}
#endif

/// Declares the names; the overloads below are the functions that a library has for vectors of the
/// compiler.
struct no_vector {};
#define HPK_DETAIL_LIBRARY_NAME(name) void library_##name(no_vector);
HPK_DETAIL_LIBRARY_NAME(exp)
HPK_DETAIL_LIBRARY_NAME(exp2)
HPK_DETAIL_LIBRARY_NAME(expm1)
HPK_DETAIL_LIBRARY_NAME(log)
HPK_DETAIL_LIBRARY_NAME(log2)
HPK_DETAIL_LIBRARY_NAME(log10)
HPK_DETAIL_LIBRARY_NAME(log1p)
HPK_DETAIL_LIBRARY_NAME(cbrt)
HPK_DETAIL_LIBRARY_NAME(sin)
HPK_DETAIL_LIBRARY_NAME(cos)
HPK_DETAIL_LIBRARY_NAME(tan)
HPK_DETAIL_LIBRARY_NAME(asin)
HPK_DETAIL_LIBRARY_NAME(acos)
HPK_DETAIL_LIBRARY_NAME(atan)
HPK_DETAIL_LIBRARY_NAME(sinh)
HPK_DETAIL_LIBRARY_NAME(cosh)
HPK_DETAIL_LIBRARY_NAME(tanh)
HPK_DETAIL_LIBRARY_NAME(asinh)
HPK_DETAIL_LIBRARY_NAME(acosh)
HPK_DETAIL_LIBRARY_NAME(atanh)
HPK_DETAIL_LIBRARY_NAME(erf)
HPK_DETAIL_LIBRARY_NAME(erfc)
HPK_DETAIL_LIBRARY_NAME(tgamma)
HPK_DETAIL_LIBRARY_NAME(lgamma)
HPK_DETAIL_LIBRARY_NAME(pow)
HPK_DETAIL_LIBRARY_NAME(atan2)
HPK_DETAIL_LIBRARY_NAME(hypot)
#undef HPK_DETAIL_LIBRARY_NAME

#if HPK_DETAIL_SIMD_VECTORS && (HPK_WITH_SLEEF || HPK_WITH_LIBMVEC)

// If both libraries are present, pow comes from libmvec, because it is about twice as fast as
// SLEEF's and also within 1 ulp (measured by unit_tests/simd/native_math.cpp; glibc promises 4).
#if HPK_WITH_SLEEF && HPK_WITH_LIBMVEC
#define HPK_DETAIL_LIBRARY_BOTH 1
#else
#define HPK_DETAIL_LIBRARY_BOTH 0
#endif

// Declares a function of one or two vectors under its symbol in the library.
#define HPK_DETAIL_LIBRARY_1(name, type, lanes, symbol)                                    \
  register_t<type, lanes> library_##name(register_t<type, lanes>) noexcept __asm__(symbol) \
      __attribute__((const));
#define HPK_DETAIL_LIBRARY_2(name, type, lanes, symbol)                                    \
  register_t<type, lanes> library_##name(register_t<type, lanes>,                          \
                                         register_t<type, lanes>) noexcept __asm__(symbol) \
      __attribute__((const));

#if HPK_WITH_SLEEF
// The variants with an error of at most 1 ulp ("u10"; erfc 1.5, hypot 0.5).
#if defined(__aarch64__)
#define HPK_DETAIL_LIBRARY_16 "advsimd"
#elif defined(__AVX2__) && defined(__FMA__)
#define HPK_DETAIL_LIBRARY_16 "avx2128"
#define HPK_DETAIL_LIBRARY_32 "avx2"
#elif defined(__SSE4_1__)
#define HPK_DETAIL_LIBRARY_16 "sse4"
#elif defined(__SSE2__)
#define HPK_DETAIL_LIBRARY_16 "sse2"
#endif
#if HPK_DETAIL_SIMD_BYTES == 64 && defined(__AVX512F__)
#define HPK_DETAIL_LIBRARY_64 "avx512f"
#endif
#define HPK_DETAIL_LIBRARY_OF(n, name, ulp, doubles, floats, isa)                        \
  HPK_DETAIL_LIBRARY_##n(name, double, doubles, "Sleef_" #name "d" #doubles "_" ulp isa) \
      HPK_DETAIL_LIBRARY_##n(name, float, floats, "Sleef_" #name "f" #floats "_" ulp isa)
#else
// Letters of the vector function ABI of x86-64: b is SSE, d AVX2, e AVX-512.
#define HPK_DETAIL_LIBRARY_16 "b"
#if defined(__AVX2__)
#define HPK_DETAIL_LIBRARY_32 "d"
#endif
#if HPK_DETAIL_SIMD_BYTES == 64
#define HPK_DETAIL_LIBRARY_64 "e"
#endif
#define HPK_DETAIL_LIBRARY_v1 "v_"
#define HPK_DETAIL_LIBRARY_v2 "vv_"
#define HPK_DETAIL_LIBRARY_OF(n, name, ulp, doubles, floats, isa)               \
  HPK_DETAIL_LIBRARY_##n(name, double, doubles,                                 \
                         "_ZGV" isa "N" #doubles HPK_DETAIL_LIBRARY_v##n #name) \
      HPK_DETAIL_LIBRARY_##n(name, float, floats,                               \
                             "_ZGV" isa "N" #floats HPK_DETAIL_LIBRARY_v##n #name "f")
#endif

#if defined(HPK_DETAIL_LIBRARY_16)
#define HPK_DETAIL_LIBRARY_OF_16(n, name, ulp) \
  HPK_DETAIL_LIBRARY_OF(n, name, ulp, 2, 4, HPK_DETAIL_LIBRARY_16)
#else
#define HPK_DETAIL_LIBRARY_OF_16(n, name, ulp)
#endif
#if defined(HPK_DETAIL_LIBRARY_32)
#define HPK_DETAIL_LIBRARY_OF_32(n, name, ulp) \
  HPK_DETAIL_LIBRARY_OF(n, name, ulp, 4, 8, HPK_DETAIL_LIBRARY_32)
#else
#define HPK_DETAIL_LIBRARY_OF_32(n, name, ulp)
#endif
#if defined(HPK_DETAIL_LIBRARY_64)
#define HPK_DETAIL_LIBRARY_OF_64(n, name, ulp) \
  HPK_DETAIL_LIBRARY_OF(n, name, ulp, 8, 16, HPK_DETAIL_LIBRARY_64)
#else
#define HPK_DETAIL_LIBRARY_OF_64(n, name, ulp)
#endif
#define HPK_DETAIL_LIBRARY(n, name, ulp) \
  HPK_DETAIL_LIBRARY_OF_16(n, name, ulp) \
  HPK_DETAIL_LIBRARY_OF_32(n, name, ulp) \
  HPK_DETAIL_LIBRARY_OF_64(n, name, ulp)

HPK_DETAIL_LIBRARY(1, exp, "u10")
HPK_DETAIL_LIBRARY(1, exp2, "u10")
HPK_DETAIL_LIBRARY(1, expm1, "u10")
#if HPK_WITH_SLEEF && HPK_DETAIL_SIMD_X86 && !defined(__FMA__)
// For two doubles SLEEF's log is slower than two calls of libm, which uses fma if the processor has
// it.
HPK_DETAIL_LIBRARY_1(log, float, 4, "Sleef_logf4_u10" HPK_DETAIL_LIBRARY_16)
#else
HPK_DETAIL_LIBRARY(1, log, "u10")
#endif
HPK_DETAIL_LIBRARY(1, log2, "u10")
HPK_DETAIL_LIBRARY(1, log10, "u10")
HPK_DETAIL_LIBRARY(1, log1p, "u10")
HPK_DETAIL_LIBRARY(1, cbrt, "u10")
HPK_DETAIL_LIBRARY(1, sin, "u10")
HPK_DETAIL_LIBRARY(1, cos, "u10")
HPK_DETAIL_LIBRARY(1, tan, "u10")
HPK_DETAIL_LIBRARY(1, asin, "u10")
HPK_DETAIL_LIBRARY(1, acos, "u10")
HPK_DETAIL_LIBRARY(1, atan, "u10")
HPK_DETAIL_LIBRARY(1, sinh, "u10")
HPK_DETAIL_LIBRARY(1, cosh, "u10")
HPK_DETAIL_LIBRARY(1, tanh, "u10")
HPK_DETAIL_LIBRARY(1, asinh, "u10")
HPK_DETAIL_LIBRARY(1, acosh, "u10")
HPK_DETAIL_LIBRARY(1, atanh, "u10")
HPK_DETAIL_LIBRARY(1, erf, "u10")
HPK_DETAIL_LIBRARY(1, erfc, "u15")
#if HPK_WITH_SLEEF
HPK_DETAIL_LIBRARY(1, tgamma, "u10")
HPK_DETAIL_LIBRARY(1, lgamma, "u10")
#endif
#if !HPK_DETAIL_LIBRARY_BOTH
HPK_DETAIL_LIBRARY(2, pow, "u10")
#else
HPK_DETAIL_LIBRARY_OF_64(2, pow, "u10")
HPK_DETAIL_LIBRARY_2(pow, double, 2, "_ZGVbN2vv_pow")
HPK_DETAIL_LIBRARY_2(pow, float, 4, "_ZGVbN4vv_powf")
#if defined(HPK_DETAIL_LIBRARY_32)
HPK_DETAIL_LIBRARY_2(pow, double, 4, "_ZGVdN4vv_pow")
HPK_DETAIL_LIBRARY_2(pow, float, 8, "_ZGVdN8vv_powf")
#endif
#endif
HPK_DETAIL_LIBRARY(2, atan2, "u10")
HPK_DETAIL_LIBRARY(2, hypot, "u05")

#undef HPK_DETAIL_LIBRARY_BOTH
#undef HPK_DETAIL_LIBRARY
#undef HPK_DETAIL_LIBRARY_1
#undef HPK_DETAIL_LIBRARY_2
#undef HPK_DETAIL_LIBRARY_OF
#undef HPK_DETAIL_LIBRARY_OF_16
#undef HPK_DETAIL_LIBRARY_OF_32
#undef HPK_DETAIL_LIBRARY_OF_64
#undef HPK_DETAIL_LIBRARY_16
#undef HPK_DETAIL_LIBRARY_32
#undef HPK_DETAIL_LIBRARY_64
#endif

}  // namespace hpk::detail::vectors
