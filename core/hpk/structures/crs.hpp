// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crs: compressed row storage for a graph or the pattern of a sparse matrix. Functions build a Crs
// from counts, from a functor for each row, or by transposition.
#pragma once

#include <hpk/atomic/atomic.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/parallel/patterns/for_launch.hpp>
#include <hpk/parallel/patterns/scan.hpp>
#include <hpk/view/copy.hpp>
#include <hpk/view/view.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk {

/// Row i has the entries entries(row_map(i)) to entries(row_map(i + 1) - 1). Arg1 and Arg2 are
/// template arguments of a View: a layout, then a space or a Device. SizeType counts entries. A
/// handle of two Views; copies share their memory. Makes no checks.
template <class DataType, class Arg1 = void, class Arg2 = void,
          class SizeType = typename ViewTraits<DataType*, Arg1, Arg2>::size_type>
class Crs {
 public:
  /// @{
  /// The types of the entries and their memory, like those of View<DataType*, Arg1, Arg2>.
  using traits = ViewTraits<DataType*, Arg1, Arg2>;
  using data_type = DataType;
  using array_layout = typename traits::array_layout;
  using execution_space = typename traits::execution_space;
  using memory_space = typename traits::memory_space;
  using device_type = typename traits::device_type;
  /// @}
  using size_type = SizeType;                                        ///< counts entries
  using row_map_type = View<size_type*, array_layout, device_type>;  ///< the type of row_map
  using entries_type = View<data_type*, array_layout, device_type>;  ///< the type of entries
  /// @{
  /// A graph in host memory.
  using host_mirror_type =
      Crs<DataType, array_layout, Device<DefaultHostExecutionSpace, HostSpace>, SizeType>;
  using HostMirror = host_mirror_type;
  /// @}

  row_map_type row_map;  ///< numRows() + 1 indices into entries
  entries_type entries;  ///< the entries of row 0, of row 1, and so on

  /// A graph without rows.
  Crs() = default;
  /// A graph from two Views.
  template <class RowMap, class Entries>
  HPK_FUNCTION Crs(const RowMap& rows, const Entries& all) : row_map(rows), entries(all) {}

  /// The number of rows.
  HPK_FUNCTION size_type numRows() const {
    return row_map.extent(0) == 0 ? size_type{0} : static_cast<size_type>(row_map.extent(0) - 1);
  }
};

namespace detail {

/// Counts how often each number is an entry.
template <class Counts, class Entries>
struct count_entries {
  Counts counts;
  Entries entries;
  HPK_FUNCTION void operator()(index_t k) const { atomic_inc(&counts(entries(k))); }
};

/// Computes the sum of the counts before each row, followed by the sum of all counts.
template <class RowMap, class Counts>
struct sum_counts {
  RowMap out;
  Counts counts;
  HPK_FUNCTION void operator()(index_t i, index_t& sum, bool is_final) const {
    if (is_final) out(i) = static_cast<typename RowMap::non_const_value_type>(sum);
    if (i < static_cast<index_t>(counts.extent(0))) sum += static_cast<index_t>(counts(i));
  }
};

/// Throws hpk::error for a graph or a row that has more entries than its SizeType can count.
[[noreturn]] void reject_entry_count(index_t entries, std::uint64_t most);
/// The largest number of entries that a SizeType can count.
template <class SizeType>
inline constexpr std::uint64_t most_entries = ~std::uint64_t{0} >>
                                              (64 - 8 * sizeof(SizeType) +
                                               (std::is_signed_v<SizeType> ? 1 : 0));
/// Whether SizeType can represent `entries`.
template <class SizeType>
HPK_INLINE_FUNCTION constexpr bool holds_entries(index_t entries) {
  return entries >= 0 && static_cast<std::uint64_t>(entries) <= most_entries<SizeType>;
}

/// Writes the number of each row to the rows that its entries name, in any order.
template <class Graph, class Taken>
struct scatter_rows {
  Graph in;
  typename Graph::row_map_type rows;
  typename Graph::entries_type entries;
  Taken taken;
  HPK_FUNCTION void operator()(index_t i) const {
    for (auto k = in.row_map(i); k < in.row_map(i + 1); ++k) {
      const auto to = in.entries(k);
      const auto place = atomic_fetch_add(&taken(to), typename Taken::non_const_value_type{1});
      entries(rows(to) + place) = static_cast<typename Graph::data_type>(i);
    }
  }
};

/// Sorts the entries of each row by a heap (Williams, Algorithm 232, 1964).
template <class RowMap, class Entries>
struct sort_rows {
  RowMap rows;
  Entries entries;

  HPK_FUNCTION void operator()(index_t i) const {
    const auto first = static_cast<index_t>(rows(i));
    const auto size = static_cast<index_t>(rows(i + 1)) - first;
    for (index_t k = size / 2; k > 0; --k) sift(first, k - 1, size);
    for (index_t last = size; last > 1; --last) {
      const auto top = entries(first);
      entries(first) = entries(first + last - 1);
      entries(first + last - 1) = top;
      sift(first, 0, last - 1);
    }
  }

