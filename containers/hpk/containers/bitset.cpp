// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/bitset.hpp>

namespace hpk::detail {

void reject_bit(std::size_t bit, std::size_t size) {
  hpk::raise(error_message() << "hpk::Bitset: bit " << bit << " is not below the size, " << size);
}

void reject_bit_sizes(std::string_view what, std::string_view to, std::size_t to_size,
                      std::string_view from, std::size_t from_size,
                      const std::source_location& where) {
  hpk::raise(error_message() << "hpk::Bitset \"" << to << "\": " << what << " combines " << to_size
                             << " bits with the " << from_size << " bits of \"" << from
                             << "\"; make both of the same size",
             where);
}

void reject_bit_range(std::size_t begin, std::size_t end, std::size_t size,
                      const std::source_location& where) {
  hpk::raise(error_message() << "hpk::Bitset: the bits from " << begin << " to " << end
                             << " (exclusive) are no range of a set of " << size
                             << " bits; write begin <= end <= size()",
             where);
}

}  // namespace hpk::detail
