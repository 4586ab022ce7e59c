// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BinSort of two Views by a third, compared with a hand-written counting sort: counts, prefix sums,
// and one loop that scatters both arrays and the indices to preallocated arrays. With OpenMP each
// thread counts its part of the keys. With `_sorted`, std::sort orders pairs of key and index in
// each bin. The keys are not changed, so each call finds the same input.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/algorithms/bin_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#if HPK_BENCH_WITH_OPENMP
#include <omp.h>
#endif

namespace bench {

namespace {

struct key_and_index {
  double key;
  std::uint32_t index;
};

// The hand-written side: keys from 0 to 1, n bins and one bin for the key 1, as in BinOp1D.
class counting_sort {
 public:
  counting_sort(int bins, index_t n)
      : bins_(static_cast<std::size_t>(bins) + 1),
        scale_(bins),
        counts(bins_),
        offsets(bins_),
        permutation(static_cast<std::size_t>(n)),
        pairs(static_cast<std::size_t>(n)),
        first("first", n),
        second("second", n) {}

  void alone(const double* k, const double* a, const double* b, std::uint32_t n) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::uint32_t i = 0; i < n; ++i) ++counts[bin_of(k[i])];
    next_ = counts;
    sum(1);
    move(k, a, b, 0, n, next_.data());
  }
  void alone_sorted(const double* k, const double* a, const double* b, std::uint32_t n) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::uint32_t i = 0; i < n; ++i) ++counts[bin_of(k[i])];
    next_ = counts;
    sum(1);
    move_pairs(k, 0, n, next_.data());
    for (std::size_t bin = 0; bin < bins_; ++bin) sort_bin(bin, a, b);
  }
#if HPK_BENCH_WITH_OPENMP
  void together(const double* k, const double* a, const double* b, std::uint32_t n, bool sorted) {
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    next_.resize(threads * bins_);
#pragma omp parallel
    {
      const auto t = static_cast<std::uint32_t>(omp_get_thread_num());
      const auto of = static_cast<std::uint32_t>(omp_get_num_threads());
      const std::uint32_t begin = n / of * t + std::min(t, n % of);
      const std::uint32_t end = begin + n / of + (t < n % of ? 1 : 0);
      std::uint32_t* const mine = next_.data() + t * bins_;
      std::fill(mine, mine + bins_, 0);
      for (std::uint32_t i = begin; i < end; ++i) ++mine[bin_of(k[i])];
#pragma omp barrier
#pragma omp single
      sum(of);
      if (sorted) {
        move_pairs(k, begin, end, mine);
#pragma omp barrier
#pragma omp for schedule(dynamic, 16)
        for (std::size_t bin = 0; bin < bins_; ++bin) sort_bin(bin, a, b);
      } else {
        move(k, a, b, begin, end, mine);
      }
    }
  }
#endif

 private:
  std::size_t bin_of(double key) const {
    return static_cast<std::size_t>(static_cast<int>(scale_ * key));
  }
  // Turns the counts of all threads into positions, and computes counts and offsets of bins.
  void sum(std::size_t threads) {
    std::uint32_t total = 0;
    for (std::size_t b = 0; b < bins_; ++b) {
      offsets[b] = total;
      for (std::size_t t = 0; t < threads; ++t) {
        const std::uint32_t count = next_[t * bins_ + b];
        next_[t * bins_ + b] = total;
        total += count;
      }
      counts[b] = total - offsets[b];
    }
  }
  void move(const double* k, const double* a, const double* b, std::uint32_t begin,
            std::uint32_t end, std::uint32_t* next) {
    std::uint32_t* const places = permutation.data();
    double* const sorted_a = first.data();
    double* const sorted_b = second.data();
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t to = next[bin_of(k[i])]++;
      places[to] = i;
      sorted_a[to] = a[i];
      sorted_b[to] = b[i];
    }
  }
  void move_pairs(const double* k, std::uint32_t begin, std::uint32_t end, std::uint32_t* next) {
    key_and_index* const to = pairs.data();
    for (std::uint32_t i = begin; i < end; ++i) to[next[bin_of(k[i])]++] = {k[i], i};
  }
  void sort_bin(std::size_t bin, const double* a, const double* b) {
    const std::size_t begin = offsets[bin];
    const std::size_t end = begin + counts[bin];
    std::sort(pairs.data() + begin, pairs.data() + end,
              [](const key_and_index& x, const key_and_index& y) { return x.key < y.key; });
    for (std::size_t i = begin; i < end; ++i) {
      permutation[i] = pairs[i].index;
      first(i) = a[pairs[i].index];
      second(i) = b[pairs[i].index];
    }
  }

  std::size_t bins_;
  double scale_;
  std::vector<std::uint32_t> next_;

 public:
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> permutation;
  std::vector<key_and_index> pairs;
  hpk::View<double*, hpk::HostSpace> first;
  hpk::View<double*, hpk::HostSpace> second;
};

