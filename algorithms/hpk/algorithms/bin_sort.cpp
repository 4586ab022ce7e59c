// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/bin_sort.hpp>

namespace hpk::detail::sorting {

void reject_bin_count(std::string_view function, index_t bins, const std::source_location& where) {
  error_message message;
  message << function << ": there are " << bins << " bins; write a number of at least 1";
  hpk::raise(std::move(message), where);
}

void reject_bin_limits(std::string_view function, int dimension, double min, double max,
                       const std::source_location& where) {
  error_message message;
  message << function << ": the keys of dimension " << dimension << " are said to lie between "
          << min << " and " << max << "; write finite limits with min <= max";
  hpk::raise(std::move(message), where);
}

void reject_bin(const view_name& keys, index_t i, index_t bin, index_t bins,
                const std::source_location& where) {
  error_message message;
  message << "hpk::BinSort: key " << i << " of View \"" << std::string_view(keys.label) << "\" of "
          << keys.size << " belongs to bin " << bin << ", but there are " << bins
          << " bins; write a bin operation whose bin() is from 0 to max_bins() - 1 for all keys";
  hpk::raise(std::move(message), where);
}

void reject_no_permutation(const std::source_location& where) {
  hpk::raise(error_message() << "hpk::BinSort::sort: there is no permutation yet; call "
                                "create_permute_vector() before",
             where);
}

void reject_permuted_length(const view_name& keys, index_t permuted, const view_name& values,
                            index_t length, const std::source_location& where) {
  error_message message;
  message << "hpk::BinSort::sort: " << permuted << " keys of View \""
          << std::string_view(keys.label) << "\" were binned, but " << length
          << " elements of View \"" << std::string_view(values.label)
          << "\" are to be permuted; write sort(values, begin, end) with as many as keys";
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail::sorting
