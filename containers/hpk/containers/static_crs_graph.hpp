// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StaticCrsGraph: compressed row storage with a row map that no longer changes: the pattern of a
// sparse matrix, or the neighbours of nodes. Crs (in core) builds graphs in kernels.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hpk {

namespace detail {
/// Errors: each function throws hpk::error.
[[noreturn]] void reject_graph_row(index_t row, index_t rows);
[[noreturn]] void reject_graph_entry(index_t entry, index_t length);
[[noreturn]] void reject_graph_map(const std::string& label, index_t row, index_t entries,
                                   const std::source_location& where);
[[noreturn]] void reject_graph_blocks(const std::string& label, index_t blocks,
                                      const std::source_location& where);
[[noreturn]] void reject_graph_size(std::string_view label, index_t entries,
                                    const std::source_location& where);
}  // namespace detail

/// Read access to the entries of one row: the result of StaticCrsGraph::rowConst. Refers to the
/// graph.
template <class GraphType>
class GraphRowViewConst {
 public:
  using ordinal_type = typename GraphType::data_type;  ///< Type of an entry.
  /// The number of entries.
  const ordinal_type length;

  /// Makes a row of `count` entries from `offset` on, with a distance of `stride` elements.
  template <class OffsetType = std::size_t>
  HPK_FUNCTION GraphRowViewConst(const ordinal_type* entries, std::ptrdiff_t stride,
                                 ordinal_type count, OffsetType offset = 0)
      : length(count), entries_(entries + static_cast<std::ptrdiff_t>(offset)), stride_(stride) {}

  /// Entry k of the row. Builds with HPK_CHECKS report a k that is out of range.
  HPK_FUNCTION const ordinal_type& colidx(index_t k) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (k < 0 || k >= static_cast<index_t>(length)) {
        HPK_IF_ON_HOST((detail::reject_graph_entry(k, static_cast<index_t>(length));))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::StaticCrsGraph: an entry is outside of its row");))
      }
    }
    return entries_[k * stride_];
  }
  /// The same as colidx(k).
  HPK_FUNCTION const ordinal_type& operator()(index_t k) const { return colidx(k); }

 private:
  const ordinal_type* entries_;
  std::ptrdiff_t stride_;
};

/// A graph whose row i has the entries entries(row_map(i)) to entries(row_map(i + 1) - 1). Arg1 to
/// Arg3 are arguments of View: a layout, a space or a Device, memory traits. SizeType is the type
/// of the elements of row_map. Copies share their memory.
///
/// Errors: hpk::error with label, row and call site. In kernels, builds with HPK_CHECKS report rows
/// and entries that are out of range. expect_valid() checks the row map. Threads: as View.
template <class DataType, class Arg1Type, class Arg2Type = void, class Arg3Type = void,
          class SizeType = typename ViewTraits<DataType*, Arg1Type, Arg2Type, Arg3Type>::size_type>
class StaticCrsGraph {
 public:
  /// Types that follow from the template arguments, and those of the members and of a mirror.
  ///@{
  using traits = ViewTraits<DataType*, Arg1Type, Arg2Type, Arg3Type>;
  using data_type = DataType;
  using array_layout = typename traits::array_layout;
  using execution_space = typename traits::execution_space;
  using memory_space = typename traits::memory_space;
  using device_type = typename traits::device_type;
  using memory_traits = typename traits::memory_traits;
  using size_type = SizeType;
  using staticcrsgraph_type = StaticCrsGraph;
  using row_map_type = View<const size_type*, array_layout, device_type, memory_traits>;
  using entries_type = View<data_type*, array_layout, device_type, memory_traits>;
  using row_block_type = View<const size_type*, array_layout, device_type, memory_traits>;
  using host_mirror_type =
      StaticCrsGraph<data_type, array_layout, typename traits::host_mirror_device, memory_traits,
                     size_type>;
  using HostMirror = host_mirror_type;
  ///@}

  entries_type entries;  ///< The entries of all rows, row after row.
  /// For each row the place of its first entry; then the end of the last row.
  row_map_type row_map;
  /// Block b has the rows row_block_offsets(b) to row_block_offsets(b + 1) - 1.
  row_block_type row_block_offsets;

  /// Makes a graph without rows.
  StaticCrsGraph() = default;
  /// Makes a graph of two Views.
  template <class Entries, class RowMap>
  HPK_FUNCTION StaticCrsGraph(const Entries& all, const RowMap& rows)
      : entries(all), row_map(rows) {}
  /// Makes the graph of a Crs, which shares its memory.
  template <class D, class A1, class A2, class S>
  explicit StaticCrsGraph(const Crs<D, A1, A2, S>& other)
      : entries(other.entries), row_map(other.row_map) {}
  /// Converts from a graph whose type is spelled differently.
  template <class D, class A1, class A2, class A3, class S>
  HPK_FUNCTION StaticCrsGraph(const StaticCrsGraph<D, A1, A2, A3, S>& other)
      : entries(other.entries),
        row_map(other.row_map),
        row_block_offsets(other.row_block_offsets) {}

