// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort of rows on devices. If hpk knows the vendor's library, it sorts the keys: in place if
// they are contiguous integers, else after a conversion to unsigned numbers. Otherwise hpk sorts
// from the least significant digit on: each lane counts the digits of a few neighbouring elements,
// a scan computes their new positions, and the lane moves the elements there in order. Stable.
#pragma once

#include <hpk/algorithms/detail/radix_cache.hpp>
#include <hpk/algorithms/detail/sort_memory.hpp>
#include <hpk/algorithms/sort_order.hpp>
#include <hpk/library_sort.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hpk::detail::sorting {

inline constexpr int lane_digit_bits = 4;
inline constexpr int lane_digit_values = 1 << lane_digit_bits;

/// Computes a mask of the bits in which any key differs from the first.
template <class Order, class Keys>
struct varying_bits_kernel {
  Keys keys;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& varying) const {
    varying |= static_cast<std::uint64_t>(Order::to_bits(keys[i])) ^
               static_cast<std::uint64_t>(Order::to_bits(keys[0]));
  }
};

/// Convert keys to bits, and back.
template <class Order, class Keys, class Out>
struct read_keys_kernel {
  Keys keys;
  Out out;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { out[i] = Order::to_bits(keys[i]); }
};
template <class Order, class Keys, class In>
struct write_keys_kernel {
  Keys keys;
  In in;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const { keys[i] = Order::from_bits(in[i]); }
};

/// The data of one pass over a digit; a lane processes `chunk` elements.
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

/// Writes i to element i: the identity permutation.
template <class Row>
struct count_up_kernel {
  Row row;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    row[i] = static_cast<typename Row::value_type>(i);
  }
};

/// The range [first, end) of bits in which keys may differ. It is only computed for 64-bit keys
/// without a known end bit, where each byte less saves the library one of up to eight passes over
/// the keys.
struct key_bits {
  int first;
  int end;
};
template <class Order, class Exec, class Keys>
key_bits find_key_bits(std::string_view label, const Exec& exec, const Keys& keys, index_t n,
                       int end_bit) {
  constexpr int width = 8 * sizeof(typename Order::bits);
  if (width < 64 || end_bit < width) return {0, end_bit};
  std::uint64_t varying = 0;
  parallel_reduce(label, RangePolicy<Exec>(exec, index_t{0}, n),
                  varying_bits_kernel<Order, Keys>{keys}, BOr<std::uint64_t>(varying));
  return varying == 0 ? key_bits{0, 0}
                      : key_bits{std::countr_zero(varying), 64 - std::countl_zero(varying)};
}

/// Returns the elements of a single column as unsigned numbers, which a library can move along with
/// the keys; null if this is impossible.
template <class... Rows>
std::nullptr_t numbers_of_column(const columns<Rows...>&, index_t) {
  return nullptr;
}
template <class Row>
  requires(std::is_trivially_copyable_v<typename Row::value_type> &&
           alignof(typename Row::value_type) == sizeof(typename Row::value_type) &&
           sizeof(typename Row::value_type) <= 8)
auto numbers_of_column(const columns<Row>& column, index_t n) {
  using number = typename unsigned_of_size<sizeof(typename Row::value_type)>::type;
  return reinterpret_cast<number*>(plain_data(column.row, n));
}

/// Returns the row of the memory in which the library left the result.
template <class Exec, class T>
auto row_of_sorted(const seam::sort_buffers<T>& buffers, const TemporaryMemory<T, Exec>& a,
                   const TemporaryMemory<T, Exec>& b) {
  return row_of_memory<Exec>(buffers.elements == a.data() ? a : b);
}

/// Sorts n keys with a library and permutes the columns in the same way. The keys may be in `spare`
/// afterwards.
template <class Library, bool Descending, class Exec, class Key, class... Rows>
void sort_by_library(std::string_view label, const Exec& exec, seam::sort_buffers<Key>& keys,
                     const columns<Rows...>& values, index_t n, key_bits bits) {
  if constexpr (sizeof...(Rows) == 0) {
    Library::template sort<Descending>(exec, keys, n, bits.first, bits.end);
  } else {
    const auto numbers = numbers_of_column(values, n);
    if constexpr (!std::is_null_pointer_v<std::remove_const_t<decltype(numbers)>>) {
      using number = std::remove_pointer_t<std::remove_const_t<decltype(numbers)>>;
      if (numbers != nullptr) {
        const auto spare = allocate_for_sort<number>(exec, "hpk::sort: values", n);
        seam::sort_buffers<number> buffers{numbers, spare.data()};
        Library::template sort_pairs<Descending>(exec, keys, buffers, n, bits.first, bits.end);
        if (buffers.elements != numbers)
          copy_elements(label, exec, plain_row<number>{numbers}, row_of_memory<Exec>(spare), n);
        return;
      }
    }
    const auto places = allocate_for_sort<index_t>(exec, "hpk::sort: places", n);
    const auto spare = allocate_for_sort<index_t>(exec, "hpk::sort: places", n);
    const auto memory = allocate_columns(exec, values, n);
    const auto saved = memory.rows();
    const auto unsorted = row_of_memory<Exec>(places);
    parallel_for(label, RangePolicy<Exec>(exec, index_t{0}, n),
                 count_up_kernel<decltype(row_of_memory<Exec>(places))>{unsorted});
    seam::sort_buffers<index_t> buffers{places.data(), spare.data()};
    Library::template sort_pairs<Descending>(exec, keys, buffers, n, bits.first, bits.end);
    copy_columns(label, exec, saved, values, n);
    gather_columns(label, exec, values, saved, row_of_sorted<Exec>(buffers, places, spare), n);
  }
}