 private:
  HPK_FUNCTION void sift(index_t first, index_t node, index_t size) const {
    const auto value = entries(first + node);
    for (index_t child = 2 * node + 1; child < size; child = 2 * node + 1) {
      if (child + 1 < size && entries(first + child) < entries(first + child + 1)) ++child;
      if (!(value < entries(first + child))) break;
      entries(first + node) = entries(first + child);
      node = child;
    }
    entries(first + node) = value;
  }
};

/// Calls the functor to count the entries of each row.
template <class Graph, class F>
struct count_crs_row {
  typename Graph::row_map_type counts;
  F fill;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    using size = typename Graph::size_type;
    const auto entries = static_cast<index_t>(
        fill(static_cast<size>(i), static_cast<typename Graph::data_type*>(nullptr)));
    if (!holds_entries<size>(entries)) {
      HPK_IF_ON_HOST((detail::reject_entry_count(entries, most_entries<size>);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::count_and_fill_crs: a row has a negative number of "
                                   "entries, or more than the graph's SizeType counts");))
    }
    counts(i) = static_cast<size>(entries);
  }
};
/// Calls the functor to write the entries of each row.
template <class Graph, class F>
struct fill_crs_row {
  Graph crs;
  F fill;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    if (crs.row_map(i) == crs.row_map(i + 1)) return;
    fill(static_cast<typename Graph::size_type>(i), &crs.entries(crs.row_map(i)));
  }
};

/// Runs an internal kernel over n rows or entries.
template <class Exec, class F>
void run_rows(std::string_view label, index_t n, const F& kernel) {
  run_for(RangePolicy<Exec, IndexType<index_t>>(index_t{0}, n), kernel,
          {.pattern = label, .label = {}, .where = {}});
}

}  // namespace detail

// The following functions run on the default instance of the graph's space and are done when they
// return. They allocate their results; `out` must not share memory with `in`. Entries must be rows
// of the graph; only the bounds checks of Views detect violations.

/// Sets out(j) to the number of occurrences of j as an entry. `out` becomes a new View with one
/// element per row of `in`.
template <class Counts, class DataType, class Arg1, class Arg2, class SizeType>
void get_crs_transpose_counts(Counts& out, const Crs<DataType, Arg1, Arg2, SizeType>& in,
                              const std::string& name = "transpose_counts") {
  using graph = Crs<DataType, Arg1, Arg2, SizeType>;
  out = Counts(name, in.numRows());
  detail::run_rows<typename graph::execution_space>(
      "get_crs_transpose_counts", static_cast<index_t>(in.entries.extent(0)),
      detail::count_entries<Counts, typename graph::entries_type>{out, in.entries});
  fence("hpk::get_crs_transpose_counts");
}

/// Computes the row map for the given numbers of entries per row, as a new View `out`. Returns the
/// total. Throws hpk::error if an element of `out` can't hold the total.
template <class RowMap, class Counts>
typename RowMap::non_const_value_type get_crs_row_map_from_counts(
    RowMap& out, const Counts& in, const std::string& name = "row_map") {
  using exec = typename RowMap::execution_space;
  const auto rows = static_cast<index_t>(in.extent(0));
  out = RowMap(view_alloc(name, WithoutInitializing), rows + 1);
  index_t total = 0;
  parallel_scan("hpk::get_crs_row_map_from_counts",
                RangePolicy<exec, IndexType<index_t>>(index_t{0}, rows + 1),
                detail::sum_counts<RowMap, Counts>{out, in}, total);
  using size = typename RowMap::non_const_value_type;
  if (!detail::holds_entries<size>(total))
    detail::reject_entry_count(total, detail::most_entries<size>);
  return static_cast<size>(total);
}

/// Transposes a graph: row j of `out` contains every i whose row contains j, in ascending order for
/// any number of workers. `in` must have as many columns as rows.
template <class DataType, class Arg1, class Arg2, class SizeType>
void transpose_crs(Crs<DataType, Arg1, Arg2, SizeType>& out,
                   const Crs<DataType, Arg1, Arg2, SizeType>& in) {
  using graph = Crs<DataType, Arg1, Arg2, SizeType>;
  using exec = typename graph::execution_space;
  using counts = typename graph::row_map_type;
  const auto rows = static_cast<index_t>(in.numRows());
  graph turned;
  counts taken;
  get_crs_transpose_counts(taken, in);
  get_crs_row_map_from_counts(turned.row_map, taken, "transpose_row_map");
  turned.entries = typename graph::entries_type(
      view_alloc("transpose_entries", WithoutInitializing), in.entries.extent(0));
  deep_copy(taken, SizeType{0});
  detail::run_rows<exec>(
      "transpose_crs", rows,
      detail::scatter_rows<graph, counts>{in, turned.row_map, turned.entries, taken});
  detail::run_rows<exec>(
      "transpose_crs", rows,
      detail::sort_rows<typename graph::row_map_type, typename graph::entries_type>{
          turned.row_map, turned.entries});
  fence("hpk::transpose_crs");
  out = turned;
}

/// Builds a graph of `nrows` rows. fill(i, nullptr) returns the number of entries of row i; fill(i,
/// to) writes them and is not called for an empty row. Throws hpk::error if the graph's SizeType
/// can't hold the number; on a GPU a row with too many entries ends the kernel.
template <class Graph, class F>
void count_and_fill_crs(Graph& crs, typename Graph::size_type nrows, const F& fill) {
  using exec = typename Graph::execution_space;
  using counts = typename Graph::row_map_type;
  const auto rows = static_cast<index_t>(nrows);
  const counts sizes(view_alloc("counts", WithoutInitializing), rows);
  detail::run_rows<exec>("count_and_fill_crs", rows, detail::count_crs_row<Graph, F>{sizes, fill});
  const auto total = get_crs_row_map_from_counts(crs.row_map, sizes);
  crs.entries = typename Graph::entries_type(view_alloc("entries", WithoutInitializing), total);
  detail::run_rows<exec>("count_and_fill_crs", rows, detail::fill_crs_row<Graph, F>{crs, fill});
  fence("hpk::count_and_fill_crs");
}

}  // namespace hpk
