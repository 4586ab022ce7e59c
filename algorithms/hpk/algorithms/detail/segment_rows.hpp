// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts the segments of a row of a device separately. If no segment is too large and the vendor's
// library can do it, the library sorts each segment in a warp or block. Otherwise all elements are
// sorted together, by segment first.
#pragma once

#include <hpk/algorithms/detail/sort_columns.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk::detail::sorting {

/// Consecutive segments of a row.
template <class Offsets>
struct segment_list {
  Offsets offsets;
  index_t from;   // the first segment
  index_t count;  // the number of segments
  index_t first;  // where the first segment begins

  /// Returns the index, counted from segment `from`, of the segment that contains element first +
  /// i.
  HPK_CALLS_EITHER
  HPK_FUNCTION index_t number_of(index_t i) const {
    const auto at = static_cast<typename Offsets::value_type>(first + i);
    return find_bound<true>(offsets, from, count, at, default_less()) - 1;
  }
};

/// Writes the offsets of the segments relative to the first element of the first segment.
template <class List, class Out>
struct read_offsets_kernel {
  List list;
  Out out;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t s) const {
    out[s] = static_cast<index_t>(list.offsets[list.from + s]) - list.first;
  }
};
/// Writes the index of the segment of each element.
template <class List, class Out>
struct number_segments_kernel {
  List list;
  Out out;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    out[i] = static_cast<typename Out::value_type>(list.number_of(i));
  }
};

/// Pack an element and its segment into one number, with the segment in the upper half, and unpack
/// it.
template <class Order, class Values, class List, class Out>
struct pack_segments_kernel {
  static constexpr int width = 8 * sizeof(typename Order::bits);
  Values values;
  List list;
  Out out;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    out[i] = static_cast<std::uint64_t>(list.number_of(i)) << width |
             static_cast<std::uint64_t>(Order::to_bits(values[i]));
  }
};
template <class Order, class Values, class In>
struct unpack_segments_kernel {
  Values values;
  In in;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    values[i] = Order::from_bits(static_cast<typename Order::bits>(in[i]));
  }
};

/// An element and its segment, for elements that are sorted by comparison.
template <class T>
struct segment_element {
  T value;
  index_t segment;
};
template <class Less>
struct less_in_segment {
  Less less;
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION bool operator()(const segment_element<T>& a, const segment_element<T>& b) const {
    return a.segment != b.segment ? a.segment < b.segment
                                  : static_cast<bool>(less(a.value, b.value));
  }
};
template <class Values, class List, class Pairs>
struct read_segments_kernel {
  Values values;
  List list;
  Pairs pairs;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { pairs[i] = {values[i], list.number_of(i)}; }
};
template <class Values, class Pairs>
struct write_segments_kernel {
  Values values;
  Pairs pairs;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { values[i] = pairs[i].value; }
};

/// Estimates whether one block of a GPU per segment sorts n elements faster than one sort of all
/// elements. A block has a hundredth of the throughput of the GPU, but the sort of all elements
/// costs two more passes, a search for each element, and a dozen launches.
constexpr bool are_small_segments(index_t largest, index_t n) {
  return largest <= (index_t{1} << 14) + n / 64;
}

/// Sorts n values with a library, each segment separately.
template <class Order, class Library, class Exec, class Values, class List>
void library_sort_segments(std::string_view label, const Exec& exec, const Values& values,
                           index_t n, const List& list) {
  const auto offsets =
      allocate_for_sort<index_t>(exec, "hpk::segmented_sort: offsets", list.count + 1);
  using row = decltype(row_of_memory<Exec>(offsets));
  parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, list.count + 1),
               read_offsets_kernel<List, row>{list, row_of_memory<Exec>(offsets)});
  sort_as_numbers<Order>(label, exec, values, n, [&](auto& buffers, auto descending) {
    Library::template sort_segments<decltype(descending)::value>(exec, buffers, n, offsets.data(),
                                                                 list.count);
  });
}