  /// The number of rows.
  HPK_FUNCTION size_type numRows() const {
    return row_map.extent(0) == 0 ? size_type{0} : static_cast<size_type>(row_map.extent(0) - 1);
  }
  /// Whether the graph has memory for rows and entries.
  HPK_FUNCTION bool is_allocated() const {
    return row_map.is_allocated() && entries.is_allocated();
  }
  /// The label of the entries.
  std::string label() const { return entries.label(); }
  /// The entries of row i.
  HPK_CALLS_EITHER
  HPK_FUNCTION GraphRowViewConst<StaticCrsGraph> rowConst(index_t i) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      const auto rows = static_cast<index_t>(numRows());
      if (i < 0 || i >= rows) {
        HPK_IF_ON_HOST((detail::reject_graph_row(i, rows);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::StaticCrsGraph: a row is outside of the graph");))
      }
    }
    const size_type first = row_map(i);
    const auto count = static_cast<data_type>(row_map(i + 1) - first);
    if (count == 0) return GraphRowViewConst<StaticCrsGraph>(nullptr, 1, data_type(0));
    return GraphRowViewConst<StaticCrsGraph>(&entries(first),
                                             static_cast<std::ptrdiff_t>(entries.stride(0)), count);
  }

  /// Divides the rows into `blocks` blocks of about equal cost, and stores them in
  /// row_block_offsets. Each entry costs 1, and each row costs `cost_of_row` in addition. Throws
  /// hpk::error if `blocks` is less than 1.
  void create_block_partitioning(
      size_type blocks, size_type cost_of_row = 4,
      const std::source_location& where = std::source_location::current());

  /// Throws hpk::error that names a row unless the row map begins at 0 or more, ascends, and does
  /// not exceed the number of entries.
  void expect_valid(const std::source_location& where = std::source_location::current()) const;
};

