// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How BinSort computes its permutation on hosts. All workers distribute the keys to buckets of
// neighbouring bins. The buckets are few enough that a core can write to all of them at the same
// time. Then one worker orders each bucket in its cache. With few bins each bucket is one bin, and
// there is no second step. Stable, so the result does not depend on which worker does what.
#pragma once

#include <hpk/algorithms/detail/bin_permutation.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace hpk::detail::sorting {

/// Maps bins to buckets. The bucket does not decrease with the bin.
class bin_buckets {
 public:
  /// Chooses the number of buckets for a number of keys. `sort_within_bins`: the keys of each bin
  /// are sorted.
  bin_buckets(index_t bins, index_t keys, bool sort_within_bins);
  index_t bins() const { return bins_; }
  index_t size() const { return buckets_; }
  HPK_FORCEINLINE std::size_t of(std::uint32_t bin) const {
    return static_cast<std::size_t>(bin * scale_ >> 32);
  }
  /// Returns the first bin of a bucket, or bins() for bucket size().
  index_t first(index_t bucket) const;

 private:
  index_t bins_;
  index_t buckets_;
  std::uint64_t scale_;  // buckets per bin, times 2^32
};

/// How elements are permuted: element i moves to position targets(i) of a buffer, then position i
/// receives element sources(i) of the buffer. Without sources the second step is a plain copy.
template <class Memory>
struct bin_route {
  using numbers = View<std::uint32_t*, Memory>;
  numbers targets;
  numbers sources;
  bool in_order = false;  ///< the permutation changes nothing
};
template <class To, class From, class Numbers>
struct send_slices_kernel {
  To to;
  From from;
  Numbers targets;
  index_t first;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    copy_slice(to, static_cast<index_t>(targets(i)), from, first + i);
  }
};
template <class To, class From, class Numbers>
struct fetch_slices_kernel {
  To to;
  From from;
  Numbers sources;
  index_t first;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    copy_slice(to, first + i, from, static_cast<index_t>(sources(i)));
  }
};

/// Keeps keys of one bin in the order of their indices.
struct order_of_indices {
  static constexpr bool sorts = false;
  struct element {
    std::uint32_t place;   ///< index of the key
    std::uint32_t source;  ///< position after the first step
  };
  element make(std::uint32_t place, std::uint32_t source) const { return {place, source}; }
};
/// Sorts keys of one bin by the bin operation, which receives their indices.
template <class Keys, class BinOp, class Index>
struct order_in_bins {
  static constexpr bool sorts = true;
  using element = order_of_indices::element;
  const Keys& keys;
  const BinOp& op;
  index_t begin;
  element make(std::uint32_t place, std::uint32_t source) const { return {place, source}; }
  bool operator()(const element& a, const element& b) const {
    // Lvalues, because operations may take them as `I&` with a deduced type.
    const auto i = static_cast<Index>(begin + a.place);
    const auto j = static_cast<Index>(begin + b.place);
    return static_cast<bool>(op(keys, i, j));
  }
};
/// A key that is copied next to its place, so that comparisons do not look it up. This requires an
/// operation that compares the keys themselves, like BinOp1D.
template <class Key>
concept copied_key = std::is_arithmetic_v<Key> && sizeof(Key) <= 8;
template <class Keys, class V, class Index>
  requires copied_key<typename Keys::non_const_value_type>
struct order_in_bins<Keys, BinOp1D<V>, Index> {
  static constexpr bool sorts = true;
  struct element {
    typename Keys::non_const_value_type key;
    std::uint32_t place;
    std::uint32_t source;
  };
  const Keys& keys;
  const BinOp1D<V>& op;
  index_t begin;
  element make(std::uint32_t place, std::uint32_t source) const {
    return {keys(begin + place), place, source};
  }
  bool operator()(const element& a, const element& b) const { return a.key < b.key; }
};

/// Computes the permutation of the keys [begin, begin + n) on a host, for fewer than 2^32 keys and
/// bins. Calls the bin operation once for each key.
template <class Exec, class Keys, class BinOp, class Offsets, class Counts>
class bin_dealer {
 public:
  using index = typename Offsets::value_type;
  using route = bin_route<typename Offsets::device_type>;

