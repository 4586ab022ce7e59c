// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort of contiguous keys on hosts. All workers together distribute the elements to buckets
// by the upper bits in which keys differ; then one worker sorts each bucket in its cache
// (radix_cache.hpp). Buckets that are too large for this are distributed again. Stable, so the
// result does not depend on which worker does what. Allocates memory for a second copy of the
// elements.
#pragma once

#include <hpk/algorithms/detail/radix_cache.hpp>
#include <hpk/algorithms/detail/sort_memory.hpp>
#include <hpk/algorithms/sort_order.hpp>

#include <cstddef>
#include <vector>

namespace hpk::detail::sorting {

/// Largest number of elements that one worker sorts instead of all workers together.
inline constexpr index_t one_worker_limit = 32768;
/// Largest number of elements of a bucket that one worker always sorts on its own.
inline constexpr index_t least_bucket_limit = index_t{1} << 18;

/// The data of a radix sort on a host: the keys and values to sort, in place, and memory for a
/// second copy of both.
template <class Order, class T, class Values, class SavedValues>
struct radix_work {
  using order = Order;
  using bits = typename Order::bits;
  static constexpr bool with_values = !Values::empty;
  /// The type that is moved while a bucket is sorted.
  using element = std::conditional_t<with_values, placed_key<bits>, bits>;

  T* keys;
  Values values;
  bits* saved_keys;
  SavedValues saved_values;