namespace detail {

/// Finds the first row of each block: where the cost of all rows before it reaches the share of the
/// blocks before. A binary search.
template <class Blocks, class RowMap>
struct graph_blocks {
  Blocks blocks;
  RowMap rows;
  index_t count;
  index_t cost_of_row;
  HPK_FUNCTION void operator()(index_t b) const {
    const auto n = static_cast<index_t>(rows.extent(0)) - 1;
    const index_t total = cost(n);
    const index_t wanted = total / count * b + total % count * b / count;
    index_t low = 0;
    index_t high = n;
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      if (cost(middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    blocks(b) = static_cast<typename Blocks::non_const_value_type>(b == count ? n : low);
  }

 private:
  HPK_FUNCTION index_t cost(index_t i) const {
    return static_cast<index_t>(rows(i)) - static_cast<index_t>(rows(0)) + i * cost_of_row;
  }
};

/// Finds the first wrong row.
template <class RowMap>
struct graph_check {
  RowMap rows;
  index_t entries;
  HPK_FUNCTION void operator()(index_t i, index_t& first) const {
    const auto here = static_cast<index_t>(rows(i));
    const bool last = i + 1 == static_cast<index_t>(rows.extent(0));
    const auto next = last ? entries : static_cast<index_t>(rows(i + 1));
    if ((here < 0 || here > next) && i < first) first = i;
  }
};

/// Finds the largest entry.
template <class Entries>
struct graph_maximum {
  Entries entries;
  HPK_FUNCTION void operator()(index_t k, typename Entries::non_const_value_type& most) const {
    if (most < entries(k)) most = entries(k);
  }
};

template <class Exec>
auto graph_range(index_t n) {
  return RangePolicy<Exec, IndexType<index_t>>(index_t{0}, n);
}

}  // namespace detail

template <class D, class A1, class A2, class A3, class S>
void StaticCrsGraph<D, A1, A2, A3, S>::create_block_partitioning(
    size_type blocks, size_type cost_of_row, const std::source_location& where) {
  const auto count = static_cast<index_t>(blocks);
  if (count < 1) detail::reject_graph_blocks(entries.label(), count, where);
  using made_type = View<size_type*, array_layout, device_type>;
  const made_type made("row_block_offsets", static_cast<std::size_t>(count) + 1);
  if (numRows() != 0) {
    parallel_for("hpk::StaticCrsGraph: blocks", detail::graph_range<execution_space>(count + 1),
                 detail::graph_blocks<made_type, row_map_type>{made, row_map, count,
                                                               static_cast<index_t>(cost_of_row)});
    fence("hpk::StaticCrsGraph: blocks");
  }
  row_block_offsets = made;
}

template <class D, class A1, class A2, class A3, class S>
void StaticCrsGraph<D, A1, A2, A3, S>::expect_valid(const std::source_location& where) const {
  const auto n = static_cast<index_t>(row_map.extent(0));
  index_t first = n;
  parallel_reduce(
      "hpk::StaticCrsGraph: check", detail::graph_range<execution_space>(n),
      detail::graph_check<row_map_type>{row_map, static_cast<index_t>(entries.extent(0))},
      Min<index_t>(first));
  if (first < n)
    detail::reject_graph_map(entries.label(), first, static_cast<index_t>(entries.extent(0)),
                             where);
}

/// Makes a graph of type G with rows of the given lengths. The caller sets the entries. Throws
/// hpk::error if a length is negative, or if the sum exceeds the size type.
template <class G, class S>
G create_staticcrsgraph(const std::string& label, const std::vector<S>& lengths,
                        const std::source_location& where = std::source_location::current()) {
  using size_type = typename G::size_type;
  using map_type = View<size_type*, typename G::array_layout, typename G::device_type>;
  const map_type map(label + "_row_map", lengths.size() + 1);
  const auto mirror = create_mirror_view(map);
  index_t total = 0;
  for (std::size_t i = 0; i != lengths.size(); ++i) {
    const auto length = static_cast<index_t>(lengths[i]);
    if (length < 0) detail::reject_graph_map(label, static_cast<index_t>(i), total + length, where);
    total += length;
    if (static_cast<index_t>(static_cast<size_type>(total)) != total)
      detail::reject_graph_size(label, total, where);
    mirror(i + 1) = static_cast<size_type>(total);
  }
  deep_copy(map, mirror);
  G result;
  result.row_map = map;
  result.entries = typename G::entries_type(label, static_cast<std::size_t>(total));
  return result;
}
/// Makes a graph of type G with the given entries of each row.
template <class G, class S>
G create_staticcrsgraph(const std::string& label, const std::vector<std::vector<S>>& rows,
                        const std::source_location& where = std::source_location::current()) {
  std::vector<index_t> lengths;
  for (const auto& row : rows) lengths.push_back(static_cast<index_t>(row.size()));
  const G result = create_staticcrsgraph<G>(label, lengths, where);
  const auto mirror = create_mirror_view(result.entries);
  std::size_t k = 0;
  for (const auto& row : rows) {
    for (const S& entry : row) mirror(k++) = static_cast<typename G::data_type>(entry);
  }
  deep_copy(result.entries, mirror);
  return result;
}

/// Gives StaticCrsGraphs all forms of create_mirror, create_mirror_view and
/// create_mirror_view_and_copy that Views have. Mirrors always have the entries of the source.
template <class D, class A1, class A2, class A3, class S>
auto mirrors_of(const StaticCrsGraph<D, A1, A2, A3, S>&) {
  return []<class Mirror>(const StaticCrsGraph<D, A1, A2, A3, S>& source, const Mirror& mirror) {
    using graph = StaticCrsGraph<D, A1, A2, A3, S>;
    using space = typename Mirror::space;
    using result = std::conditional_t<
        std::is_void_v<space>, typename graph::host_mirror_type,
        StaticCrsGraph<D, typename graph::array_layout, space, typename graph::memory_traits, S>>;
    const auto make = [&](const auto&) {
      const auto filled = [&](const auto& view) {
        const auto made = mirror(view);
        if constexpr (!Mirror::copies) deep_copy(made, view);
        return made;
      };
      result made(filled(source.entries), filled(source.row_map));
      if (source.row_block_offsets.extent(0) != 0)
        made.row_block_offsets = filled(source.row_block_offsets);
      return made;
    };
    if constexpr (Mirror::copies) {
      return make(source);
    } else {
      return mirror(source, make);
    }
  };
}

/// Returns the largest entry; 0 for a graph without entries.
template <class D, class A1, class A2, class A3, class S>
D maximum_entry(const StaticCrsGraph<D, A1, A2, A3, S>& graph) {
  using graph_type = StaticCrsGraph<D, A1, A2, A3, S>;
  const auto n = static_cast<index_t>(graph.entries.extent(0));
  D most{};
  if (n == 0) return most;
  parallel_reduce(
      "hpk::maximum_entry", detail::graph_range<typename graph_type::execution_space>(n),
      detail::graph_maximum<typename graph_type::entries_type>{graph.entries}, Max<D>(most));
  return most;
}

}  // namespace hpk
