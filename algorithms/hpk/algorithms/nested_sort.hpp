// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts inside kernels: sort_team and sort_by_key_team use all lanes of a team, sort_thread and
// sort_by_key_thread the vector lanes of one thread. They sort in place, any number of elements,
// and are not stable. A single lane sorts by heapsort, several lanes by an odd-even merge network
// (Batcher, 1968).
#pragma once

#include <hpk/algorithms/detail/sort_memory.hpp>
#include <hpk/algorithms/sort_order.hpp>
#include <hpk/core.hpp>
#include <hpk/error.hpp>

namespace hpk::detail::sorting {

/// Keys without values.
template <class K, class Less>
struct nested_keys {
  K keys;
  Less less;
  HPK_CALLS_EITHER
  HPK_FUNCTION index_t size() const { return static_cast<index_t>(keys.extent(0)); }
  HPK_CALLS_EITHER
  HPK_FUNCTION bool is_less(index_t i, index_t j) const { return less(keys(i), keys(j)); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void exchange(index_t i, index_t j) const {
    const typename K::non_const_value_type saved = keys(i);
    keys(i) = keys(j);
    keys(j) = saved;
  }
};
/// Keys with values.
template <class K, class V, class Less>
struct nested_pairs {
  nested_keys<K, Less> keys;
  V values;
  HPK_CALLS_EITHER
  HPK_FUNCTION index_t size() const { return keys.size(); }
  HPK_CALLS_EITHER
  HPK_FUNCTION bool is_less(index_t i, index_t j) const { return keys.is_less(i, j); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void exchange(index_t i, index_t j) const {
    keys.exchange(i, j);
    const typename V::non_const_value_type saved = values(i);
    values(i) = values(j);
    values(j) = saved;
  }
};

/// Restores the heap property below element i of n elements.
HPK_CALLS_EITHER
template <class Elements>
HPK_FUNCTION void sift_down(const Elements& elements, index_t i, index_t n) {
  for (index_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && elements.is_less(child, child + 1)) ++child;
    if (!elements.is_less(i, child)) return;
    elements.exchange(i, child);
    i = child;
  }
}
/// Sorts on the calling lane.
HPK_CALLS_EITHER
template <class Elements>
HPK_FUNCTION void sort_on_lane(const Elements& elements) {
  const index_t n = elements.size();
  constexpr index_t few = 24;
  if (n <= few) {
    for (index_t i = 1; i < n; ++i)
      for (index_t j = i; j > 0 && elements.is_less(j, j - 1); --j) elements.exchange(j, j - 1);
    return;
  }
  for (index_t i = n / 2; i > 0; --i) sift_down(elements, i - 1, n);
  for (index_t last = n - 1; last > 0; --last) {
    elements.exchange(0, last);
    sift_down(elements, 0, last);
  }
}

/// One step of the network, which merges runs of `width` elements: compares and exchanges elements
/// at `distance`.
template <class Elements>
struct network_step {
  Elements elements;
  index_t width;
  index_t distance;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t k) const {
    const index_t i = distance % width + k / distance * 2 * distance + k % distance;
    const index_t j = i + distance;
    if (j < elements.size() && i / (2 * width) == j / (2 * width) && elements.is_less(j, i))
      elements.exchange(i, j);
  }
};

/// The lanes that sort together.
template <class Team>
struct team_lanes {
  const Team& team;
  HPK_FUNCTION bool is_single() const {
    return sorts_on_host<typename Team::execution_space> && team.team_size() == 1;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void barrier() const { team.team_barrier(); }
  HPK_CALLS_EITHER
  HPK_FUNCTION auto range(index_t n) const { return TeamVectorRange(team, n); }
};
template <class Team>
struct thread_lanes {
  const Team& team;
  HPK_FUNCTION bool is_single() const { return sorts_on_host<typename Team::execution_space>; }
  HPK_FUNCTION void barrier() const {}  // Loops over ThreadVectorRange end with one.
  HPK_CALLS_EITHER
  HPK_FUNCTION auto range(index_t n) const { return ThreadVectorRange(team, n); }
};

HPK_CALLS_EITHER
template <class Lanes, class Elements>
HPK_FUNCTION void sort_nested(const Lanes& lanes, const Elements& elements) {
  if (lanes.is_single()) {
    sort_on_lane(elements);
    return;
  }
  const index_t n = elements.size();
  lanes.barrier();
  for (index_t width = 1; width < n; width *= 2) {
    for (index_t distance = width; distance > 0; distance /= 2) {
      parallel_for(lanes.range((n + 1) / 2), network_step<Elements>{elements, width, distance});
      lanes.barrier();
    }
  }
}

template <class V>
HPK_FUNCTION constexpr bool check_nested_view() {
  constexpr bool flat = V::rank() == 1 && !std::is_const_v<typename V::value_type>;
  static_assert(flat,
                "hpk::sort_team: sorts Views of rank 1 with non-const elements; take a row with "
                "hpk::subview(view, i, hpk::ALL)");
  return flat;
}
/// Reports keys and values of different lengths, in checked builds.
template <class K, class V>
HPK_FUNCTION void expect_nested_lengths([[maybe_unused]] const K& keys,
                                        [[maybe_unused]] const V& values) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    if (keys.extent(0) != values.extent(0)) {
      HPK_IF_ON_HOST(
          (hpk::raise(error_message()
                      << "hpk::sort_by_key: there are " << static_cast<index_t>(keys.extent(0))
                      << " keys, but " << static_cast<index_t>(values.extent(0))
                      << " values; cut both to the same range with hpk::subview");))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::sort_by_key: keys and values differ in length");))
    }
  }
}