  radix_work from(index_t first) const {
    return {keys + first, advance_columns(values, first), saved_keys + first,
            advance_columns(saved_values, first)};
  }
  element make_element(bits key, index_t place) const {
    if constexpr (with_values) {
      return {key, static_cast<std::uint32_t>(place)};
    } else {
      return key;
    }
  }
  /// Writes e as element i of the result; its value comes from the saved values.
  HPK_FORCEINLINE void put(index_t i, const element& e) const {
    keys[i] = Order::from_bits(key_of(e));
    if constexpr (with_values) values.copy(i, saved_values, static_cast<index_t>(e.place));
  }
};

/// Memory of one worker for sorting a bucket.
template <class Work>
struct bucket_memory {
  typename Work::element* a;
  typename Work::element* b;
};

/// Sorts n elements from their saved keys and values.
template <class Work>
void sort_bucket(const Work& work, index_t n, const bucket_memory<Work>& memory) {
  using bits = typename Work::bits;
  const bits* const keys = work.saved_keys;
  bits varying = 0;
  for (index_t i = 0; i < n; ++i) varying = static_cast<bits>(varying | (keys[i] ^ keys[0]));
  typename Work::element* b = memory.b;
  if constexpr (!Work::with_values) b = work.saved_keys;
  sort_in_cache(
      n, varying, [&work, keys](index_t i) { return work.make_element(keys[i], i); }, memory.a, b,
      [&work](index_t i, const typename Work::element& e) { work.put(i, e); }, false);
}

/// The bits in which the keys of a share differ from the first of all keys, and whether the share
/// and the key before it are sorted.
template <class Work>
struct key_survey {
  typename Work::bits varying = 0;
  bool sorted = true;
};
template <class Work>
key_survey<Work> survey_keys(const Work& work, index_t begin, index_t end) {
  using order = typename Work::order;
  using bits = typename Work::bits;
  const bits first = order::to_bits(work.keys[0]);
  bits varying = 0;
  index_t i = begin;
  // Unsorted keys usually end this loop early; the next loop does not check the order.
  bits before = order::to_bits(work.keys[begin == 0 ? 0 : begin - 1]);
  for (; i < end; ++i) {
    const bits key = order::to_bits(work.keys[i]);
    if (key < before) break;
    varying = static_cast<bits>(varying | (key ^ first));
    before = key;
  }
  const bool sorted = i == end;
  for (; i < end; ++i)
    varying = static_cast<bits>(varying | (order::to_bits(work.keys[i]) ^ first));
  return {varying, sorted};
}

/// Sorts up to one_worker_limit elements on the calling thread.
template <class Exec, class Work>
void radix_sort_few(std::string_view label, const Exec& exec, const Work& work, index_t n,
                    const bucket_memory<Work>& memory) {
  on_workers(label, exec, 1, [&](index_t) {
    using order = typename Work::order;
    const key_survey<Work> survey = survey_keys(work, 0, n);
    if (survey.sorted) return;
    if constexpr (Work::with_values)
      for (index_t i = 0; i < n; ++i) work.saved_values.copy(i, work.values, i);
    typename Work::element* b = memory.b;
    if constexpr (!Work::with_values) b = work.saved_keys;
    sort_in_cache(
        n, survey.varying,
        [&work](index_t i) { return work.make_element(order::to_bits(work.keys[i]), i); }, memory.a,
        b, [&work](index_t i, const typename Work::element& e) { work.put(i, e); }, true);
  });
}

/// How n elements are distributed to buckets: number of elements of each bucket in each worker's
/// share.
struct bucket_plan {
  int shift = 0;
  std::size_t buckets = 0;
  std::vector<index_t> counts;  // [worker * buckets + bucket]; later the next position
  std::vector<index_t> begin;   // first position of each bucket, and the end of the last
};
/// Turns the counts into positions.
void place_buckets(bucket_plan& plan, index_t workers);
/// Returns how many of the upper `significant` bits select the bucket, for n elements.
int choose_bucket_bits(index_t n, int significant);

template <class Exec, class Work>
void radix_sort_many(std::string_view label, const Exec& exec, const Work& work, index_t n) {
  using order = typename Work::order;
  using bits = typename Work::bits;
  using element = typename Work::element;
  const index_t workers = exec.concurrency();

  std::vector<key_survey<Work>> surveys(static_cast<std::size_t>(workers));
  on_workers(label, exec, workers, [&](index_t w) {
    surveys[static_cast<std::size_t>(w)] =
        survey_keys(work, share_of(n, w, workers), share_of(n, w + 1, workers));
  });
  bits varying = 0;
  bool sorted = true;
  for (const key_survey<Work>& s : surveys) {
    varying = static_cast<bits>(varying | s.varying);
    sorted = sorted && s.sorted;
  }
  if (sorted) return;

  bucket_plan plan;
  const int significant = static_cast<int>(std::bit_width(varying));
  const int used = choose_bucket_bits(n, significant);
  plan.shift = significant - used;
  plan.buckets = std::size_t{1} << used;
  plan.counts.resize(plan.buckets * static_cast<std::size_t>(workers));
  const std::size_t last = plan.buckets - 1;
  on_workers(label, exec, workers, [&](index_t w) {
    index_t* const counts = plan.counts.data() + static_cast<std::size_t>(w) * plan.buckets;
    const index_t end = share_of(n, w + 1, workers);
    for (index_t i = share_of(n, w, workers); i < end; ++i)
      ++counts[static_cast<std::size_t>(order::to_bits(work.keys[i]) >> plan.shift) & last];
  });
  place_buckets(plan, workers);
  on_workers(label, exec, workers, [&](index_t w) {
    index_t* const next = plan.counts.data() + static_cast<std::size_t>(w) * plan.buckets;
    const index_t end = share_of(n, w + 1, workers);
    for (index_t i = share_of(n, w, workers); i < end; ++i) {
      const bits key = order::to_bits(work.keys[i]);
      const index_t to = next[static_cast<std::size_t>(key >> plan.shift) & last]++;
      work.saved_keys[to] = key;
      work.saved_values.copy(to, work.values, i);
    }
  });

  if (plan.shift == 0) {  // The keys of a bucket are equal.
    on_workers(label, exec, workers, [&](index_t w) {
      const index_t end = share_of(n, w + 1, workers);
      for (index_t i = share_of(n, w, workers); i < end; ++i) {
        work.keys[i] = order::from_bits(work.saved_keys[i]);
        work.values.copy(i, work.saved_values, i);
      }
    });
    return;
  }

  const index_t share = n / (8 * workers);
  const index_t limit = share < least_bucket_limit ? least_bucket_limit
                        : share < 1 << 20          ? share
                                                   : 1 << 20;
  index_t largest = 0;
  for (std::size_t b = 0; b < plan.buckets; ++b) {
    const index_t size = plan.begin[b + 1] - plan.begin[b];
    if (size <= limit && size > largest) largest = size;
  }
  const auto memory = allocate_for_sort<element>(exec, "hpk::sort: buckets",
                                                 (Work::with_values ? 2 : 1) * largest * workers);
  index_t claimed = 0;
  on_workers(label, exec, workers, [&](index_t w) {
    element* const a = memory.data() + (Work::with_values ? 2 : 1) * largest * w;
    for (;;) {
      const auto b = static_cast<std::size_t>(atomic_fetch_add(&claimed, index_t{1}));
      if (b >= plan.buckets) break;
      const index_t begin = plan.begin[b];
      const index_t size = plan.begin[b + 1] - begin;
      if (size <= limit) sort_bucket(work.from(begin), size, bucket_memory<Work>{a, a + largest});
    }
  });
  for (std::size_t b = 0; b < plan.buckets; ++b) {
    const index_t size = plan.begin[b + 1] - plan.begin[b];
    if (size <= limit) continue;
    const Work bucket = work.from(plan.begin[b]);
    on_workers(label, exec, workers, [&](index_t w) {
      const index_t end = share_of(size, w + 1, workers);
      for (index_t i = share_of(size, w, workers); i < end; ++i) {
        bucket.keys[i] = order::from_bits(bucket.saved_keys[i]);
        bucket.values.copy(i, bucket.saved_values, i);
      }
    });
    radix_sort_many(label, exec, bucket, size);
  }
}

/// Sorts n keys, and the values in the same order, on a host.
template <class Order, class Exec, class T, class... Rows>
void radix_sort_on_host(std::string_view label, const Exec& exec, T* keys,
                        const columns<Rows...>& values, index_t n) {
  using bits = typename Order::bits;
  const auto key_memory = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
  const auto value_memory = allocate_columns(exec, values, n);
  const auto saved = value_memory.rows();
  using work_type = radix_work<Order, T, columns<Rows...>, std::remove_const_t<decltype(saved)>>;
  const work_type work{keys, values, key_memory.data(), saved};
  if (n > one_worker_limit) {
    radix_sort_many(label, exec, work, n);
    return;
  }
  using element = typename work_type::element;
  const auto memory =
      allocate_for_sort<element>(exec, "hpk::sort: elements", (work_type::with_values ? 2 : 1) * n);
  radix_sort_few(label, exec, work, n, bucket_memory<work_type>{memory.data(), memory.data() + n});
}

}  // namespace hpk::detail::sorting
