// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/bin_sort.hpp>

#include <algorithm>

namespace hpk::detail::sorting {

bin_buckets::bin_buckets(index_t bins, index_t keys, bool sort_within_bins)
    : bins_(bins), buckets_(bins) {
  constexpr index_t most_bins = 8192;    // their counters fit into the cache of a core
  constexpr index_t most_buckets = 509;  // a core writes to them as fast as to a few
  constexpr index_t least_work = 4096;   // keys or bins of a bucket
  if (sort_within_bins || bins > most_bins) {
    // An odd number: write positions at distances that are a multiple of a power of two would share
    // few cache sets.
    buckets_ = std::min((std::max(keys, bins) / least_work) | 1, most_buckets);
    buckets_ = std::min(buckets_, bins);
  }
  scale_ = (static_cast<std::uint64_t>(buckets_) << 32) / static_cast<std::uint64_t>(bins);
}

index_t bin_buckets::first(index_t bucket) const {
  const std::uint64_t scaled = (static_cast<std::uint64_t>(bucket) << 32) + scale_ - 1;
  const auto bin = static_cast<index_t>(scaled / scale_);
  return bin < bins_ ? bin : bins_;
}

void reject_bin_count(std::string_view function, index_t bins, const std::source_location& where) {
  error_message message;
  message << function << ": there are " << bins << " bins; write a number of at least 1";
  hpk::raise(std::move(message), where);
}

void reject_bin_limits(std::string_view function, int dimension, double min, double max,
                       const std::source_location& where) {
  error_message message;
  message << function << ": the keys of dimension " << dimension << " have the limits " << min
          << " and " << max << "; write finite limits with min <= max";
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
          << "\" are to be permuted; write sort(values, begin, end) with one element for each key";
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail::sorting
