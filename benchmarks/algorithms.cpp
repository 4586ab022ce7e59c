// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithms, compared with hand-written loops: plain ones (Serial) or OpenMP loops. By hand,
// algorithms that keep some elements count per thread, sum up the counts and make a second pass;
// unique compacts the part of each thread in place and then moves the parts together.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/algorithms.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#else
// Without OpenMP the parallel forms are not called; these functions let them compile.
static int omp_get_thread_num() { return 0; }
static int omp_get_num_threads() { return 1; }
static int omp_get_max_threads() { return 1; }
#endif

namespace bench {

namespace {

namespace KE = hpk::Experimental;

struct plus_one {
  void operator()(double& x) const { x += 1; }
};
struct scale {
  double operator()(double x) const { return 2 * x + 1; }
};
struct is_low {
  bool operator()(double x) const { return x < 8; }
};

// Calls f(i) for i in [0, n).
template <bool Serial, class F>
inline __attribute__((always_inline)) void each(index_t n, const F& f) {
  if (Serial) {
    for (index_t i = 0; i < n; ++i) f(i);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t i = 0; i < n; ++i) f(i);
  }
}
template <bool Serial, class F>
inline __attribute__((always_inline)) double sum_of(index_t n, const F& f) {
  double sum = 0;
  if (Serial) {
#pragma omp simd reduction(+ : sum)
    for (index_t i = 0; i < n; ++i) sum += f(i);
  } else {
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (index_t i = 0; i < n; ++i) sum += f(i);
  }
  return sum;
}

// The part of the calling thread.
struct share {
  index_t begin, end;
  explicit share(index_t n)
      : begin(n * omp_get_thread_num() / omp_get_num_threads()),
        end(n * (omp_get_thread_num() + 1) / omp_get_num_threads()) {}
};
// A number for each thread, each in a separate cache line.
struct thread_numbers {
  struct alignas(64) line {
    index_t value;
  };
  std::vector<line> lines{static_cast<std::size_t>(omp_get_max_threads())};
  index_t& mine() { return lines[static_cast<std::size_t>(omp_get_thread_num())].value; }
  index_t before() const {
    index_t sum = 0;
    for (int k = 0; k < omp_get_thread_num(); ++k) sum += lines[static_cast<std::size_t>(k)].value;
    return sum;
  }
  index_t total() const {
    index_t sum = 0;
    for (const line& l : lines) sum += l.value;
    return sum;
  }
};

template <bool Serial>
index_t copy_low(const double* x, double* out, index_t n) {
  if (Serial) return std::copy_if(x, x + n, out, is_low()) - out;
  static thread_numbers counts;
  for (auto& l : counts.lines) l.value = 0;
#pragma omp parallel
  {
    const share s(n);
    index_t count = 0;
    for (index_t i = s.begin; i < s.end; ++i) count += x[i] < 8 ? 1 : 0;
    counts.mine() = count;
#pragma omp barrier
    double* to = out + counts.before();
    for (index_t i = s.begin; i < s.end; ++i)
      if (x[i] < 8) *to++ = x[i];
  }
  return counts.total();
}
template <bool Serial>
index_t part_low(const double* x, double* yes, double* no, index_t n) {
  if (Serial) return std::partition_copy(x, x + n, yes, no, is_low()).first - yes;
  static thread_numbers counts;
  for (auto& l : counts.lines) l.value = 0;
#pragma omp parallel
  {
    const share s(n);
    index_t count = 0;
    for (index_t i = s.begin; i < s.end; ++i) count += x[i] < 8 ? 1 : 0;
    counts.mine() = count;
#pragma omp barrier
    const index_t before = counts.before();
    double* to = yes + before;
    double* rest = no + (s.begin - before);
    for (index_t i = s.begin; i < s.end; ++i) {
      if (x[i] < 8) {
        *to++ = x[i];
      } else {
        *rest++ = x[i];
      }
    }
  }
  return counts.total();
}
template <bool Serial>
index_t drop_repeated(double* x, index_t n) {
  if (Serial) return std::unique(x, x + n) - x;
  static thread_numbers counts;
  static std::vector<index_t> begins(static_cast<std::size_t>(omp_get_max_threads()));
  int threads = 1;
#pragma omp parallel
  {
    const share s(n);
    double* to = x + s.begin;
    const double before = s.begin == 0 ? 0 : x[s.begin - 1];
#pragma omp barrier
    for (index_t i = s.begin; i < s.end; ++i) {
      const double value = x[i];
      // The previous element is in the previous part, or is the last one that stayed.
      if (i == s.begin        ? i == 0 || value != before
          : to == x + s.begin ? value != before
                              : value != to[-1])
        *to++ = value;
    }
    counts.mine() = to - (x + s.begin);
    begins[static_cast<std::size_t>(omp_get_thread_num())] = s.begin;
#pragma omp single
    threads = omp_get_num_threads();
  }
  index_t kept = counts.lines[0].value;
  for (int k = 1; k < threads; ++k) {
    const auto count = counts.lines[static_cast<std::size_t>(k)].value;
    std::memmove(x + kept, x + begins[static_cast<std::size_t>(k)],
                 static_cast<std::size_t>(count) * sizeof(double));
    kept += count;
  }
  return kept;
}
template <bool Serial>
void prefix_sums(const double* x, double* out, index_t n) {
  if (Serial) {
    double sum = 0;
    for (index_t i = 0; i < n; ++i) out[i] = sum += x[i];
    return;
  }
  constexpr index_t piece = 65536;
  struct alignas(64) line {
    double value;
  };
  static std::vector<line> sums(2 * static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  {
    const int rank = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    double before = 0;
    line* set = sums.data();
    for (index_t first = 0; first < n; first += threads * piece) {
      const index_t length = std::min(n - first, threads * piece);
      const index_t begin = first + length * rank / threads;
      const index_t end = first + length * (rank + 1) / threads;
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (index_t i = begin; i < end; ++i) sum += x[i];
      set[rank].value = sum;
#pragma omp barrier
      double running = before;
      for (int k = 0; k < threads; ++k) {
        if (k == rank) running = before;
        before += set[k].value;
      }
      for (index_t i = begin; i < end; ++i) out[i] = running += x[i];
      set = set == sums.data() ? sums.data() + omp_get_max_threads() : sums.data();
    }
  }
}

// True while results are compared: the elements after the end of std::unique are unspecified.
bool comparing = false;

// Times hpk(exec, in, out) and hand(in, out), which must write the same to `out`.
template <class Space, class Hpk, class Hand>
void compare(comparison& pair, index_t n, const Hpk& by_hpk, const Hand& by_hand) {
  const array in = work_array(0, n);
  const array out = work_array(1, n);
  fill_integers(in, 17);
  const Space exec;
  const auto hpk = [&] { by_hpk(exec, in, out); };
  const auto hand = [&] { by_hand(in.data(), out.data(), n); };
  comparing = true;
  pair.agree(same_effect(out, hpk, hand));
  comparing = false;
  pair.time(hpk, hand);
}

template <class Space>
void add_all(index_t n) {
  constexpr bool serial = is_serial<Space>;
  const auto named = [n](const char* name, auto hpk, auto hand) {
    add("algorithms", Space::name(), name, n,
        [=](comparison& pair) { compare<Space>(pair, n, hpk, hand); });
  };
  named(
      "for_each",
      [](const Space& e, const array&, const array& y) { KE::for_each(e, y, plus_one()); },
      [](const double*, double* y, index_t m) { each<serial>(m, [=](index_t i) { y[i] += 1; }); });
  named(
      "transform",
      [](const Space& e, const array& x, const array& y) { KE::transform(e, x, y, scale()); },
      [](const double* x, double* y, index_t m) {
        each<serial>(m, [=](index_t i) { y[i] = 2 * x[i] + 1; });
      });
  named(
      "copy", [](const Space& e, const array& x, const array& y) { KE::copy(e, x, y); },
      [](const double* x, double* y, index_t m) {
        each<serial>(m, [=](index_t i) { y[i] = x[i]; });
      });
  named(
      "fill", [](const Space& e, const array&, const array& y) { KE::fill(e, y, 3.0); },
      [](const double*, double* y, index_t m) { each<serial>(m, [=](index_t i) { y[i] = 3; }); });
  named(
      "count_if",
      [](const Space& e, const array& x, const array& y) {
        y(0) = static_cast<double>(KE::count_if(e, x, is_low()));
      },
      [](const double* x, double* y, index_t m) {
        index_t count = 0;
        if (serial) {
          for (index_t i = 0; i < m; ++i) count += x[i] < 8 ? 1 : 0;
        } else {
#pragma omp parallel for schedule(static) reduction(+ : count)
          for (index_t i = 0; i < m; ++i) count += x[i] < 8 ? 1 : 0;
        }
        y[0] = static_cast<double>(count);
      });
  named(
      "reduce", [](const Space& e, const array& x, const array& y) { y(0) = KE::reduce(e, x); },
      [](const double* x, double* y, index_t m) {
        y[0] = sum_of<serial>(m, [=](index_t i) { return x[i]; });
      });
  named(
      "transform_reduce",
      [](const Space& e, const array& x, const array& y) {
        y(0) = KE::transform_reduce(e, x, x, 0.0);
      },
      [](const double* x, double* y, index_t m) {
        y[0] = sum_of<serial>(m, [=](index_t i) { return x[i] * x[i]; });
      });
  named(
      "inclusive_scan",
      [](const Space& e, const array& x, const array& y) { KE::inclusive_scan(e, x, y); },
      [](const double* x, double* y, index_t m) { prefix_sums<serial>(x, y, m); });
  named(
      "copy_if",
      [](const Space& e, const array& x, const array& y) { KE::copy_if(e, x, y, is_low()); },
      [](const double* x, double* y, index_t m) { keep(copy_low<serial>(x, y, m)); });
  named(
      "partition_copy",
      [](const Space& e, const array& x, const array& y) {
        KE::partition_copy(e, x, y, work_array(2, static_cast<index_t>(x.size())), is_low());
      },
      [](const double* x, double* y, index_t m) {
        keep(part_low<serial>(x, y, work_array(2, m).data(), m));
      });
  // Pairs of equal numbers, restored before each call by the same loop.
  const auto refill = [](double* y, index_t m) {
    each<serial>(m, [=](index_t i) { y[i] = static_cast<double>(i / 2); });
  };
  named(
      "unique",
      [=](const Space& e, const array&, const array& y) {
        const auto m = static_cast<index_t>(y.size());
        refill(y.data(), m);
        const index_t kept = KE::unique(e, y).index();
        if (comparing) std::fill(y.data() + kept, y.data() + m, static_cast<double>(kept));
      },
      [=](const double*, double* y, index_t m) {
        refill(y, m);
        const index_t kept = drop_repeated<serial>(y, m);
        if (comparing) std::fill(y + kept, y + m, static_cast<double>(kept));
      });
  named(
      "reverse", [](const Space& e, const array&, const array& y) { KE::reverse(e, y); },
      [](const double*, double* y, index_t m) {
        each<serial>(m / 2, [=](index_t i) { std::swap(y[i], y[m - 1 - i]); });
      });
  named(
      "rotate",
      [](const Space& e, const array&, const array& y) { KE::rotate(e, y, y.size() / 3); },
      [](const double*, double* y, index_t m) {
        const index_t left = m / 3;
        if (serial) {
          std::rotate(y, y + left, y + m);
          return;
        }
        double* const kept = work_array(2, m).data();
        each<serial>(m, [=](index_t i) { kept[i] = y[i]; });
        each<serial>(m - left, [=](index_t i) { y[i] = kept[i + left]; });
        each<serial>(left, [=](index_t i) { y[i + m - left] = kept[i]; });
      });
  named(
      "find_at_100",
      [](const Space& e, const array& x, const array& y) {
        const double old = x(100);
        x(100) = -1;
        y(0) = static_cast<double>(KE::find(e, x, -1.0).index());
        x(100) = old;
      },
      [](const double* x, double* y, index_t m) {
        double* const writable = const_cast<double*>(x);
        const double old = x[100];
        writable[100] = -1;
        y[0] = static_cast<double>(std::find(x, x + m, -1.0) - x);
        writable[100] = old;
      });
}

}  // namespace

void add_algorithms() {
  for_each_space([](auto space) {
    for (const index_t n : {index_t{32} << 10, index_t{16} << 20}) add_all<decltype(space)>(n);
  });
}

}  // namespace bench
