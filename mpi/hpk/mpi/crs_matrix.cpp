// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/crs_matrix.hpp>

#include <algorithm>
#include <limits>

namespace hpk::mpi::detail {

namespace {

bool is_owned(const Distribution& columns, index_t column) {
  return columns.begin() <= column && column < columns.begin() + columns.count();
}

}  // namespace

std::string fault_of_rows(const Distribution& rows, const Distribution& columns,
                          const global_rows& given, index_t values, std::vector<index_t>& ghosts) {
  constexpr index_t most = std::numeric_limits<int>::max();
  const auto entries = static_cast<index_t>(given.columns.extent(0));
  const auto length = static_cast<index_t>(given.row_map.extent(0));
  const auto& row_map = given.row_map;
  const index_t count = rows.count();
  error_message why;
  if (rows.communicator() != columns.communicator()) {
    why << "the rows and the columns are distributed over different communicators";
  } else if (length != count + 1) {
    why << "this rank has " << count << " rows, and row_map \"" << row_map.label() << "\" has "
        << length << " elements; write " << count + 1;
  } else if (row_map(0) != 0) {
    why << "row_map \"" << row_map.label() << "\" begins with " << row_map(0)
        << "; the first entry is 0, on each rank";
  } else if (values != entries) {
    why << "there are " << values << " values";
  } else if (count >= most) {
    why << "this rank has " << count << " rows; the most is " << most - 1;
  }
  if (!why.str().empty()) return why.str();
  for (index_t i = 0; i < count; ++i) {
    if (row_map(i + 1) >= row_map(i)) continue;
    why << "row_map \"" << row_map.label() << "\" descends after row " << rows.begin() + i
        << ", from " << row_map(i) << " to " << row_map(i + 1);
    return why.str();
  }
  if (row_map(count) != entries) {
    why << "the rows of this rank have " << row_map(count) << " entries, as row_map \""
        << row_map.label() << "\" ends";
    return why.str();
  }
  for (index_t i = 0; i < count; ++i) {
    for (index_t k = row_map(i); k < row_map(i + 1); ++k) {
      const index_t column = given.columns(k);
      if (is_owned(columns, column)) continue;
      if (column < 0 || column >= columns.size()) {
        why << "row " << rows.begin() + i << " has column " << column << "; there are "
            << columns.size() << ", from 0 on";
        return why.str();
      }
      ghosts.push_back(column);
    }
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  if (const auto all = columns.count() + static_cast<index_t>(ghosts.size()); all > most)
    why << "this rank has " << all << " columns with its ghosts; the most is " << most;
  return why.str();
}

local_rows make_local(const Distribution& columns, std::span<const index_t> ghosts,
                      const global_rows& given) {
  local_rows result;
  result.columns.reserve(given.columns.extent(0));
  const auto rows = static_cast<int>(given.row_map.extent(0)) - 1;
  for (int i = 0; i < rows; ++i) {
    bool has_ghosts = false;
    for (index_t k = given.row_map(i); k < given.row_map(i + 1); ++k) {
      const index_t column = given.columns(k);
      index_t local = column - columns.begin();
      if (!is_owned(columns, column)) {
        has_ghosts = true;
        const auto place = std::lower_bound(ghosts.begin(), ghosts.end(), column);
        local = columns.count() + (place - ghosts.begin());
      }
      result.columns.push_back(static_cast<int>(local));
    }
    (has_ghosts ? result.with_ghosts : result.without_ghosts).push_back(i);
  }
  return result;
}

}  // namespace hpk::mpi::detail
