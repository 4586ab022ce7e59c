// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers: the functions of hpk::, complex and half types, Array and bits, in a loop of Serial,
// compared with those of the standard library in a plain loop over the same memory. 8 Ki elements,
// in the cache.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/array.hpp>
#include <hpk/bit.hpp>
#include <hpk/complex.hpp>
#include <hpk/half.hpp>
#include <hpk/math.hpp>
#include <hpk/min_max.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

namespace bench {

namespace {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;

constexpr int count = 8192;

/// Returns the k-th argument, between 0.5 and 7.5.
template <class T>
struct argument {
  static T of(int k) { return T(0.5 + 7.0 * ((k * 37) % 101) / 101); }
};
template <std::integral T>
struct argument<T> {
  static T of(int k) { return static_cast<T>(k * 0x9E3779B97F4A7C15u); }
};
template <class T>
struct argument<hpk::complex<T>> {
  static hpk::complex<T> of(int k) { return {argument<T>::of(k), argument<T>::of(k + 50) - T(4)}; }
};
template <class T>
struct argument<std::complex<T>> {
  static std::complex<T> of(int k) { return argument<hpk::complex<T>>::of(k); }
};
template <class T>
struct argument<hpk::Array<T, 4>> {
  static hpk::Array<T, 4> of(int k) { return {T(k), T(k + 1), T(k % 3), T(k % 5)}; }
};
template <class T>
struct argument<std::array<T, 4>> {
  static std::array<T, 4> of(int k) { return {T(k), T(k + 1), T(k % 3), T(k % 5)}; }
};

template <class T>
using view = hpk::View<T*, hpk::HostSpace>;

template <class T>
view<T> arguments(int which) {
  const view<T> all("arguments", count);
  for (int k = 0; k < count; ++k) all(k) = argument<T>::of(k + 11 * which);
  return all;
}

/// Whether values have the same bits; floating-point and complex numbers may differ slightly.
template <class A, class B>
bool nearly(const A& a, const B& b) {
  if constexpr (std::is_floating_point_v<A>) {
    return a == b || std::abs(a - b) <= 64 * std::numeric_limits<A>::epsilon() * std::abs(b);
  } else if constexpr (requires { a.imag(); }) {
    using T = typename B::value_type;
    return std::abs(std::complex<T>(a) - b) <= 64 * std::numeric_limits<T>::epsilon() * std::abs(b);
  } else {
    static_assert(sizeof(A) == sizeof(B));
    return std::memcmp(&a, &b, sizeof(A)) == 0;
  }
}

/// Compares Ours for pairs of A with Theirs for pairs of B; the results have types R and S.
template <class A, class B = A, class Ours, class Theirs>
void add_function(const std::string& name, const Ours& ours, const Theirs& theirs) {
  using R = decltype(ours(A(), A()));
  using S = decltype(theirs(B(), B()));
  add("math", "Serial", name, count, [=](comparison& pair) {
    const view<A> x = arguments<A>(0);
    const view<A> y = arguments<A>(1);
    const view<R> out("results", count);
    const auto kernel = [=](int i) { out(i) = ours(x(i), y(i)); };
    const hpk::RangePolicy<hpk::Serial> range(0, count);
    const auto hpk_side = [&] { hpk::parallel_for(range, kernel); };
    const B* const a = reinterpret_cast<const B*>(x.data());
    const B* const b = reinterpret_cast<const B*>(y.data());
    S* const result = reinterpret_cast<S*>(out.data());
    const auto hand_side = [=] {
      for (int i = 0; i < count; ++i) result[i] = theirs(a[i], b[i]);
    };
    hpk_side();
    const std::vector<R> kept(out.data(), out.data() + count);
    hand_side();
    bool same = true;
    for (int i = 0; i < count; ++i)
      same = same && nearly(kept[static_cast<std::size_t>(i)], result[i]);
    pair.agree(same);
    pair.time(hpk_side, hand_side);
  });
}

template <class T>
void add_of_reals(const std::string& type) {
  const auto one = [&](const char* name, const auto& ours, const auto& theirs) {
    add_function<T>(name + ("_" + type), ours, theirs);
  };
  one("exp", [](T x, T) { return hpk::exp(x); }, [](T x, T) { return std::exp(x); });
  one("log", [](T x, T) { return hpk::log(x); }, [](T x, T) { return std::log(x); });
  one("sin", [](T x, T) { return hpk::sin(x); }, [](T x, T) { return std::sin(x); });
  one("tanh", [](T x, T) { return hpk::tanh(x); }, [](T x, T) { return std::tanh(x); });
  one("pow", [](T x, T y) { return hpk::pow(x, y); }, [](T x, T y) { return std::pow(x, y); });
  one(
      "hypot", [](T x, T y) { return hpk::hypot(x, y); },
      [](T x, T y) { return std::hypot(x, y); });
  one("sqrt", [](T x, T) { return hpk::sqrt(x); }, [](T x, T) { return std::sqrt(x); });
  one("rsqrt", [](T x, T) { return hpk::rsqrt(x); }, [](T x, T) { return 1 / std::sqrt(x); });
  one("fabs", [](T x, T) { return hpk::fabs(x); }, [](T x, T) { return std::fabs(x); });
  one("floor", [](T x, T) { return hpk::floor(x); }, [](T x, T) { return std::floor(x); });
  one(
      "fma", [](T x, T y) { return hpk::fma(x, y, x); },
      [](T x, T y) { return std::fma(x, y, x); });
  one("fmax", [](T x, T y) { return hpk::fmax(x, y); }, [](T x, T y) { return std::fmax(x, y); });
  one("max", [](T x, T y) { return hpk::max(x, y); }, [](T x, T y) { return std::max(x, y); });
  one("min", [](T x, T y) { return hpk::min(x, y); }, [](T x, T y) { return std::min(x, y); });
  one(
      "clamp", [](T x, T y) { return hpk::clamp(x, T(1), hpk::max(y, T(1))); },
      [](T x, T y) { return std::clamp(x, T(1), std::max(y, T(1))); });
  one(
      "isnan", [](T x, T y) { return hpk::isnan(x) ? x : y; },
      [](T x, T y) { return std::isnan(x) ? x : y; });

  using ours = hpk::complex<T>;
  using theirs = std::complex<T>;
  const auto of_complex = [&](const char* name, const auto& f, const auto& g) {
    add_function<ours, theirs>(std::string("complex_") + name + "_" + type, f, g);
  };
  of_complex("add", [](ours x, ours y) { return x + y; }, [](theirs x, theirs y) { return x + y; });
  of_complex("mul", [](ours x, ours y) { return x * y; }, [](theirs x, theirs y) { return x * y; });
  of_complex("div", [](ours x, ours y) { return x / y; }, [](theirs x, theirs y) { return x / y; });
  of_complex(
      "by_real", [](ours x, ours y) { return x * y.real(); },
      [](theirs x, theirs y) { return x * y.real(); });
  of_complex(
      "abs", [](ours x, ours) { return hpk::abs(x); },
      [](theirs x, theirs) { return std::abs(x); });
  of_complex(
      "norm", [](ours x, ours) { return hpk::norm(x); },
      [](theirs x, theirs) { return std::norm(x); });
  of_complex(
      "conj", [](ours x, ours) { return hpk::conj(x); },
      [](theirs x, theirs) { return std::conj(x); });
  of_complex(
      "exp", [](ours x, ours) { return hpk::exp(x); },
      [](theirs x, theirs) { return std::exp(x); });
  of_complex(
      "sqrt", [](ours x, ours) { return hpk::sqrt(x); },
      [](theirs x, theirs) { return std::sqrt(x); });
  of_complex(
      "log", [](ours x, ours) { return hpk::log(x); },
      [](theirs x, theirs) { return std::log(x); });
  of_complex(
      "sin", [](ours x, ours) { return hpk::sin(x); },
      [](theirs x, theirs) { return std::sin(x); });
  of_complex(
      "pow", [](ours x, ours y) { return hpk::pow(x, y); },
      [](theirs x, theirs y) { return std::pow(x, y); });
  of_complex(
      "pow_real", [](ours x, ours y) { return hpk::pow(x, y.real()); },
      [](theirs x, theirs y) { return std::pow(x, y.real()); });

  using array = hpk::Array<T, 4>;
  using standard = std::array<T, 4>;
  add_function<array, standard>(
      "array_" + type,
      [](const array& x, const array& y) {
        array sum;
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = x[k] + y[k];
        return sum;
      },
      [](const standard& x, const standard& y) {
        standard sum;
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = x[k] + y[k];
        return sum;
      });
}

template <class T>
void add_of_bits(const std::string& type) {
  const auto one = [&](const char* name, const auto& ours, const auto& theirs) {
    add_function<T>(name + ("_" + type), ours, theirs);
  };
  one("popcount", [](T x, T) { return hpk::popcount(x); }, [](T x, T) { return std::popcount(x); });
  one(
      "countl_zero", [](T x, T) { return hpk::countl_zero(x); },
      [](T x, T) { return std::countl_zero(x); });
  one(
      "countr_zero", [](T x, T) { return hpk::countr_zero(x); },
      [](T x, T) { return std::countr_zero(x); });
  one(
      "bit_width", [](T x, T) { return hpk::bit_width(x); },
      [](T x, T) { return static_cast<int>(std::bit_width(x)); });
  one(
      "rotl", [](T x, T y) { return hpk::rotl(x, static_cast<int>(y & 31)); },
      [](T x, T y) { return std::rotl(x, static_cast<int>(y & 31)); });
}

// The standard library of C++20 has no half type. The compiler's type (std::float16_t in C++23)
// computes by library calls if the processor has no instructions for it.
#if HPK_HAS_FLOAT16
using wide_half = _Float16;
#else
using wide_half = half_t;
#endif

void add_of_halves() {
  add_function<half_t, wide_half>(
      "half_to_float", [](half_t x, half_t) { return static_cast<float>(x); },
      [](wide_half x, wide_half) { return static_cast<float>(x); });
  add_function<float>(
      "float_to_half", [](float x, float) { return static_cast<half_t>(x); },
      [](float x, float) { return static_cast<wide_half>(x); });
  add_function<half_t, wide_half>(
      "half_add", [](half_t x, half_t y) { return x + y; },
      [](wide_half x, wide_half y) { return static_cast<wide_half>(x + y); });
  add_function<half_t, wide_half>(
      "half_sqrt", [](half_t x, half_t) { return hpk::sqrt(x); },
      [](wide_half x, wide_half) {
        return static_cast<wide_half>(std::sqrt(static_cast<float>(x)));
      });
  // Conversions of bhalf_t, compared with hand-written ones.
  add_function<bhalf_t, std::uint16_t>(
      "bhalf_to_float", [](bhalf_t x, bhalf_t) { return static_cast<float>(x); },
      [](std::uint16_t x, std::uint16_t) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16);
      });
  add_function<float>(
      "float_to_bhalf", [](float x, float) { return static_cast<bhalf_t>(x); },
      [](float x, float) {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const std::uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
        return static_cast<std::uint16_t>((x != x ? bits | 0x400000 : rounded) >> 16);
      });
  add("math", "Serial", "half_sum", count, [](comparison& pair) {
    const view<half_t> x = arguments<half_t>(0);
    const auto* const there = reinterpret_cast<const wide_half*>(x.data());
    half_t ours = 0;
    float theirs = 0;
    const auto kernel = [=](int i, half_t& u) { u += x(i); };
    const hpk::RangePolicy<hpk::Serial> range(0, count);
    const auto hpk_side = [&] { hpk::parallel_reduce(range, kernel, ours); };
    const auto hand_side = [=, &theirs] {
      float sum = 0;
      for (int i = 0; i < count; ++i) sum += static_cast<float>(there[i]);
      theirs = sum;
    };
    hpk_side();
    hand_side();
    pair.agree(ours == half_t(theirs));
    pair.time(hpk_side, hand_side);
  });
  add("math", "Serial", "complex_sum", count, [](comparison& pair) {
    using number = hpk::complex<double>;
    const view<number> x = arguments<number>(0);
    const auto* const there = reinterpret_cast<const std::complex<double>*>(x.data());
    number ours;
    std::complex<double> theirs;
    const auto kernel = [=](int i, number& u) { u += x(i); };
    const hpk::RangePolicy<hpk::Serial> range(0, count);
    const auto hpk_side = [&] { hpk::parallel_reduce(range, kernel, ours); };
    const auto hand_side = [=, &theirs] {
      std::complex<double> sum = 0;
      for (int i = 0; i < count; ++i) sum += there[i];
      theirs = sum;
    };
    hpk_side();
    hand_side();
    pair.agree(std::abs(std::complex<double>(ours) - theirs) <= 1e-12 * std::abs(theirs));
    pair.time(hpk_side, hand_side);
  });
}

}  // namespace

void add_math() {
  add_of_reals<double>("double");
  add_of_reals<float>("float");
  add_of_bits<std::uint32_t>("uint32");
  add_of_bits<std::uint64_t>("uint64");
  add_of_halves();
}

}  // namespace bench
