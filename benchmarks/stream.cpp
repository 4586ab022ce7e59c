// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The five STREAM kernels, in cache and in memory; the triad also with stores past the caches.
#include "pair.hpp"
#include "topics.hpp"

#if HPK_HAS_STREAMING_STORES
#include <emmintrin.h>
#endif

namespace bench {

namespace {

constexpr double scalar = 0.5;

// Stores that bypass the caches, with the final fence; ordinary stores if the processor has none.
void store_past_caches(double* to, double value) {
#if HPK_HAS_STREAMING_STORES
  long long word;
  __builtin_memcpy(&word, &value, sizeof(word));
  _mm_stream_si64(reinterpret_cast<long long*>(to), word);
#else
  *to = value;
#endif
}
void wait_for_stores() {
#if HPK_HAS_STREAMING_STORES
  _mm_sfence();
#endif
}

// The hand-written loops for Serial.
struct plain {
  static void copy(const double* a, double* c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i];
  }
  static void mul(double* b, const double* c, int n) {
    for (int i = 0; i < n; ++i) b[i] = scalar * c[i];
  }
  static void add(const double* a, const double* b, double* c, int n) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
  static void triad(double* a, const double* b, const double* c, int n) {
    for (int i = 0; i < n; ++i) a[i] = b[i] + scalar * c[i];
  }
  static void triad_streaming(double* a, const double* b, const double* c, int n) {
    for (int i = 0; i < n; ++i) store_past_caches(a + i, b[i] + scalar * c[i]);
    wait_for_stores();
  }
  static double dot(const double* a, const double* b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
};

// The hand-written OpenMP loops for the other spaces.
struct parallel {
  static void copy(const double* a, double* c, int n) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) c[i] = a[i];
  }
  static void mul(double* b, const double* c, int n) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) b[i] = scalar * c[i];
  }
  static void add(const double* a, const double* b, double* c, int n) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  }
  static void triad(double* a, const double* b, const double* c, int n) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) a[i] = b[i] + scalar * c[i];
  }
  static void triad_streaming(double* a, const double* b, const double* c, int n) {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
      for (int i = 0; i < n; ++i) store_past_caches(a + i, b[i] + scalar * c[i]);
      wait_for_stores();
    }
  }
  static double dot(const double* a, const double* b, int n) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
};

template <class Space>
struct kernels {
  using loops = std::conditional_t<is_serial<Space>, plain, parallel>;

  int n;
  array a = work_array(0, n);
  array b = work_array(1, n);
  array c = work_array(2, n);

  explicit kernels(index_t length) : n(static_cast<int>(length)) {
    fill_integers(a, 7);
    fill_integers(b, 11);
    fill_integers(c, 13);
  }

  template <class Kernel, class Hand>
  void compare(comparison& pair, const array& out, const Kernel& kernel, const Hand& hand) const {
    const auto hpk = [&] { hpk::parallel_for("stream", hpk::RangePolicy<Space>(0, n), kernel); };
    pair.agree(same_effect(out, hpk, hand));
    pair.time(hpk, hand);
  }
  void copy(comparison& pair) const {
    compare(
        pair, c, [a = a, c = c](int i) { c(i) = a(i); },
        [this] { loops::copy(a.data(), c.data(), n); });
  }
  void mul(comparison& pair) const {
    compare(
        pair, b, [b = b, c = c](int i) { b(i) = scalar * c(i); },
        [this] { loops::mul(b.data(), c.data(), n); });
  }
  void add(comparison& pair) const {
    compare(
        pair, c, [a = a, b = b, c = c](int i) { c(i) = a(i) + b(i); },
        [this] { loops::add(a.data(), b.data(), c.data(), n); });
  }
  void triad(comparison& pair) const {
    compare(
        pair, a, [a = a, b = b, c = c](int i) { a(i) = b(i) + scalar * c(i); },
        [this] { loops::triad(a.data(), b.data(), c.data(), n); });
  }
  void triad_streaming(comparison& pair) const {
    const hpk::View<double*, hpk::HostSpace, hpk::MemoryTraits<hpk::Streaming>> stored = a;
    compare(
        pair, a, [stored, b = b, c = c](int i) { stored(i) = b(i) + scalar * c(i); },
        [this] { loops::triad_streaming(a.data(), b.data(), c.data(), n); });
  }
  void dot(comparison& pair) const {
    const auto kernel = [a = a, b = b](int i, double& sum) { sum += a(i) * b(i); };
    double hpk_sum = 0;
    double hand_sum = 0;
    const auto hpk = [&] {
      hpk::parallel_reduce("dot", hpk::RangePolicy<Space>(0, n), kernel, hpk_sum);
      keep(hpk_sum);
    };
    const auto hand = [&] {
      hand_sum = loops::dot(a.data(), b.data(), n);
      keep(hand_sum);
    };
    hpk();
    hand();
    pair.agree(hpk_sum == hand_sum);
    pair.time(hpk, hand);
  }
};

template <class Space>
void add_kernel(std::string_view name, void (kernels<Space>::*run)(comparison&) const) {
  for_each_size<Space>({index_t{16} << 10, index_t{32} << 20}, [&](index_t n) {
    add("stream", Space::name(), name, n,
        [n, run](comparison& pair) { (kernels<Space>(n).*run)(pair); });
  });
}

}  // namespace

void add_stream() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add_kernel<type>("copy", &kernels<type>::copy);
    add_kernel<type>("mul", &kernels<type>::mul);
    add_kernel<type>("add", &kernels<type>::add);
    add_kernel<type>("triad", &kernels<type>::triad);
    add_kernel<type>("triad_streaming", &kernels<type>::triad_streaming);
    add_kernel<type>("dot", &kernels<type>::dot);
  });
}

}  // namespace bench
