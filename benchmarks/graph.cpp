// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: a submit of 1,000 small kernels, in one chain or in two independent ones, compared with
// the same launches one by one.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/graph.hpp>

#include <vector>

namespace bench {

namespace {

constexpr int kernels = 1000;

struct step {
  array x;
  double factor;
  void operator()(int i) const { x(i) = x(i) * factor + 1; }
};

// The factors bound the values and make the bits depend on the order.
inline double factor_of(int k) { return 0.25 + 0.001 * (k % 100); }

// `chains`: number of nodes that are independent of each other at any time; each works on n
// elements.
template <class Space>
void compare(comparison& pair, int n, int chains) {
  const array all = work_array(0, n * chains);
  const auto chain_of = [=](int c) { return array(all.data() + c * n, n); };
  const hpk::Graph<Space> graph("steps");
  std::vector<hpk::GraphNodeRef<Space>> last(static_cast<std::size_t>(chains), graph.root_node());
  for (int k = 0; k < kernels; ++k) {
    auto& node = last[static_cast<std::size_t>(k % chains)];
    node = node.then_parallel_for("step", n, step{chain_of(k % chains), factor_of(k)});
  }
  const auto replay = [&] { graph.submit(); };
  const auto launch = [&] {
    for (int k = 0; k < kernels; ++k) {
      hpk::parallel_for("step", hpk::RangePolicy<Space>(0, n),
                        step{chain_of(k % chains), factor_of(k)});
    }
  };
  pair.agree(same_effect(all, replay, launch));
  pair.time(replay, launch);
}

}  // namespace

void add_graph() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const int n : {1, 100, 1000}) {
      add("graph", type::name(), "chain", n, [n](comparison& pair) { compare<type>(pair, n, 1); });
      add("graph", type::name(), "two chains", n,
          [n](comparison& pair) { compare<type>(pair, n, 2); });
    }
  });
}

}  // namespace bench
