// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/jagged_view.hpp>

namespace hpk::detail {

void reject_jagged_counts(const std::string& label, int wrong, const std::source_location& where) {
  hpk::raise(error_message() << "hpk::JaggedView \"" << label << "\": the lengths of " << wrong
                             << " rows are negative; write the number of values of each row",
             where);
}

void reject_jagged_row(const std::string& label, index_t row, index_t rows) {
  hpk::raise(error_message() << "hpk::JaggedView \"" << label << "\": row " << row
                             << " is outside of its " << rows << " rows");
}

void reject_jagged_copy(const std::string& to, index_t to_rows, index_t to_size,
                        const std::string& from, index_t from_rows, index_t from_size,
                        const std::source_location& where) {
  hpk::raise(error_message() << "hpk::deep_copy: JaggedView \"" << to << "\" has " << to_rows
                             << " rows with " << to_size << " values, \"" << from << "\" has "
                             << from_rows << " with " << from_size
                             << "; copy between rows of the same lengths, as "
                                "hpk::create_mirror(from) makes them",
             where);
}

}  // namespace hpk::detail