  /// `sort_within_bins`: the keys of each bin are sorted.
  bin_dealer(const Exec& exec, const Keys& keys, const BinOp& op, index_t begin, index_t n,
             bool sort_within_bins, index* places, const Offsets& offsets, const Counts& counts)
      : exec_(exec),
        keys_(keys),
        op_(op),
        begin_(begin),
        n_(n),
        sort_within_bins_(sort_within_bins),
        places_(places),
        offsets_(offsets),
        counts_(counts),
        buckets_(static_cast<index_t>(op.max_bins()), n, sort_within_bins) {
    // Each of several workers gets at least as many keys as it has counters, and at least 4096.
    const index_t least = buckets_.size() > 4096 ? buckets_.size() : 4096;
    workers_ = at_least_one(exec.concurrency() < n / least ? exec.concurrency() : n / least);
    plan_ = make_plan(buckets_.size());
  }

  /// Computes the permutation. Returns false, without results, if the bin of a key does not exist.
  bool deal(route& out) {
    const numbers targets = make_numbers("hpk::BinSort: targets");
    bool in_order = false;
    if (!find_bins(targets.data(), in_order)) return false;
    place_buckets(plan_, workers_);
    numbers sources;
    if (sort_within_bins_) {
      sources = make_numbers("hpk::BinSort: sources");
      deal_twice(targets.data(), sources.data(),
                 order_in_bins<Keys, BinOp, index>{keys_, op_, begin_});
    } else if (buckets_.size() != buckets_.bins()) {
      sources = make_numbers("hpk::BinSort: sources");
      deal_twice(targets.data(), sources.data(), order_of_indices());
    } else {
      for (index_t b = 0; b < buckets_.bins(); ++b)
        put_bin(b, bucket_begin(b), bucket_begin(b + 1) - bucket_begin(b));
      if (in_order) {
        in_shares(n_, [this](index_t, index_t begin, index_t end) {
          for (index_t i = begin; i < end; ++i) places_[i] = static_cast<index>(begin_ + i);
        });
      } else {
        deal_keys(targets.data(), [this](std::uint32_t to, std::uint32_t, index_t i) {
          places_[to] = static_cast<index>(begin_ + i);
        });
      }
    }
    out = in_order && !sort_within_bins_ ? route{{}, {}, true} : route{targets, sources, false};
    return true;
  }