// All keys are distinct, so that both sides find the same order.
std::vector<double> distinct_keys(index_t n) {
  std::vector<double> keys(static_cast<std::size_t>(n));
  std::uint64_t x = 88172645463325252u;
  for (double& key : keys) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    key = static_cast<double>(x >> 11) * 0x1p-53;
  }
  return keys;
}

template <class Space>
void compare_bins(comparison& pair, index_t n, int bins, bool sorted) {
  using row = hpk::View<double*, Space>;
  using op_type = hpk::BinOp1D<row>;
  const std::vector<double> input = distinct_keys(n);
  const row keys("keys", n);
  const row first("first", n);
  const row second("second", n);
  std::memcpy(keys.data(), input.data(), input.size() * sizeof(double));
  for (index_t i = 0; i < n; ++i) {
    first(i) = keys(i);
    second(i) = static_cast<double>(i);
  }
  const op_type op(bins, 0.0, 1.0);
  const Space space;
  hpk::BinSort<row, op_type> sorter;
  const auto hpk = [&] {
    sorter = {space, keys, op, sorted};
    sorter.create_permute_vector(space);
    sorter.sort(space, first);
    sorter.sort(space, second);
  };
  counting_sort by_hand(bins, n);
  const auto hand = [&] {
    const auto length = static_cast<std::uint32_t>(n);
    if constexpr (is_serial<Space>) {
      sorted ? by_hand.alone_sorted(keys.data(), first.data(), second.data(), length)
             : by_hand.alone(keys.data(), first.data(), second.data(), length);
    } else {
#if HPK_BENCH_WITH_OPENMP
      by_hand.together(keys.data(), first.data(), second.data(), length, sorted);
#endif
    }
  };
  hand();
  hpk();
  bool same = true;
  for (index_t b = 0; b < op.max_bins(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    same = same && sorter.get_bin_count()(b) == by_hand.counts[at] &&
           sorter.get_bin_offsets()(b) == by_hand.offsets[at];
  }
  for (index_t i = 0; i < n; ++i)
    same = same && first(i) == by_hand.first(i) && second(i) == by_hand.second(i) &&
           sorter.get_permute_vector()(i) == by_hand.permutation[static_cast<std::size_t>(i)];
  pair.agree(same);
  pair.time(hpk, hand);
}

}  // namespace

void add_bin_sort() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const index_t n : {index_t{10240}, index_t{8} << 20})
      for (const bool sorted : {false, true})
        for (const int bins : {1, 1000, 1 << 20}) {
          if (bins > n) continue;
          const std::string name = bins == 1 ? "1_bin" : bins == 1000 ? "1000_bins" : "1Mi_bins";
          add("bin_sort", type::name(), sorted ? name + "_sorted" : name, n,
              [=](comparison& pair) { compare_bins<type>(pair, n, bins, sorted); });
        }
  });
}

}  // namespace bench
