// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of hpk on the calling thread, compared with loops that the compiler vectorises by itself
// (auto) and with `omp simd` (omp): axpy, dot, a square root under a condition, a five-point
// stencil and a gather, 4 Ki elements in the cache and 1 Mi outside. Also exp, log, sin, cos and
// pow, compared with the scalar functions of the C library.
#include "pair.hpp"
#include "simd_kernels.hpp"
#include "topics.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace bench {

namespace {

/// Arguments of a kernel: reproducible, of both signs, exact in float.
template <class T>
struct arrays {
  explicit arrays(long n) : x(size(n)), y(size(n)), index(size(n)) {
    unsigned state = 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      state = state * 1664525u + 1013904223u;
      x[i] = static_cast<T>(static_cast<int>(state >> 8) % 1000) / T(512) - T(0.75);
      index[i] = static_cast<int>((state >> 9) % static_cast<unsigned>(n));
    }
  }
  /// The same numbers, all positive.
  const T* positive() const {
    static const std::vector<T> values = [this] {
      std::vector<T> v(x);
      for (T& value : v) value = std::abs(value) + T(0.01);
      return v;
    }();
    return values.data();
  }
  static std::size_t size(long n) { return static_cast<std::size_t>(n); }
  std::vector<T> x;
  std::vector<T> y;
  std::vector<int> index;
};

/// Whether two results differ only by rounding.
template <class T>
bool close(const std::vector<T>& a, const std::vector<T>& b) {
  const T bound = std::sqrt(std::numeric_limits<T>::epsilon());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= bound * (1 + std::abs(a[i])))) return false;
  return true;
}

/// A pair of kernels (n, x, y).
template <class T>
void add_kernels(const std::string& name, long n, void (*hpk)(long, const arrays<T>&, T*),
                 void (*hand)(long, const arrays<T>&, T*)) {
  add("simd", "Serial", name + (sizeof(T) == 8 ? "_double" : "_float"), n, [=](comparison& pair) {
    arrays<T> data(n);
    std::vector<T> by_hand(data.y);
    hpk(n, data, data.y.data());
    hand(n, data, by_hand.data());
    pair.agree(close(data.y, by_hand));
    T* const y = data.y.data();
    pair.time([&] { hpk(n, data, y); }, [&] { hand(n, data, y); });
  });
}

#define KERNEL(name, variant, ...)                                               \
  add_kernels<T>(                                                                \
      #name "_" #variant, n,                                                     \
      [](long count, const arrays<T>& a, T* y) { name##_simd<T>(__VA_ARGS__); }, \
      [](long count, const arrays<T>& a, T* y) { name##_##variant<T>(__VA_ARGS__); });
#define KERNELS(name, ...)        \
  KERNEL(name, auto, __VA_ARGS__) \
  KERNEL(name, omp, __VA_ARGS__)

template <class T>
void add_loops(long n) {
  KERNELS(axpy, count, T(0.0009765625), a.x.data(), y)
  KERNELS(root, count, a.x.data(), y)
  KERNELS(gather, count, a.index.data(), a.x.data(), y)
  KERNELS(stencil, count == 4096 ? 64 : 1024, a.x.data(), y)
  add_kernels<T>(
      "dot_auto", n,
      [](long count, const arrays<T>& a, T* y) { *y = dot_simd<T>(count, a.x.data(), a.x.data()); },
      [](long count, const arrays<T>& a, T* y) {
        *y = dot_auto<T>(count, a.x.data(), a.x.data());
      });
  add_kernels<T>(
      "dot_omp", n,
      [](long count, const arrays<T>& a, T* y) { *y = dot_simd<T>(count, a.x.data(), a.x.data()); },
      [](long count, const arrays<T>& a, T* y) { *y = dot_omp<T>(count, a.x.data(), a.x.data()); });
}

template <class T>
void add_functions() {
  constexpr long n = 4096;
  KERNEL(exp, scalar, count, a.x.data(), y)
  KERNEL(sin, scalar, count, a.x.data(), y)
  KERNEL(cos, scalar, count, a.x.data(), y)
  // For positive numbers only.
  add_kernels<T>(
      "log_scalar", n,
      [](long count, const arrays<T>& a, T* y) { log_simd<T>(count, a.positive(), y); },
      [](long count, const arrays<T>& a, T* y) { log_scalar<T>(count, a.positive(), y); });
  add_kernels<T>(
      "pow_scalar", n,
      [](long count, const arrays<T>& a, T* y) { pow_simd<T>(count, a.positive(), y); },
      [](long count, const arrays<T>& a, T* y) { pow_scalar<T>(count, a.positive(), y); });
}
#undef KERNELS
#undef KERNEL

}  // namespace

void add_simd() {
  for (const long n : {4096L, 1048576L}) {
    add_loops<double>(n);
    add_loops<float>(n);
  }
  add_functions<double>();
  add_functions<float>();
}

}  // namespace bench
