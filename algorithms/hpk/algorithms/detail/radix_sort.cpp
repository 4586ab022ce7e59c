// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/detail/radix_sort.hpp>

#include <algorithm>

namespace hpk::detail::sorting {

int choose_bucket_bits(index_t n, int significant) {
  // Aims at about 16 Ki elements per bucket, with no more buckets than a core can write to at the
  // same time.
  const int wanted = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 15;
  return std::min(significant, std::clamp(wanted, 4, 9));
}

void place_buckets(bucket_plan& plan, index_t workers) {
  plan.begin.resize(plan.buckets + 1);
  index_t sum = 0;
  for (std::size_t b = 0; b < plan.buckets; ++b) {
    plan.begin[b] = sum;
    for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) {
      index_t& place = plan.counts[w * plan.buckets + b];
      const index_t count = place;
      place = sum;
      sum += count;
    }
  }
  plan.begin[plan.buckets] = sum;
}

}  // namespace hpk::detail::sorting