/// Whether libraries sort keys of type T without conversion, which is true for integers. Libraries
/// treat -0.0 and 0.0 as equal and put NaNs with a sign bit first.
template <class Order, class T>
inline constexpr bool is_order_of_libraries =
    std::integral<T> &&
    (std::is_same_v<Order, key_order<T>> || std::is_same_v<Order, reverse_order<key_order<T>>>);

/// Calls sort(buffers, descending) with n keys of a device in the form that libraries sort: in
/// place if possible, else converted to unsigned numbers. `descending` is a std::bool_constant.
/// Blocks.
template <class Order, class Exec, class Keys, class Sort>
void sort_as_numbers(std::string_view label, const Exec& exec, const Keys& keys, index_t n,
                     const Sort& sort) {
  using value = typename Keys::value_type;
  using bits = typename Order::bits;
  const auto spare = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
  if constexpr (is_order_of_libraries<Order, value>) {
    if (value* const data = plain_data(keys, n); data != nullptr) {
      using key = std::conditional_t<std::is_signed_v<value>, std::make_signed_t<bits>, bits>;
      constexpr bool descending = !std::is_same_v<Order, key_order<value>>;
      auto* const first = reinterpret_cast<key*>(data);
      seam::sort_buffers<key> buffers{first, reinterpret_cast<key*>(spare.data())};
      sort(buffers, std::bool_constant<descending>());
      if (buffers.elements != first)
        copy_elements(label, exec, plain_row<bits>{reinterpret_cast<bits*>(data)},
                      row_of_memory<Exec>(spare), n);
      exec.fence("hpk::sort: fence after");
      return;
    }
  }
  const auto memory = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
  const auto unsorted = row_of_memory<Exec>(memory);
  using row = std::remove_const_t<decltype(unsorted)>;
  const RangePolicy<Exec> all(exec, index_t{0}, n);
  parallel_for(label, all, read_keys_kernel<Order, Keys, row>{keys, unsorted});
  seam::sort_buffers<bits> buffers{memory.data(), spare.data()};
  sort(buffers, std::false_type());
  parallel_for(
      label, all,
      write_keys_kernel<Order, Keys, row>{keys, row_of_sorted<Exec>(buffers, memory, spare)});
  exec.fence("hpk::sort: fence after");
}

/// Sorts n keys of a device with its library, seam::library_sort, and permutes the values in the
/// same way.
template <class Order, class Library, class Exec, class Keys, class... Rows>
void library_sort_rows(std::string_view label, const Exec& exec, const Keys& keys,
                       const columns<Rows...>& values, index_t n, int end_bit) {
  const key_bits range = find_key_bits<Order>(label, exec, keys, n, end_bit);
  if (range.end == 0) return;
  sort_as_numbers<Order>(label, exec, keys, n, [&](auto& buffers, auto descending) {
    sort_by_library<Library, decltype(descending)::value>(label, exec, buffers, values, n, range);
  });
}

/// Sorts keys and places digit by digit and leaves both in `from` and `from_places`. A bit of
/// `varying` is 1 if keys differ in this bit.
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
}

/// Sorts n keys of a device and permutes the values in the same way. end_bit: keys have no bits set
/// from this bit on. It is below the width of a key only for nonnegative integers.
template <class Order, class Exec, class Keys, class... Rows>
void radix_sort_rows(std::string_view label, const Exec& exec, const Keys& keys,
                     const columns<Rows...>& values, index_t n, [[maybe_unused]] int end_bit) {
  using library = seam::library_sort<Exec>;
  if constexpr (library::is_known) {
    library_sort_rows<Order, library>(label, exec, keys, values, n, end_bit);
  } else {
    using bits = typename Order::bits;
    constexpr bool with_values = sizeof...(Rows) != 0;
    const RangePolicy<Exec> all(exec, index_t{0}, n);
    std::uint64_t varying = 0;
    parallel_reduce(label, all, varying_bits_kernel<Order, Keys>{keys},
                    BOr<std::uint64_t>(varying));
    if (varying == 0) return;

    const auto a = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
    const auto b = allocate_for_sort<bits>(exec, "hpk::sort: keys", n);
    const index_t placed = with_values ? n : 0;
    const auto places_a = allocate_for_sort<index_t>(exec, "hpk::sort: places", placed);
    const auto places_b = allocate_for_sort<index_t>(exec, "hpk::sort: places", placed);
    auto from = row_of_memory<Exec>(a);
    auto to = row_of_memory<Exec>(b);
    auto from_places = row_of_memory<Exec>(places_a);
    auto to_places = row_of_memory<Exec>(places_b);
    parallel_for(label, all, read_keys_kernel<Order, Keys, decltype(from)>{keys, from});
    if constexpr (with_values)
      parallel_for(label, all, count_up_kernel<decltype(from_places)>{from_places});
    sort_by_digits(label, exec, from, to, from_places, to_places, n, varying, with_values);
    parallel_for(label, all, write_keys_kernel<Order, Keys, decltype(from)>{keys, from});
    if constexpr (with_values) {
      const auto memory = allocate_columns(exec, values, n);
      const auto saved = memory.rows();
      copy_columns(label, exec, saved, values, n);
      gather_columns(label, exec, values, saved, from_places, n);
    }
    exec.fence("hpk::sort: fence after");
  }
}

}  // namespace hpk::detail::sorting
