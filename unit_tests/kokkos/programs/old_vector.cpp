// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kokkos::vector, which newer versions of Kokkos no longer have.
#include <Kokkos_Core.hpp>
#include <Kokkos_Vector.hpp>

#include <cstdio>

// The vector used as its base class, a DualView.
static void both_sides() {
  using exec = Kokkos::DefaultExecutionSpace;
  Kokkos::vector<double> v(4, 1.0);
  Kokkos::DualView<double*, Kokkos::LayoutLeft>& dual = v;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += v.h_view(i);
  v.sync_device();
  const auto x = v.d_view;
  Kokkos::parallel_for(4, KOKKOS_LAMBDA(int i) { x(i) += i; });
  dual.modify_device();
  v.template sync<Kokkos::vector<double>::t_host>();
  v[1] = 10;
  v.modify_host();
  v.template sync<exec>();
  double more = 0;
  Kokkos::parallel_reduce(4, KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, more);
  std::printf("sums %g, %g, sync needed %d %d\n", sum, more, dual.need_sync_host() ? 1 : 0,
              dual.need_sync_device() ? 1 : 0);
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    Kokkos::vector<int, Kokkos::DefaultHostExecutionSpace> v;
    for (int k = 0; k < 10; ++k) v.push_back(k * k);
    v.insert(v.begin() + 2, 3, -1);
    v.pop_back();
    std::printf("elements:");
    for (auto it = v.begin(); it != v.end(); ++it) std::printf(" %d", *it);
    std::printf("\nsize %d, front %d, back %d\n", static_cast<int>(v.size()), v.front(), v.back());
    std::printf("16 at %d\n", static_cast<int>(v.find(16) - v.begin()));
    v.assign(6, 5);
    v[3] = 8;
    v.on_device();
    v.on_host();
    Kokkos::vector<double> d(4, 1.5);
    d.host_to_device();
    d.device_to_host();
    d.resize(6, 2.5);
    double sum = 0;
    for (std::size_t k = 0; k < d.size(); ++k) sum += d(k);
    std::printf("sum %g, empty %d\n", sum, v.empty() ? 1 : 0);
    for (int k = 0; k < 6; ++k) v[static_cast<std::size_t>(k)] = 10 * k;
    std::printf("lower bound of 25: %d\n", static_cast<int>(v.lower_bound(0, 5, 25)));
    v.clear();
    v.set_overallocation(0.5f);
    v.reserve(100);
    std::printf("size %d\n", static_cast<int>(v.size()));
    both_sides();
  }
  Kokkos::finalize();
  return 0;
}
