// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exclusive prefix sum of doubles and of ints, compared with a plain loop (Serial) and with a
// hand-written blocked scan in one parallel region: for each piece that fits the caches, a sum per
// thread, a barrier, then each thread scans its part of the piece.
#include "pair.hpp"
#include "topics.hpp"

#include <vector>

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#else
// Without OpenMP the parallel scan is not called; these functions let it compile.
static int omp_get_thread_num() { return 0; }
static int omp_get_num_threads() { return 1; }
static int omp_get_max_threads() { return 1; }
#endif

namespace bench {

namespace {

// Number of elements of a thread between two barriers.
constexpr int piece_length = 65536;

template <class T>
T scan_part(const T* x, T* out, int begin, int end, T sum) {
  for (int i = begin; i < end; ++i) {
    out[i] = sum;
    sum += x[i];
  }
  return sum;
}

template <class T>
T sum_part(const T* x, int begin, int end) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = begin; i < end; ++i) sum += x[i];
  return sum;
}

template <class T>
void blocked_scan(const T* x, T* out, int n) {
  // Reused by later calls, one cache line per thread. Two sets, so that one barrier per piece is
  // enough.
  constexpr std::size_t line = 64 / sizeof(T);
  const auto most = static_cast<std::size_t>(omp_get_max_threads());
  static std::vector<T> sums(2 * most * line);
#pragma omp parallel
  {
    const int rank = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    T before = 0;
    std::size_t set = 0;
    for (int first = 0; first < n; first += threads * piece_length) {
      const int length = n - first < threads * piece_length ? n - first : threads * piece_length;
      const int begin = first + static_cast<int>(index_t{length} * rank / threads);
      const int end = first + static_cast<int>(index_t{length} * (rank + 1) / threads);
      T* const mine = &sums[set * most * line];
      mine[static_cast<std::size_t>(rank) * line] = sum_part(x, begin, end);
#pragma omp barrier
      T start = before;
      for (int k = 0; k < threads; ++k) {
        if (k == rank) start = before;
        before += mine[static_cast<std::size_t>(k) * line];
      }
      scan_part(x, out, begin, end, start);
      set = 1 - set;
    }
  }
}

template <class T>
using view = hpk::View<T*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>;
// The memory of a work array, as elements of another type.
template <class T>
view<T> work_elements(int which, index_t n) {
  return view<T>(reinterpret_cast<T*>(work_array(which, n).data()), n);
}

template <class Space, class T>
void compare(comparison& pair, index_t length) {
  const auto x = work_elements<T>(0, length);
  const auto out = work_elements<T>(1, length);
  const auto kept = work_elements<T>(3, length);
  const int n = static_cast<int>(length);
  for (int i = 0; i < n; ++i) x(i) = static_cast<T>((i * index_t{7919}) % 17 - 8);
  const auto kernel = [=](int i, T& sum, bool final) {
    const T here = x(i);
    if (final) out(i) = sum;
    sum += here;
  };
  const auto hpk = [&] { hpk::parallel_scan("scan", hpk::RangePolicy<Space>(0, n), kernel); };
  const auto hand = [&] {
    if constexpr (is_serial<Space>) {
      keep(scan_part<T>(x.data(), out.data(), 0, n, 0));
    } else {
      blocked_scan<T>(x.data(), out.data(), n);
    }
  };
  hpk::deep_copy(out, T(5));
  hpk();
  hpk::deep_copy(kept, out);
  hpk::deep_copy(out, T(5));
  hand();
  bool same = true;
  for (int i = 0; i < n; ++i) same = same && kept(i) == out(i);
  pair.agree(same);
  pair.time(hpk, hand);
}

template <class Space, class T>
void add_scans(const char* variant) {
  for_each_size<Space>({index_t{32} << 10, index_t{16} << 20}, [variant](index_t n) {
    add("scan", Space::name(), variant, n, [n](comparison& pair) { compare<Space, T>(pair, n); });
  });
}

}  // namespace

void add_scan() {
  for_each_space([](auto space) {
    add_scans<decltype(space), double>("exclusive");
    add_scans<decltype(space), int>("exclusive of int");
    add_scans<decltype(space), long>("exclusive of long");
  });
}

}  // namespace bench
