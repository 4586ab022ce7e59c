// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for tests of ScatterView: contributions to few places, and the sums that a loop computes.
#pragma once

#include <hpk/containers/scatter_view.hpp>

#include <support/spaces.hpp>

#include <vector>

namespace scatter_test {

// Returns the place to which iteration i contributes. Many iterations share a place.
HPK_INLINE_FUNCTION int place_of(int i, int places) {
  return static_cast<int>((static_cast<unsigned>(i) * 2654435761u >> 7) %
                          static_cast<unsigned>(places));
}

template <class Exec, class Scatter>
void add_all(const Exec& exec, const Scatter& scatter, int n, int places) {
  hpk::parallel_for(
      "add_all", hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int i) {
        const auto access = scatter.access();
        access(place_of(i, places)) += static_cast<typename Scatter::value_type>(i % 3);
      });
}
inline std::vector<long> added(int n, int places) {
  std::vector<long> sums(static_cast<std::size_t>(places));
  for (int i = 0; i < n; ++i) sums[static_cast<std::size_t>(place_of(i, places))] += i % 3;
  return sums;
}

template <class V>
void expect_sums(const V& view, const std::vector<long>& sums, long times, long plus) {
  const auto got = hpk_test::on_host(view);
  ASSERT_EQ(got.extent(0), sums.size());
  for (std::size_t k = 0; k < sums.size(); ++k)
    ASSERT_EQ(static_cast<long>(got(k)), times * sums[k] + plus) << k;
}

}  // namespace scatter_test
