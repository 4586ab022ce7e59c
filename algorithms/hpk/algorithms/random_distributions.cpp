// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/random_distributions.hpp>

#include <vector>

namespace hpk::detail {

void reject_parameter(const char* distribution, double value, const char* wanted) {
  hpk::raise(error_message() << "hpk::" << distribution << ": " << value << "; write " << wanted);
}

void build_alias_table(std::span<const double> weights, alias_column* table,
                       const std::source_location& where) {
  double largest = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double weight = weights[k];
    if (!(weight >= 0) || weight - weight != 0)
      hpk::raise(error_message() << "hpk::DiscreteDistribution: weight " << k << " of "
                                 << weights.size() << " is " << weight
                                 << "; write finite weights of 0 or more",
                 where);
    if (weight > largest) largest = weight;
  }
  if (largest == 0)
    hpk::raise(error_message() << "hpk::DiscreteDistribution: none of " << weights.size()
                               << " weights is positive; write at least one",
               where);

  // Scaled twice, so that neither sum nor quotients overflow.
  double sum = 0;
  for (const double weight : weights) sum += weight / largest;
  const auto count = static_cast<double>(weights.size());
  std::vector<double> share(weights.size());
  std::vector<std::size_t> low;
  std::vector<std::size_t> high;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    share[k] = weights[k] / largest / sum * count;
    (share[k] < 1 ? low : high).push_back(k);
  }
  // A column above the average fills up a column below it.
  while (!low.empty() && !high.empty()) {
    const std::size_t poor = low.back();
    const std::size_t rich = high.back();
    low.pop_back();
    table[poor] = {share[poor], static_cast<index_t>(rich)};
    share[rich] -= 1 - share[poor];
    if (share[rich] < 1) {
      high.pop_back();
      low.push_back(rich);
    }
  }
  // Rounding errors leave columns that are almost full; they are treated as full. A weight of zero
  // must never be drawn, so its column only gives the largest weight.
  std::size_t first = 0;
  while (weights[first] < largest) ++first;
  for (const auto* rest : {&low, &high}) {
    for (const std::size_t k : *rest) {
      const double keep = weights[k] > 0 ? 1.0 : 0.0;
      table[k] = {keep, static_cast<index_t>(first)};
    }
  }
}

}  // namespace hpk::detail
