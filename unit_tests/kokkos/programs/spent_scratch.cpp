// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When scratch is exhausted, a request returns a null pointer.
#include <Kokkos_Core.hpp>

#include <cstdio>

using space = Kokkos::DefaultExecutionSpace;
using doubles = Kokkos::View<double*, space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
using member_type = Kokkos::TeamPolicy<space>::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<int*> found("found", 3);
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<space>(1, 1).set_scratch_size(0, Kokkos::PerTeam(doubles::shmem_size(2))),
      KOKKOS_LAMBDA(const member_type& team) {
        doubles two(team.team_scratch(0), 2);
        doubles many(team.team_scratch(0), 1 << 20);
        found(0) = two.data() != nullptr;
        found(1) = many.data() == nullptr;
        found(2) = team.team_scratch(0).get_shmem(1 << 20) == nullptr;
      });
  auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  std::printf("%d %d %d\n", on_host(0), on_host(1), on_host(2));
}
