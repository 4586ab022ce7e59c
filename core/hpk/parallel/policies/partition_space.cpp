// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/parallel/policies/partition_space.hpp>

#include <algorithm>
#include <cmath>

namespace hpk::detail {

namespace {

text about(const char* space) {
  return text() << "hpk::Experimental::partition_space(" << space << "): ";
}

void check_weights(const char* space, std::size_t count, const double* weights) {
  if (count == 0) raise((about(space) << "there are no weights; write at least one").str());
  for (std::size_t k = 0; k < count; ++k) {
    if (std::isfinite(weights[k]) && weights[k] >= 0) continue;
    raise((about(space) << "weight " << k << " of " << count << " is " << weights[k]
                        << "; write numbers that are not negative")
              .str());
  }
  if (std::all_of(weights, weights + count, [](double weight) { return weight == 0; })) {
    raise(
        (about(space) << "all weights (" << count << ") are 0; write at least one that is positive")
            .str());
  }
}

}  // namespace

void divide_workers(const char* space, int available, std::size_t count, const double* weights,
                    int* workers) {
  seam::expect_outside_kernel("hpk::Experimental::partition_space");
  check_weights(space, count, weights);
  std::fill_n(workers, count, 1);
  const auto at_least = static_cast<std::ptrdiff_t>(count);
  for (std::ptrdiff_t left = available - at_least; left > 0; --left) {
    // The instance with the largest weight per worker after it gets one more; the first of equals.
    std::size_t next = 0;
    for (std::size_t k = 1; k < count; ++k) {
      if (weights[k] / (workers[k] + 1) > weights[next] / (workers[next] + 1)) next = k;
    }
    ++workers[next];
  }
}

}  // namespace hpk::detail
