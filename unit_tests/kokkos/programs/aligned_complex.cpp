// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers aligned to their size, as FFT libraries require: in arrays, structs and Views, in
// reductions, scans, scratch and atomic operations.
#include <Kokkos_Core.hpp>

#include "check.hpp"

template <class T>
using complex = Kokkos::complex<T>;

#ifdef KOKKOS_ENABLE_COMPLEX_ALIGN
constexpr std::size_t parts_of_alignment = 2;
#else
constexpr std::size_t parts_of_alignment = 1;
#endif

template <class T>
struct wave {
  T frequency;
  complex<T> amplitude;
  int kind;
};

template <class T>
constexpr bool is_laid_out() {
  return sizeof(complex<T>) == 2 * sizeof(T) &&
         alignof(complex<T>) == parts_of_alignment * sizeof(T) &&
         sizeof(complex<T>[5]) == 10 * sizeof(T) &&
         sizeof(wave<T>) == (parts_of_alignment == 2 ? 6 : 4) * sizeof(T) &&
         alignof(Kokkos::Array<complex<T>, 2>) == alignof(complex<T>) &&
         std::is_trivially_copyable_v<complex<T>>;
}
static_assert(is_laid_out<float>() && is_laid_out<double>());

template <class T>
void in_kernels() {
  using exec = Kokkos::DefaultExecutionSpace;
  const int n = 1000;
  const Kokkos::View<complex<T>*> values("values", n);
  const Kokkos::View<wave<T>*> waves("waves", n);
  REQUIRE(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(complex<T>) == 0);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        values(i) = complex<T>(static_cast<T>(i % 7), static_cast<T>(i % 5));
        waves(i).amplitude = values(i) * T(2);
        waves(i).kind = i;
      });
  complex<T> sum;
  complex<T> expected;
  for (int i = 0; i < n; ++i) expected += complex<T>(static_cast<T>(i % 7), static_cast<T>(i % 5));
  Kokkos::parallel_reduce("sum", n, KOKKOS_LAMBDA(int i, complex<T>& u) { u += values(i); }, sum);
  REQUIRE(sum == expected);
  int count = 0;
  Kokkos::parallel_reduce(
      "sum of structs", n,
      KOKKOS_LAMBDA(int i, int& c, complex<T>& u) {
        c += waves(i).kind >= 0;
        u += waves(i).amplitude;
      },
      count, sum);
  REQUIRE(count == n && sum == expected * T(2));
  Kokkos::parallel_scan(
      "prefixes", n,
      KOKKOS_LAMBDA(int i, complex<T>& u, bool final) {
        u += values(i);
        if (final) waves(i).amplitude = u;
      },
      sum);
  REQUIRE(sum == expected);

  // One after an odd number of bytes of scratch, one reduced by a team.
  using policy = Kokkos::TeamPolicy<exec>;
  using scratch = Kokkos::View<complex<T>*, typename exec::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using letters = Kokkos::View<char*, typename exec::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Kokkos::View<complex<T>*> of_teams("teams", 10);
  const auto bytes = scratch::shmem_size(100) + letters::shmem_size(3);
  Kokkos::parallel_for(
      "teams",
      policy(10, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes))),
      KOKKOS_LAMBDA(const typename policy::member_type& team) {
        const letters before(team.team_scratch(0), 3);
        const scratch part(team.team_scratch(0), 100);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 100),
                             [&](int k) { part(k) = values(team.league_rank() * 100 + k); });
        team.team_barrier();
        complex<T> of_team;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 100), [&](int k, complex<T>& u) { u += part(k); },
            of_team);
        Kokkos::single(Kokkos::PerTeam(team), [&] { of_teams(team.league_rank()) = of_team; });
      });
  const auto there = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of_teams);
  complex<T> all;
  for (int t = 0; t < 10; ++t) all += there(t);
  REQUIRE(all == expected);
}

// Atomic additions on hosts: older GPUs do not support 16 bytes.
template <class T>
void atomic_sums() {
  using exec = Kokkos::DefaultHostExecutionSpace;
  const int n = 1000;
  const Kokkos::View<wave<T>, Kokkos::HostSpace> total("total");
  const Kokkos::View<complex<T>[2], Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Atomic>> bins(
      "bins");
  Kokkos::parallel_for("add", Kokkos::RangePolicy<exec>(0, n), [=](int i) {
    Kokkos::atomic_add(&total().amplitude, complex<T>(T(1), T(-1)));
    bins(i % 2) += complex<T>(T(0), T(2));
  });
  REQUIRE(total().amplitude == complex<T>(T(n), T(-n)));
  REQUIRE(complex<T>(bins(0)) == complex<T>(T(0), T(n)));
}

// Memory of another library, and memory aligned only like one part.
void wrapped() {
  std::vector<std::complex<double>> other(4, {1, 2});
  const Kokkos::View<complex<double>*, Kokkos::HostSpace> view(
      reinterpret_cast<complex<double>*>(other.data()), other.size());
  REQUIRE(view(3) == std::complex<double>(1, 2));
  alignas(16) double memory[9] = {};
  bool refused = false;
  try {
    const Kokkos::View<complex<double>*, Kokkos::HostSpace> shifted(
        reinterpret_cast<complex<double>*>(memory + 1), 4);
  } catch (const std::exception&) {
    refused = true;
  }
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
  REQUIRE(refused == (parts_of_alignment == 2));
#else
  REQUIRE(!refused);
#endif
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  in_kernels<float>();
  in_kernels<double>();
  atomic_sums<float>();
  atomic_sums<double>();
  wrapped();
  std::cout << errors << " failures\n";
  return errors == 0 ? 0 : 1;
}