/// Sorts n values by segment. Values of up to 32 bits are packed into one key with the index of
/// their segment. Wider values are sorted by value and then, because sorts are stable, by segment.
template <class Order, class Exec, class Values, class List>
void radix_sort_segments(std::string_view label, const Exec& exec, const Values& values, index_t n,
                         const List& list) {
  const RangePolicy<Exec> all(exec, index_t{0}, n);
  const int number_bits = std::bit_width(static_cast<std::uint64_t>(list.count - 1));
  if constexpr (sizeof(typename Order::bits) <= 4) {
    const auto memory = allocate_for_sort<std::uint64_t>(exec, "hpk::segmented_sort: keys", n);
    const auto keys = row_of_memory<Exec>(memory);
    using row = std::remove_const_t<decltype(keys)>;
    using pack = pack_segments_kernel<Order, Values, List, row>;
    parallel_for(label, all, pack{values, list, keys});
    radix_sort_rows<key_order<std::uint64_t>>(label, exec, keys, columns<>(), n,
                                              pack::width + number_bits);
    parallel_for(label, all, unpack_segments_kernel<Order, Values, row>{values, keys});
    exec.fence("hpk::segmented_sort: fence after");
  } else {
    const auto memory = allocate_for_sort<std::uint32_t>(exec, "hpk::segmented_sort: segments", n);
    const auto numbers = row_of_memory<Exec>(memory);
    using row = std::remove_const_t<decltype(numbers)>;
    parallel_for(label, all, number_segments_kernel<List, row>{list, numbers});
    radix_sort_rows<Order>(label, exec, values, make_columns(numbers), n, 64);
    radix_sort_rows<key_order<std::uint32_t>>(label, exec, numbers, make_columns(values), n,
                                              number_bits);
  }
}

/// Sorts n values by segment and then by a comparison.
template <class Exec, class Values, class List, class Less>
void merge_sort_segments(std::string_view label, const Exec& exec, const Values& values, index_t n,
                         const List& list, const Less& less) {
  using element = segment_element<typename Values::value_type>;
  const auto memory = allocate_for_sort<element>(exec, "hpk::segmented_sort: elements", n);
  const auto pairs = row_of_memory<Exec>(memory);
  using row = std::remove_const_t<decltype(pairs)>;
  const RangePolicy<Exec> all(exec, index_t{0}, n);
  parallel_for(label, all, read_segments_kernel<Values, List, row>{values, list, pairs});
  merge_sort(label, exec, pairs, n, less_in_segment<Less>{less});
  parallel_for(label, all, write_segments_kernel<Values, row>{values, pairs});
  exec.fence("hpk::segmented_sort: fence before memory is freed");
}

/// Sorts the segments [from, end) of a View of a device; at most 2^32 segments.
template <class Exec, class V, class O, class BeginOf, class Less>
void sort_segments_of_device(std::string_view label, const Exec& exec, const V& values,
                             const O& offsets, index_t from, index_t end, const BeginOf& begin_of,
                             const Less& less) {
  const index_t first = begin_of(from);
  const index_t n = begin_of(end) - first;
  index_t largest = 0;
  for (index_t s = from; s < end; ++s) {
    const index_t size = begin_of(s + 1) - begin_of(s);
    if (size > largest) largest = size;
  }
  if (largest < 2) return;
  const auto row = make_row(values, first);
  if (largest == n) {
    sort_row(label, exec, row, n, less);
    return;
  }
  const segment_list<view_row<O>> list{make_row(offsets), from, end - from, first};
  using order = order_of_t<typename V::non_const_value_type, Less>;
  if constexpr (!order::by_bits) {
    merge_sort_segments(label, exec, row, n, list, less);
  } else {
    using library = seam::library_sort<Exec>;
    if constexpr (library::sorts_segments) {
      constexpr index_t most = std::numeric_limits<std::int32_t>::max();
      if (are_small_segments(largest, n) && n <= most && list.count < most) {
        library_sort_segments<order, library>(label, exec, row, n, list);
        return;
      }
    }
    radix_sort_segments<order>(label, exec, row, n, list);
  }
}

}  // namespace hpk::detail::sorting