 private:
  using numbers = typename route::numbers;
  /// The bin and the place of a key between the two steps. The pairs use the memory of the
  /// permutation if its indices are wide enough.
  static constexpr bool pairs_in_place = sizeof(index) == sizeof(std::uint64_t);
  using pair = std::conditional_t<pairs_in_place, index, std::uint64_t>;
  static constexpr pair make_pair(std::uint32_t bin, std::uint32_t place) {
    return static_cast<pair>(std::uint64_t{bin} << 32 | place);
  }
  static constexpr std::uint32_t bin_of_pair(pair p) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(p) >> 32);
  }
  static constexpr std::uint32_t place_of_pair(pair p) { return static_cast<std::uint32_t>(p); }

  /// Number of keys that are processed together, with a separate loop for each operation: a core
  /// writes to many places faster if it writes nothing else at the same time.
  static constexpr index_t block = 1024;

  static index_t at_least_one(index_t n) { return n < 1 ? 1 : n; }
  numbers make_numbers(const char* label) const {
    return numbers(view_alloc(exec_, label, WithoutInitializing), n_);
  }
  bucket_plan make_plan(index_t buckets) const {
    bucket_plan plan;
    plan.buckets = static_cast<std::size_t>(buckets);
    plan.counts.resize(plan.buckets * static_cast<std::size_t>(workers_));
    return plan;
  }
  /// Calls f(worker, begin, end) for each worker's share of n elements.
  template <class F>
  void in_shares(index_t n, const F& f) const {
    on_workers("hpk::BinSort", exec_, workers_, [this, n, &f](index_t w) {
      f(w, share_of(n, w, workers_), share_of(n, w + 1, workers_));
    });
  }

  /// Stores the bins of all keys, and counts the keys of each bucket. Returns false if a bin does
  /// not exist.
  bool find_bins(std::uint32_t* bins, bool& in_order) {
    std::vector<char> wrong(static_cast<std::size_t>(workers_));
    std::vector<char> ordered(static_cast<std::size_t>(workers_));
    in_shares(n_, [&](index_t w, index_t begin, index_t end) {
      bool rising = true;
      wrong[static_cast<std::size_t>(w)] =
          !survey_share(bins, begin, end,
                        plan_.counts.data() + static_cast<std::size_t>(w) * plan_.buckets, rising);
      ordered[static_cast<std::size_t>(w)] = rising;
    });
    in_order = true;
    for (index_t w = 0; w < workers_; ++w) {
      const index_t first = share_of(n_, w, workers_);
      if (wrong[static_cast<std::size_t>(w)] != 0) return false;
      in_order = in_order && ordered[static_cast<std::size_t>(w)] != 0 &&
                 (first == 0 || bins[first - 1] <= bins[first]);
    }
    return true;
  }
  /// Does the same for the keys [begin, end).
  bool survey_share(std::uint32_t* bins, index_t begin, index_t end, index_t* counts,
                    bool& rising) const {
    const Keys keys = keys_;
    const BinOp op = op_;
    const bin_buckets buckets = buckets_;
    const auto number = static_cast<std::uint32_t>(buckets.bins());
    std::uint32_t before = 0;
    for (index_t at = begin; at < end; at += block) {
      const index_t size = end - at < block ? end - at : block;
      std::uint32_t* const found = bins + at;
      for (index_t j = 0; j < size; ++j) found[j] = bin_number(op, keys, begin_ + at + j);
      bool wrong = found[0] >= number;
      bool falls = found[0] < before;
      for (index_t j = 1; j < size; ++j) {
        wrong |= found[j] >= number;
        falls |= found[j] < found[j - 1];
      }
      if (wrong) return false;
      rising = rising && !falls;
      before = found[size - 1];
      if (!falls && found[0] == before) {  // all keys are in one bin
        counts[buckets.of(before)] += size;
        continue;
      }
      for (index_t j = 0; j < size; ++j) ++counts[buckets.of(found[j])];
    }
    return true;
  }

  /// Replaces the bin of each key by its target, and calls put(target, bin, i) for each key i.
  template <class Put>
  void deal_keys(std::uint32_t* bins, const Put& put) {
    in_shares(n_, [&](index_t w, index_t begin, index_t end) {
      const bin_buckets buckets = buckets_;
      index_t* const next = plan_.counts.data() + static_cast<std::size_t>(w) * plan_.buckets;
      std::uint32_t bin[block];
      for (index_t at = begin; at < end; at += block) {
        const index_t size = end - at < block ? end - at : block;
        std::uint32_t* const targets = bins + at;
        for (index_t j = 0; j < size; ++j) {
          bin[j] = targets[j];
          targets[j] = static_cast<std::uint32_t>(next[buckets.of(bin[j])]++);
        }
        for (index_t j = 0; j < size; ++j) put(targets[j], bin[j], at + j);
      }
    });
  }

  /// Distributes the keys to buckets, and the keys of each bucket to bins. Order may sort the keys
  /// of each bin.
  template <class Order>
  void deal_twice(std::uint32_t* bins, std::uint32_t* sources, const Order& order) {
    const auto memory =
        allocate_for_sort<std::uint64_t>(exec_, "hpk::BinSort: bins", pairs_in_place ? 0 : n_);
    pair* pairs;
    if constexpr (pairs_in_place) {
      pairs = places_;
    } else {
      pairs = memory.data();
    }
    deal_keys(bins, [pairs](std::uint32_t to, std::uint32_t bin, index_t i) {
      pairs[to] = make_pair(bin, static_cast<std::uint32_t>(i));
    });

    using element = typename Order::element;
    const index_t share = n_ / (4 * workers_);
    const index_t limit = share < one_worker_limit ? one_worker_limit : share;
    index_t largest = 0;
    index_t most_bins = 0;
    for (index_t b = 0; b < buckets_.size(); ++b) {
      const index_t size = bucket_begin(b + 1) - bucket_begin(b);
      if (size <= limit && size > largest) largest = size;
      const index_t bins_of_bucket = buckets_.first(b + 1) - buckets_.first(b);
      if (bins_of_bucket > most_bins) most_bins = bins_of_bucket;
    }
    const auto elements = allocate_for_sort<element>(exec_, "hpk::BinSort: buckets",
                                                     (Order::sorts ? 2 : 1) * largest * workers_);
    const auto counters =
        allocate_for_sort<std::uint32_t>(exec_, "hpk::BinSort: counters", most_bins * workers_);
    index_t claimed = 0;
    on_workers("hpk::BinSort", exec_, workers_, [&](index_t w) {
      element* const worker_elements = elements.data() + (Order::sorts ? 2 : 1) * largest * w;
      for (;;) {
        const index_t b = atomic_fetch_add(&claimed, index_t{1});
        if (b >= buckets_.size()) break;
        if (bucket_begin(b + 1) - bucket_begin(b) > limit) continue;
        order_bucket(b, pairs, sources, order, counters.data() + most_bins * w, worker_elements,
                     worker_elements + largest);
      }
    });
    for (index_t b = 0; b < buckets_.size(); ++b)
      if (bucket_begin(b + 1) - bucket_begin(b) > limit) share_bucket(b, pairs, sources, order);
  }

  /// Orders a bucket on one worker, in the memory of this worker.
  template <class Order>
  void order_bucket(index_t bucket, const pair* pairs, std::uint32_t* sources, const Order& order,
                    std::uint32_t* next, typename Order::element* elements,
                    typename Order::element* others) const {
    const index_t begin = bucket_begin(bucket);
    const index_t end = bucket_begin(bucket + 1);
    const index_t first = buckets_.first(bucket);
    const index_t bins = buckets_.first(bucket + 1) - first;
    for (index_t b = 0; b < bins; ++b) next[b] = 0;
    for (index_t i = begin; i < end; ++i) ++next[bin_of_pair(pairs[i]) - first];
    index_t sum = begin;
    for (index_t b = 0; b < bins; ++b) {
      const index_t count = next[b];
      put_bin(first + b, sum, count);
      next[b] = static_cast<std::uint32_t>(sum - begin);
      sum += count;
    }
    for (index_t i = begin; i < end; ++i) {
      const pair p = pairs[i];
      elements[next[bin_of_pair(p) - first]++] =
          order.make(place_of_pair(p), static_cast<std::uint32_t>(i));
    }
    if constexpr (Order::sorts) {
      index_t at = 0;
      for (index_t b = 0; b < bins; ++b) {
        const index_t size = static_cast<index_t>(next[b]) - at;
        if (size > 1) merge_sort_on_worker(elements + at, others, size, order, false);
        at += size;
      }
    }
    put_elements(elements, sources, begin, end);
  }
  /// Orders a large bucket on all workers.
  template <class Order>
  void share_bucket(index_t bucket, const pair* pairs, std::uint32_t* sources,
                    const Order& order) const {
    using element = typename Order::element;
    const index_t begin = bucket_begin(bucket);
    const index_t n = bucket_begin(bucket + 1) - begin;
    const index_t first = buckets_.first(bucket);
    const index_t bins = buckets_.first(bucket + 1) - first;
    const pair* const from = pairs + begin;
    bucket_plan plan = make_plan(bins);
    in_shares(n, [&](index_t w, index_t i, index_t end) {
      index_t* const counts = plan.counts.data() + w * bins;
      for (; i < end; ++i) ++counts[bin_of_pair(from[i]) - first];
    });
    place_buckets(plan, workers_);
    const auto memory = allocate_for_sort<element>(exec_, "hpk::BinSort: bucket", n);
    element* const elements = memory.data();
    in_shares(n, [&](index_t w, index_t i, index_t end) {
      index_t* const next = plan.counts.data() + w * bins;
      for (; i < end; ++i)
        elements[next[bin_of_pair(from[i]) - first]++] =
            order.make(place_of_pair(from[i]), static_cast<std::uint32_t>(begin + i));
    });
    for (index_t b = 0; b < bins; ++b) {
      const auto at = static_cast<std::size_t>(b);
      put_bin(first + b, begin + plan.begin[at], plan.begin[at + 1] - plan.begin[at]);
    }
    if constexpr (Order::sorts) {
      sort_segments_plain(
          "hpk::BinSort", exec_, elements, bins,
          [&](index_t b) { return plan.begin[static_cast<std::size_t>(b)]; }, order,
          [&](index_t at, index_t size) {
            merge_sort("hpk::BinSort", exec_, plain_row<element>{elements + at}, size, order);
          });
    }
    in_shares(n, [&](index_t, index_t i, index_t end) {
      put_elements(elements + i, sources, begin + i, begin + end);
    });
  }

  index_t bucket_begin(index_t bucket) const {
    return plan_.begin[static_cast<std::size_t>(bucket)];
  }
  void put_bin(index_t bin, index_t begin, index_t count) const {
    offsets_(bin) = static_cast<index>(begin);
    counts_(bin) = static_cast<typename Counts::value_type>(count);
  }
  /// Stores the results for elements [begin, end).
  template <class Element>
  void put_elements(const Element* elements, std::uint32_t* sources, index_t begin,
                    index_t end) const {
    for (index_t i = begin; i < end; ++i)
      places_[i] = static_cast<index>(begin_ + elements[i - begin].place);
    for (index_t i = begin; i < end; ++i) sources[i] = elements[i - begin].source;
  }

  const Exec& exec_;
  const Keys& keys_;
  const BinOp& op_;
  index_t begin_;
  index_t n_;
  bool sort_within_bins_;
  index* places_;
  Offsets offsets_;
  Counts counts_;
  bin_buckets buckets_;
  index_t workers_;
  bucket_plan plan_;
};

}  // namespace hpk::detail::sorting
