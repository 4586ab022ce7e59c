// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting into bins by atomic additions, compared with a loop over std::atomic_ref (OpenMP and
// Threads) or with plain additions (Serial).
#include "pair.hpp"
#include "topics.hpp"

#include <atomic>
#include <vector>

namespace bench {

namespace {

// The bin of each item: any bin, in no order.
std::vector<int> items(int n, int bins) {
  std::vector<int> to(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  for (int& bin : to) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bin = static_cast<int>((state >> 33) % static_cast<std::uint64_t>(bins));
  }
  return to;
}

// The hand-written side. The pointers are parameters: members of a lambda would be loaded for every
// item, since an atomic addition may have changed them.
template <class T>
void count_alone(const int* to, int n, T* out) {
  for (int i = 0; i < n; ++i) out[to[i]] += T(1);
}
template <class T>
void count_together(const int* to, int n, T* out) {
#pragma omp parallel firstprivate(to, n, out)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; ++i)
      std::atomic_ref<T>(out[to[i]]).fetch_add(T(1), std::memory_order_relaxed);
  }
}

template <class Space, class T, class Scope>
void compare(comparison& pair, index_t length, int bins) {
  const int n = static_cast<int>(length);
  const std::vector<int> where = items(n, bins);
  const hpk::View<T*, hpk::HostSpace> counts("counts", static_cast<std::size_t>(bins));
  const int* const to = where.data();
  T* const out = counts.data();
  const auto kernel = [=](int i) {
    hpk::atomic_add(&counts(to[i]), T(1), hpk::MemoryOrderRelaxed(), Scope());
  };
  const auto hpk = [&] { hpk::parallel_for("count", hpk::RangePolicy<Space>(0, n), kernel); };
  const auto hand = [&] {
    if constexpr (is_serial<Space>) {
      count_alone(to, n, out);
    } else {
      count_together(to, n, out);
    }
  };
  hpk();
  hpk::fence();
  std::vector<T> by_hpk(out, out + bins);
  hpk::deep_copy(counts, T(0));
  hand();
  bool same = true;
  for (int b = 0; b < bins; ++b) same = same && by_hpk[static_cast<std::size_t>(b)] == out[b];
  pair.agree(same);
  pair.time(hpk, hand);
}

template <class Space, class T, class Scope>
void add_pairs(const char* variant, int bins) {
  for_each_size<Space>({index_t{8} << 10, index_t{1} << 20}, [&](index_t n) {
    add("histogram", Space::name(), variant, n,
        [=](comparison& pair) { compare<Space, T, Scope>(pair, n, bins); });
  });
}

}  // namespace

void add_histogram() {
  for_each_space([](auto space) {
    using type = decltype(space);
    // On Serial atomic additions are plain while the process has one thread; additions with the
    // scope of a launch are always plain there.
    using scope =
        std::conditional_t<is_serial<type>, hpk::MemoryScopeLaunch<type>, hpk::MemoryScopeDevice>;
    add_pairs<type, int, scope>("int_256", 256);
    add_pairs<type, double, scope>("double_256", 256);
    add_pairs<type, int, scope>("int_1Mi", 1 << 20);
    add_pairs<type, double, scope>("double_1Mi", 1 << 20);
    if constexpr (is_serial<type>) {
      add_pairs<type, int, hpk::MemoryScopeDevice>("int_256_device", 256);
      add_pairs<type, double, hpk::MemoryScopeDevice>("double_256_device", 256);
      add_pairs<type, int, hpk::MemoryScopeDevice>("int_1Mi_device", 1 << 20);
      add_pairs<type, double, hpk::MemoryScopeDevice>("double_1Mi_device", 1 << 20);
    }
  });
}

}  // namespace bench