HPK_CALLS_EITHER
template <class Lanes, class V, class Less>
HPK_FUNCTION void sort_nested_view(const Lanes& lanes, const V& view, const Less& less) {
  if constexpr (check_nested_view<V>()) sort_nested(lanes, nested_keys<V, Less>{view, less});
}
HPK_CALLS_EITHER
template <class Lanes, class K, class V, class Less>
HPK_FUNCTION void sort_nested_pairs(const Lanes& lanes, const K& keys, const V& values,
                                    const Less& less) {
  if constexpr (check_nested_view<K>() && check_nested_view<V>()) {
    expect_nested_lengths(keys, values);
    sort_nested(lanes, nested_pairs<K, V, Less>{{keys, less}, values});
  }
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Sorts a View of rank 1, in global memory or scratch, with all threads and vector lanes of a
/// team. All threads call it with the same View. Ascending by operator<. Not stable. In place,
/// without additional memory. The team passes a barrier before and after the sort.
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view V>
HPK_FUNCTION void sort_team(const Team& team, const V& view) {
  sort_team(team, view, detail::sorting::default_less());
}
/// Sorts by a comparison: less(a, b) is true if a comes before b.
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view V, class Less>
HPK_FUNCTION void sort_team(const Team& team, const V& view, const Less& less) {
  detail::sorting::sort_nested_view(detail::sorting::team_lanes<Team>{team}, view, less);
}
/// Sorts keys and permutes the elements of `values` like their keys. Checked builds throw
/// hpk::error if their lengths differ.
///@{
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view K, detail::sorting::sortable_view V>
HPK_FUNCTION void sort_by_key_team(const Team& team, const K& keys, const V& values) {
  sort_by_key_team(team, keys, values, detail::sorting::default_less());
}
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view K, detail::sorting::sortable_view V,
          class Less>
HPK_FUNCTION void sort_by_key_team(const Team& team, const K& keys, const V& values,
                                   const Less& less) {
  detail::sorting::sort_nested_pairs(detail::sorting::team_lanes<Team>{team}, keys, values, less);
}
///@}

/// As sort_team and sort_by_key_team, but sort Views of the calling thread with the vector lanes of
/// this thread. Other threads do not take part, and there is no team barrier.
///@{
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view V>
HPK_FUNCTION void sort_thread(const Team& team, const V& view) {
  sort_thread(team, view, detail::sorting::default_less());
}
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view V, class Less>
HPK_FUNCTION void sort_thread(const Team& team, const V& view, const Less& less) {
  detail::sorting::sort_nested_view(detail::sorting::thread_lanes<Team>{team}, view, less);
}
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view K, detail::sorting::sortable_view V>
HPK_FUNCTION void sort_by_key_thread(const Team& team, const K& keys, const V& values) {
  sort_by_key_thread(team, keys, values, detail::sorting::default_less());
}
HPK_CALLS_EITHER
template <TeamHandle Team, detail::sorting::sortable_view K, detail::sorting::sortable_view V,
          class Less>
HPK_FUNCTION void sort_by_key_thread(const Team& team, const K& keys, const V& values,
                                     const Less& less) {
  detail::sorting::sort_nested_pairs(detail::sorting::thread_lanes<Team>{team}, keys, values, less);
}
///@}

namespace Experimental {
using hpk::sort_by_key_team;
using hpk::sort_by_key_thread;
using hpk::sort_team;
using hpk::sort_thread;
}  // namespace Experimental

}  // namespace hpk
