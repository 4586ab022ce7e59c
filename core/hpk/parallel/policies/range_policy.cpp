// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/policies/range_policy.hpp>
#include <hpk/seam/guards.hpp>

namespace hpk::detail {

text& operator<<(text& out, number n) { return out << (n.negative ? "-" : "") << n.magnitude; }

void reject_bound(const char* what, double value, const std::source_location& where) {
  text message;
  message << what << value << ", which is no whole number of 64 bits; round it first";
  raise(message.str(), where);
}

void reject_range_conversion(number begin, number end, number lowest, number highest,
                             const std::source_location& where) {
  text message;
  message << "hpk::RangePolicy(" << begin << ", " << end
          << "): a bound does not fit the index type, "
          << "which holds " << lowest << " to " << highest
          << "; name a wider one with hpk::IndexType<...>";
  raise(message.str(), where);
}

void reject_range_order(number begin, number end, const std::source_location& where) {
  if (seam::reversed_is_empty()) return;
  text message;
  message << "hpk::RangePolicy(" << begin << ", " << end
          << "): the lower bound is greater than the "
          << "upper bound";
  raise(message.str(), where);
}

void reject_chunk_size(int size, const std::source_location& where) {
  text message;
  message << "hpk::RangePolicy: the chunk size must be at least 1, not " << size;
  raise(message.str(), where);
}

}  // namespace hpk::detail
