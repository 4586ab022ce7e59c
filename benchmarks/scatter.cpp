// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting into bins by a ScatterView. OpenMP and Threads are compared with the faster of two
// hand-written forms: private copies that are zeroed and added up each time, or atomic additions.
// Serial is compared with plain additions.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/containers/scatter_view.hpp>

#include <algorithm>
#include <vector>

namespace bench {

namespace {

std::vector<int> items(int n, int bins) {
  std::vector<int> to(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  for (int& bin : to) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bin = static_cast<int>((state >> 33) % static_cast<std::uint64_t>(bins));
  }
  return to;
}

template <class T>
void count_alone(const int* to, int n, T* out) {
  for (int i = 0; i < n; ++i) out[to[i]] += T(1);
}
// Each thread has a copy; copies are `stride` elements apart, so that threads share no cache line.
template <class T>
void count_in_copies(const int* to, int n, T* out, int bins, T* copies, int stride, int threads) {
#pragma omp parallel firstprivate(to, n, out, bins, copies, stride, threads)
  {
#pragma omp for schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
      T* const mine = copies + static_cast<std::ptrdiff_t>(t) * stride;
      for (int b = 0; b < bins; ++b) mine[b] = T(0);
      const int first = static_cast<int>(static_cast<std::int64_t>(n) * t / threads);
      const int end = static_cast<int>(static_cast<std::int64_t>(n) * (t + 1) / threads);
      for (int i = first; i < end; ++i) mine[to[i]] += T(1);
    }
#pragma omp for schedule(static)
    for (int b = 0; b < bins; ++b) {
      for (int t = 0; t < threads; ++t)
        out[b] += copies[static_cast<std::ptrdiff_t>(t) * stride + b];
    }
  }
}

template <class T>
void count_atomically(const int* to, int n, T* out) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    out[to[i]] += T(1);
  }
}
// Returns the shortest time of three calls.
template <class F>
double seconds_of(const F& f) {
  double least = 1e9;
  for (int k = 0; k < 3; ++k) {
    const hpk::Timer timer;
    f();
    least = std::min(least, timer.seconds());
  }
  return least;
}

template <class Space, class T>
void compare(comparison& pair, index_t length, int bins) {
  const int n = static_cast<int>(length);
  const std::vector<int> where = items(n, bins);
  const hpk::View<T*, Space> counts("counts", static_cast<std::size_t>(bins));
  const int stride = bins + 128 / static_cast<int>(sizeof(T));
  const int threads = Space().concurrency();
  std::vector<T> copies(static_cast<std::size_t>(stride) * static_cast<std::size_t>(threads));
  const int* const to = where.data();
  T* const out = counts.data();
  auto scatter = hpk::create_scatter_view(counts);
  const auto kernel = [=](int i) {
    const auto access = scatter.access();
    access(to[i]) += T(1);
  };
  const Space exec;
  const auto by_hpk = [&] {
    scatter.reset();
    hpk::parallel_for("count", hpk::RangePolicy<Space>(exec, 0, n), kernel);
    scatter.contribute_into(exec, counts);
  };
  T* const space = copies.data();
  const auto with_copies = [&] { count_in_copies(to, n, out, bins, space, stride, threads); };
  const auto with_atomics = [&] { count_atomically(to, n, out); };
  bool atomics = false;
  if constexpr (!is_serial<Space>) atomics = seconds_of(with_atomics) < seconds_of(with_copies);
  hpk::deep_copy(counts, T(0));
  const auto by_hand = [&] {
    if constexpr (is_serial<Space>) {
      count_alone(to, n, out);
    } else if (atomics) {
      with_atomics();
    } else {
      with_copies();
    }
  };
  by_hpk();
  hpk::fence();
  std::vector<T> kept(out, out + bins);
  hpk::deep_copy(counts, T(0));
  by_hand();
  bool same = true;
  for (int b = 0; b < bins; ++b) same = same && kept[static_cast<std::size_t>(b)] == out[b];
  pair.agree(same);
  pair.time(by_hpk, by_hand);
}

template <class Space, class T>
void add_pairs(const char* variant, int bins) {
  for_each_size<Space>({index_t{1} << 20, index_t{4} << 20}, [&](index_t n) {
    add("scatter", Space::name(), variant, n,
        [=](comparison& pair) { compare<Space, T>(pair, n, bins); });
  });
}

}  // namespace

void add_scatter() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add_pairs<type, int>("int_256", 256);
    add_pairs<type, double>("double_256", 256);
    add_pairs<type, int>("int_1Mi", 1 << 20);
    add_pairs<type, double>("double_1Mi", 1 << 20);
  });
}

}  // namespace bench
