// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test of the example: on every space with a choice of workers, the approximate solution with 1,
// 2, 3, 5 and 16 workers has the same bits as on the default instance of the first space.
#include <hpk/core.hpp>

#include "cg.hpp"

#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

namespace {

// After these steps every row has influenced every other; a full solve would test no more and
// take ten times as long.
constexpr int steps = 100;

template <class Space>
std::vector<double> solve(const Space& space, const matrix_market::matrix& matrix) {
  const cg::csr_matrix<Space> a = cg::make_csr<Space>(matrix);
  const cg::solver<Space> solver(space, a);
  const hpk::View<double*, Space> b("b", a.rows());
  const hpk::View<double*, Space> x("x", a.rows());
  hpk::deep_copy(b, 1.0);
  solver.solve(b, x, 1e-8, steps);
  const auto on_host = hpk::create_mirror_view_and_copy(hpk::HostSpace(), x);
  return {on_host.data(), on_host.data() + on_host.size()};
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  const matrix_market::matrix matrix = matrix_market::read(argv[1]);
  const std::vector<double> expected = solve(hpk::DefaultExecutionSpace(), matrix);
  int differing = 0;
  const auto check = [&](const auto& space) {
    const std::vector<double> x = solve(space, matrix);
    const bool same = x.size() == expected.size() &&
                      std::memcmp(x.data(), expected.data(), x.size() * sizeof(double)) == 0;
    std::printf("%s with %d workers: %s\n", space.name(), space.concurrency(),
                same ? "same bits" : "other bits");
    differing += same ? 0 : 1;
  };
  hpk::for_each_space([&]<class Space>(const Space& space) {
    // Devices add in another order.
    if constexpr (!hpk::SpaceAccessibility<Space, hpk::HostSpace>::accessible) return;
    check(space);
    if constexpr (std::is_constructible_v<Space, int>) {
      for (const int workers : {1, 2, 3, 5, 16}) check(Space(workers));
    }
  });
  return differing == 0 ? 0 : 1;
}
