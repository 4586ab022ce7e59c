// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort of rows on devices, by the vendor's library where hpk knows one. Else least
// significant digit first: each lane counts the digits of a
// few neighbouring elements, a scan finds where they go, and the lane moves them there in order.
// Stable.
#pragma once

#include <hpk/algorithms/radix_cache.hpp>
#include <hpk/algorithms/sort_memory.hpp>
#include <hpk/algorithms/sort_order.hpp>
#include <hpk/library_sort.hpp>

#include <cstdint>

namespace hpk::detail::sorting {

inline constexpr int lane_digit_bits = 4;
inline constexpr int lane_digit_values = 1 << lane_digit_bits;

/// A bit is 1 where a key differs from the first one.
template <class Order, class Keys>
struct varying_bits_kernel {
  Keys keys;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& varying) const {
    varying |= static_cast<std::uint64_t>(Order::to_bits(keys[i])) ^
               static_cast<std::uint64_t>(Order::to_bits(keys[0]));
  }
};

/// Keys as bits, with the places of their elements.
template <class Order, class Keys, class Out, class Places>
struct read_keys_kernel {
  Keys keys;
  Out out;
  Places places;
  bool with_places;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    out[i] = Order::to_bits(keys[i]);
    if (with_places) places[i] = i;
  }
};
template <class Order, class Keys, class In>
struct write_keys_kernel {
  Keys keys;
  In in;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { keys[i] = Order::from_bits(in[i]); }
};

/// What one pass works on; a lane has `chunk` elements.
template <class Keys, class Places, class Counts>
struct digit_pass {
  Keys from;
  Keys to;
  Places from_places;
  Places to_places;
  Counts counts;  // [digit * chunks + chunk]
  index_t n;
  index_t chunk;
  index_t chunks;
  int shift;
  bool with_places;

  HPK_CALLS_EITHER
  HPK_FUNCTION index_t digit(index_t i) const {
    return static_cast<index_t>(from[i] >> shift) & (lane_digit_values - 1);
  }
  HPK_FUNCTION index_t end_of(index_t c) const { return (c + 1) * chunk < n ? (c + 1) * chunk : n; }
};
template <class Pass>
struct count_kernel {
  Pass pass;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t c) const {
    index_t counts[lane_digit_values] = {};
    for (index_t i = c * pass.chunk; i < pass.end_of(c); ++i) ++counts[pass.digit(i)];
    for (index_t d = 0; d < lane_digit_values; ++d) pass.counts[d * pass.chunks + c] = counts[d];
  }
};
template <class Pass>
struct place_kernel {
  Pass pass;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& sum, bool final) const {
    const index_t count = pass.counts[i];
    if (final) pass.counts[i] = sum;
    sum += count;
  }
};
template <class Pass>
struct scatter_kernel {
  Pass pass;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t c) const {
    index_t next[lane_digit_values];
    for (index_t d = 0; d < lane_digit_values; ++d) next[d] = pass.counts[d * pass.chunks + c];
    for (index_t i = c * pass.chunk; i < pass.end_of(c); ++i) {
      const index_t to = next[pass.digit(i)]++;
      pass.to[to] = pass.from[i];
      if (pass.with_places) pass.to_places[to] = pass.from_places[i];
    }
  }
};

/// Sorts n keys of Views by their bits [first_bit, end_bit), and places likewise if there are some.
/// Returns whether the spare Views have the result.
template <class Exec, class Keys, class Places>
bool sort_by_library(const Exec& exec, const Keys& keys, const Keys& spare, const Places& places,
                     const Places& spare_places, index_t n, int first_bit, int end_bit) {
  using library = seam::library_sort<Exec>;
  seam::sort_buffers<typename Keys::value_type> both{keys.data(), spare.data()};
  if (places.size() == 0) {
    library::sort(exec, both, n, first_bit, end_bit);
  } else {
    seam::sort_buffers<index_t> both_places{places.data(), spare_places.data()};
    library::sort_pairs(exec, both, both_places, n, first_bit, end_bit);
  }
  return both.elements != keys.data();
}

