// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/static_crs_graph.hpp>

namespace hpk::detail {

void reject_graph_row(index_t row, index_t rows) {
  hpk::raise(error_message() << "hpk::StaticCrsGraph: row " << row << " is outside of its " << rows
                             << " rows");
}

void reject_graph_entry(index_t entry, index_t length) {
  hpk::raise(error_message() << "hpk::StaticCrsGraph: entry " << entry
                             << " is outside of its row of " << length << " entries");
}

void reject_graph_map(const std::string& label, index_t row, index_t entries,
                      const std::source_location& where) {
  hpk::raise(error_message() << "hpk::StaticCrsGraph \"" << label << "\": the row map is wrong at "
                             << row << "; it must ascend from 0 or more to at most the number of "
                             << "entries, " << entries,
             where);
}

void reject_graph_blocks(const std::string& label, index_t blocks,
                         const std::source_location& where) {
  hpk::raise(error_message() << "hpk::StaticCrsGraph \"" << label
                             << "\": create_block_partitioning(" << blocks
                             << "); write at least one block",
             where);
}

void reject_graph_size(std::string_view label, index_t entries, const std::source_location& where) {
  hpk::raise(error_message() << "hpk::StaticCrsGraph \"" << label << "\": " << entries
                             << " entries are more than its SizeType counts; write a wider one, "
                                "hpk::StaticCrsGraph<DataType, Device, void, void, std::size_t>",
             where);
}

}  // namespace hpk::detail
