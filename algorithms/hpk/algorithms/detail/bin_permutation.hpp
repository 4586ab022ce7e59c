// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How BinSort calls bin operations, computes its permutation on devices by sorting the bins of keys
// (on hosts bin_dealing.hpp does this), and moves slices of Views.
#pragma once

#include <hpk/algorithms/bin_ops.hpp>
#include <hpk/algorithms/detail/segments.hpp>
#include <hpk/algorithms/detail/sort_checks.hpp>

#include <cstdint>
#include <utility>

namespace hpk::detail::sorting {

[[noreturn]] void reject_bin(const view_name& keys, index_t i, index_t bin, index_t bins,
                             const std::source_location& where);
[[noreturn]] void reject_no_permutation(const std::source_location& where);
[[noreturn]] void reject_permuted_length(const view_name& keys, index_t permuted,
                                         const view_name& values, index_t length,
                                         const std::source_location& where);

/// Copies element (j, ...) of `from` to element (i, ...) of `to`.
HPK_CALLS_EITHER
template <class To, class From, class... Is>
HPK_FUNCTION void copy_slice(const To& to, index_t i, const From& from, index_t j, Is... is) {
  if constexpr (static_cast<int>(sizeof...(Is)) + 1 == To::rank()) {
    to(i, is...) = from(j, is...);
  } else {
    const auto n = static_cast<index_t>(to.extent(sizeof...(Is) + 1));
    for (index_t k = 0; k < n; ++k) copy_slice(to, i, from, j, is..., k);
  }
}

/// T followed by Rank times `*`.
template <class T, int Rank>
struct data_of_rank {
  using type = typename data_of_rank<T*, Rank - 1>::type;
};
template <class T>
struct data_of_rank<T, 0> {
  using type = T;
};
/// Memory for n slices of a View.
template <class Exec, class V>
class slices {
  using value = typename V::non_const_value_type;
  using data = typename data_of_rank<value, V::rank()>::type;

 public:
  using view_type = View<data, LayoutRight, Device<Exec, typename Exec::memory_space>,
                         MemoryTraits<hpk::Unmanaged>>;
  slices(const Exec& exec, const V& view, index_t n)
      : memory_(exec, "hpk::BinSort: elements",
                n * (static_cast<index_t>(view.size()) / static_cast<index_t>(view.extent(0)))),
        view_(make(memory_.data(), view, n,
                   std::make_index_sequence<static_cast<std::size_t>(V::rank() - 1)>())) {}
  const view_type& view() const { return view_; }

 private:
  template <std::size_t... Rs>
  static view_type make(value* data, const V& view, index_t n, std::index_sequence<Rs...>) {
    return view_type(data, n, view.extent(Rs + 1)...);
  }
  TemporaryMemory<value, Exec> memory_;
  view_type view_;
};

/// Whether the bin operation takes indices as int, which bin operations of Kokkos do.
template <class BinOp, class Keys>
inline constexpr bool takes_int_index =
    requires { static_cast<int (BinOp::*)(const Keys&, const int&) const>(&BinOp::bin); } ||
    requires { static_cast<int (BinOp::*)(const Keys&, int) const>(&BinOp::bin); } ||
    requires { static_cast<int (BinOp::*)(Keys, int) const>(&BinOp::bin); } ||
    requires { static_cast<int (BinOp::*)(Keys, const int&) const>(&BinOp::bin); };
/// Returns the bin of key i, in the type of the bin operation.
HPK_CALLS_EITHER
template <class BinOp, class Keys>
HPK_FORCEINLINE_FUNCTION auto call_bin(const BinOp& op, const Keys& keys, index_t i) {
  if constexpr (takes_int_index<BinOp, Keys>) {
    return op.bin(keys, static_cast<int>(i));
  } else {
    return op.bin(keys, i);
  }
}
/// Returns the bin of key i.
HPK_CALLS_EITHER
template <class BinOp, class Keys>
HPK_FORCEINLINE_FUNCTION index_t bin_of(const BinOp& op, const Keys& keys, index_t i) {
  return static_cast<index_t>(call_bin(op, keys, i));
}
/// Returns the bin of key i in 32 bits. If the number does not fit, returns the largest number,
/// which is not a bin.
HPK_CALLS_EITHER
template <class BinOp, class Keys>
HPK_FORCEINLINE_FUNCTION std::uint32_t bin_number(const BinOp& op, const Keys& keys, index_t i) {
  constexpr std::uint32_t none = 0xffffffffu;
  const auto bin = call_bin(op, keys, i);
  if constexpr (sizeof(bin) <= sizeof(none)) {
    return static_cast<index_t>(bin) < 0 ? none : static_cast<std::uint32_t>(bin);
  } else {
    const auto number = static_cast<index_t>(bin);
    return number < 0 || number > index_t{none} ? none : static_cast<std::uint32_t>(number);
  }
}

/// Writes the bin and the place of every key. Counts the keys whose bin does not exist.
template <class Keys, class BinOp, class Bins, class Places>
struct find_bins_kernel {
  Keys keys;
  BinOp op;
  Bins bins;
  Places places;
  index_t first;
  index_t count;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& wrong) const {
    const index_t bin = bin_of(op, keys, first + i);
    bins[i] = static_cast<std::uint32_t>(bin);
    places[i] = static_cast<typename Places::value_type>(first + i);
    if (bin < 0 || bin >= count) ++wrong;
  }
};
/// Finds the lowest index of a key whose bin does not exist.
template <class Keys, class BinOp>
struct find_wrong_kernel {
  Keys keys;
  BinOp op;
  index_t count;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& lowest) const {
    const index_t bin = bin_of(op, keys, i);
    if ((bin < 0 || bin >= count) && i < lowest) lowest = i;
  }
};
template <class Keys, class BinOp>
struct bin_of_kernel {
  Keys keys;
  BinOp op;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, index_t& bin) const { bin += bin_of(op, keys, i); }
};
/// Computes where each bin begins among the sorted bins, and its number of elements.
template <class Bins, class Offsets, class Counts>
struct find_offsets_kernel {
  Bins bins;
  Offsets offsets;
  Counts counts;
  index_t n;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t b) const {
    const auto bin = static_cast<std::uint32_t>(b);
    const index_t begin = find_bound<false>(bins, 0, n, bin, default_less());
    const index_t end = find_bound<true>(bins, 0, n, bin, default_less());
    offsets(b) = static_cast<typename Offsets::value_type>(begin);
    counts(b) = static_cast<typename Counts::value_type>(end - begin);
  }
};
/// Writes the bin of each key at its index, counted from `first`. `bins` are in sorted order.
template <class Bins, class Places>
struct return_bins_kernel {
  Bins bins;
  Places places;
  Bins of_keys;
  index_t first;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    of_keys[static_cast<index_t>(places[i]) - first] = bins[i];
  }
};
/// Orders places by their bins, and places of one bin as the bin operation orders their keys.
template <class Keys, class BinOp, class Bins>
struct less_by_bin {
  Keys keys;
  BinOp op;
  Bins of_keys;
  index_t first;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FUNCTION bool operator()(const I& a, const I& b) const {
    const std::uint32_t bin_a = of_keys[static_cast<index_t>(a) - first];
    const std::uint32_t bin_b = of_keys[static_cast<index_t>(b) - first];
    return bin_a != bin_b ? bin_a < bin_b : static_cast<bool>(op(keys, a, b));
  }
};

