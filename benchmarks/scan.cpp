// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exclusive prefix sum of doubles, beside a plain loop (Serial) and the two-pass scan that one
// writes by hand: a sum per thread, a barrier, then each thread scans its part.
#include "pair.hpp"
#include "topics.hpp"

#include <vector>

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#else
// Without OpenMP the parallel scan is not called; these let it compile.
static int omp_get_thread_num() { return 0; }
static int omp_get_num_threads() { return 1; }
static int omp_get_max_threads() { return 1; }
#endif

namespace bench {

namespace {

double scan_part(const double* x, double* out, int begin, int end, double sum) {
  for (int i = begin; i < end; ++i) {
    out[i] = sum;
    sum += x[i];
  }
  return sum;
}

void parallel_scan(const double* x, double* out, int n) {
  // Kept between calls, a cache line per thread.
  static std::vector<double> sums(static_cast<std::size_t>(omp_get_max_threads()) * 8);
#pragma omp parallel
  {
    const int rank = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    const int begin = static_cast<int>(index_t{n} * rank / threads);
    const int end = static_cast<int>(index_t{n} * (rank + 1) / threads);
    double sum = 0;
    if (rank + 1 < threads) {
      for (int i = begin; i < end; ++i) sum += x[i];
    }
    sums[static_cast<std::size_t>(rank) * 8] = sum;
#pragma omp barrier
    double before = 0;
    for (int k = 0; k < rank; ++k) before += sums[static_cast<std::size_t>(k) * 8];
    scan_part(x, out, begin, end, before);
  }
}

template <class Space>
void compare(comparison& pair, index_t length) {
  const array x = work_array(0, length);
  const array out = work_array(1, length);
  fill_integers(x, 17);
  const int n = static_cast<int>(length);
  const auto kernel = [=](int i, double& sum, bool final) {
    const double here = x(i);
    if (final) out(i) = sum;
    sum += here;
  };
  const auto hpk = [&] { hpk::parallel_scan("scan", hpk::RangePolicy<Space>(0, n), kernel); };
  const auto hand = [&] {
    if constexpr (is_serial<Space>) {
      scan_part(x.data(), out.data(), 0, n, 0);
    } else {
      parallel_scan(x.data(), out.data(), n);
    }
  };
  pair.agree(same_effect(out, hpk, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_scan() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for_each_size<type>({index_t{32} << 10, index_t{16} << 20}, [](index_t n) {
      add("scan", type::name(), "exclusive", n, [n](comparison& pair) { compare<type>(pair, n); });
    });
  });
}

}  // namespace bench