/// Sorts keys and places digit by digit; `from` has both afterwards. A bit of `varying` is 1 where
/// keys differ.
template <class Exec, class Keys, class Places>
void sort_by_digits(std::string_view label, const Exec& exec, Keys& from, Keys& to,
                    Places& from_places, Places& to_places, index_t n, std::uint64_t varying,
                    bool with_places) {
  const index_t share = n >> 16;
  const index_t chunk = share < 64 ? 64 : share;
  const index_t chunks = (n + chunk - 1) / chunk;
  const auto counts =
      allocate_for_sort<index_t>(exec, "hpk::sort: counts", lane_digit_values * chunks);
  using pass_type = digit_pass<Keys, Places, decltype(row_of_memory<Exec>(counts))>;
  for (int shift = 0; shift < 64 && varying >> shift != 0;) {
    shift += std::countr_zero(varying >> shift);
    const pass_type pass{from, to,    from_places, to_places, row_of_memory<Exec>(counts),
                         n,    chunk, chunks,      shift,     with_places};
    const RangePolicy<Exec> lanes(exec, index_t{0}, chunks);
    parallel_for(label, lanes, count_kernel<pass_type>{pass});
    parallel_scan(label, RangePolicy<Exec>(exec, index_t{0}, lane_digit_values * chunks),
                  place_kernel<pass_type>{pass});
    parallel_for(label, lanes, scatter_kernel<pass_type>{pass});
    std::swap(from, to);
    std::swap(from_places, to_places);
    shift += lane_digit_bits;
  }
  exec.fence("hpk::sort: fence before memory is freed");
}

/// Sorts n keys of a device; the values likewise.
template <class Order, class Exec, class Keys, class... Rows>
void radix_sort_rows(std::string_view label, const Exec& exec, const Keys& keys,
                     const columns<Rows...>& values, index_t n) {
  using bits = typename Order::bits;
  constexpr bool with_values = sizeof...(Rows) != 0;
  const RangePolicy<Exec> all(exec, index_t{0}, n);
  std::uint64_t varying = 0;
  parallel_reduce(label, all, varying_bits_kernel<Order, Keys>{keys}, BOr<std::uint64_t>(varying));
  if (varying == 0) return;

  const auto a = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
  const auto b = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
  const auto places_a = allocate_for_sort<index_t>(exec, "hpk::sort: places", with_values ? n : 0);
  const auto places_b = allocate_for_sort<index_t>(exec, "hpk::sort: places", with_values ? n : 0);
  auto from = row_of_memory<Exec>(a);
  auto to = row_of_memory<Exec>(b);
  auto from_places = row_of_memory<Exec>(places_a);
  auto to_places = row_of_memory<Exec>(places_b);
  parallel_for(label, all,
               read_keys_kernel<Order, Keys, decltype(from), decltype(from_places)>{
                   keys, from, from_places, with_values});
  if constexpr (seam::library_sort<Exec>::is_known) {
    if (sort_by_library(exec, a, b, places_a, places_b, n, std::countr_zero(varying),
                        64 - std::countl_zero(varying))) {
      std::swap(from, to);
      std::swap(from_places, to_places);
    }
  } else {
    sort_by_digits(label, exec, from, to, from_places, to_places, n, varying, with_values);
  }
  parallel_for(label, all, write_keys_kernel<Order, Keys, decltype(from)>{keys, from});
  if constexpr (with_values) {
    const auto memory = allocate_columns(exec, values, n);
    const auto saved = memory.rows();
    copy_columns(label, exec, saved, values, n);
    gather_columns(label, exec, values, saved, from_places, n);
    exec.fence("hpk::sort: fence before memory is freed");
  } else {
    exec.fence("hpk::sort: fence before memory is freed");
  }
}

}  // namespace hpk::detail::sorting
