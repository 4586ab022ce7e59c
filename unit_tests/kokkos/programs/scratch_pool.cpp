// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of a level is one pool for teams and threads; sizes include space for alignment.
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>

using space = Kokkos::DefaultExecutionSpace;
using scratch_space = space::scratch_memory_space;
using doubles = Kokkos::View<double*, scratch_space, Kokkos::MemoryUnmanaged>;
using member_type = Kokkos::TeamPolicy<space>::member_type;

struct triple {
  double x, y, z;
};
using triples = Kokkos::View<triple*, scratch_space, Kokkos::MemoryUnmanaged>;
using one_int = Kokkos::View<int, scratch_space, Kokkos::MemoryUnmanaged>;

// Requests all of it by the member team_shmem_size, and divides it.
struct by_hook {
  Kokkos::View<double*> sums;
  size_t team_shmem_size(int team_size) const {
    return doubles::shmem_size(8) + static_cast<size_t>(team_size) * doubles::shmem_size(4);
  }
  KOKKOS_FUNCTION void operator()(const member_type& team) const {
    doubles all(team.team_shmem(), 8);
    doubles own(team.thread_scratch(0), 4);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 8), [&](int i) { all(i) = i; });
    for (int k = 0; k < 4; ++k) own(k) = 0.5;
    team.team_barrier();
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += all(k);
    for (int k = 0; k < 4; ++k) sum += own(k);
    Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
  }
};

struct draws_ids {
  Kokkos::View<int> good;
  Kokkos::Experimental::UniqueToken<space> ids;
  KOKKOS_FUNCTION void operator()(int) const {
    const int id = ids.acquire();
    if (id >= 0 && id < ids.size()) Kokkos::atomic_inc(&good());
    ids.release(id);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  std::printf("%d\n",
              static_cast<int>(Kokkos::View<int64_t***, scratch_space>::shmem_size(5, 6, 7)));
  Kokkos::View<double*> sums("sums", 3);
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<space>(1, 1).set_scratch_size(0, Kokkos::PerTeam(doubles::shmem_size(8))),
      KOKKOS_LAMBDA(const member_type& team) {
        doubles a(team.thread_scratch(0), 8);
        double sum = 0;
        for (int i = 0; i < 8; ++i) a(i) = i;
        for (int i = 0; i < 8; ++i) sum += a(i);
        sums(0) = sum;
      });
  Kokkos::parallel_for(Kokkos::TeamPolicy<space>(3, 1),
                       by_hook{Kokkos::subview(sums, Kokkos::ALL)});
  auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  std::printf("%g %g %g\n", on_host(0), on_host(1), on_host(2));

  Kokkos::View<int> aligned("aligned");
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<space>(1, 1).set_scratch_size(
          0, Kokkos::PerTeam(one_int::shmem_size() + triples::shmem_size(2))),
      KOKKOS_LAMBDA(const member_type& team) {
        one_int flag(team.team_scratch(0));
        triples points(team.team_scratch(0), 2);
        flag() = 1;
        points(1).z = 2;
        aligned() = reinterpret_cast<uintptr_t>(points.data()) % alignof(triple) == 0 ? 1 : 0;
      });
  int is_aligned = 0;
  Kokkos::deep_copy(is_aligned, aligned);
  std::printf("%d\n", is_aligned);

  draws_ids drawing{aligned, {}};
  Kokkos::deep_copy(aligned, 0);
  Kokkos::parallel_for(20, drawing);
  Kokkos::deep_copy(is_aligned, aligned);
  std::printf("ids %d\n", is_aligned);
}