/// Throws the error for the first key whose bin does not exist.
template <class Exec, class Keys, class BinOp>
[[noreturn]] void report_wrong_bin(const Exec& exec, const Keys& keys, const BinOp& op,
                                   index_t begin, index_t end, index_t bins,
                                   const std::source_location& where) {
  index_t i = end;
  parallel_reduce("hpk::BinSort", RangePolicy<Exec>(exec, begin, end),
                  find_wrong_kernel<Keys, BinOp>{keys, op, bins}, Min<index_t>(i));
  index_t bin = 0;
  parallel_reduce("hpk::BinSort", RangePolicy<Exec>(exec, i, i + 1),
                  bin_of_kernel<Keys, BinOp>{keys, op}, bin);
  reject_bin(name_of(keys), i, bin, bins, where);
}

/// Computes the permutation of the keys [begin, end) by sorting their bins. `sort_within_bins`:
/// also sorts the keys of each bin. Calls the bin operation once for each key. Returns false if the
/// bin of a key does not exist.
template <class Exec, class Keys, class BinOp, class Places, class Sizes, class Counts>
bool sort_bins(const Exec& exec, const Keys& keys, const BinOp& op, index_t begin, index_t end,
               bool sort_within_bins, const Places& places, const Sizes& offsets,
               const Counts& counts) {
  const index_t n = end - begin;
  const auto bins = static_cast<index_t>(op.max_bins());
  const auto memory = allocate_for_sort<std::uint32_t>(exec, "hpk::BinSort: bins", n);
  using row_type = decltype(row_of_memory<Exec>(memory));
  const row_type row = row_of_memory<Exec>(memory);
  const RangePolicy<Exec> all(exec, index_t{0}, n);
  index_t wrong = 0;
  parallel_reduce(
      "hpk::BinSort", all,
      find_bins_kernel<Keys, BinOp, row_type, Places>{keys, op, row, places, begin, bins}, wrong);
  if (wrong != 0) return false;
  const int end_bit =
      bins < 2 ? 1 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bins - 1)));
  sort_columns("hpk::BinSort", exec, row, n, default_less(), make_columns(places), end_bit);
  parallel_for("hpk::BinSort", RangePolicy<Exec>(exec, index_t{0}, bins),
               find_offsets_kernel<row_type, Sizes, Counts>{row, offsets, counts, n});
  if (sort_within_bins) {
    const auto memory_of_keys = allocate_for_sort<std::uint32_t>(exec, "hpk::BinSort: bins", n);
    const row_type of_keys = row_of_memory<Exec>(memory_of_keys);
    parallel_for("hpk::BinSort", all,
                 return_bins_kernel<row_type, Places>{row, places, of_keys, begin});
    merge_sort("hpk::BinSort", exec, places, n,
               less_by_bin<Keys, BinOp, row_type>{keys, op, of_keys, begin});
  }
  exec.fence("hpk::BinSort: fence before memory is freed");
  return true;
}

}  // namespace hpk::detail::sorting
