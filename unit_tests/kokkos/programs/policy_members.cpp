// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What older programs ask spaces and policies for: functions of a space without an instance, and
// members of policies that were never meant for programs.
#include <Kokkos_Core.hpp>

#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;
using host_space = Kokkos::DefaultHostExecutionSpace;

struct solver {
  // With a space as template parameter, as libraries have it.
  template <class Space>
  static bool has_workers() {
    return Space::concurrency() >= 1 && Space().concurrency() == Space::concurrency();
  }
};

void spaces() {
  std::printf("workers %d %d\n", solver::has_workers<exec_space>(),
              solver::has_workers<host_space>());
  std::printf("serial %d %d\n", Kokkos::Serial::concurrency(),
              Kokkos::Serial::impl_hardware_thread_id());
  std::printf("in parallel %d %d\n", exec_space::in_parallel(),
              exec_space::in_parallel(exec_space()));
  const bool early = exec_space::is_asynchronous();
  std::printf("asynchronous %d\n", early == exec_space::is_asynchronous(exec_space()));
  std::printf("rank %d of %d\n", host_space::impl_thread_pool_rank(),
              host_space::impl_thread_pool_size() == host_space().concurrency());
  // A fence of an instance, and of all that the space has.
  const exec_space exec;
  Kokkos::View<int, exec_space> x("x");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<exec_space>(exec, 0, 1), KOKKOS_LAMBDA(int) { x() = 3; });
  exec.fence();
  exec.fence("policy_members: x");
  exec_space::impl_static_fence("policy_members: all");
  std::printf("instance %d\n", exec.impl_instance_id() == exec_space().impl_instance_id());
#if defined(KOKKOS_ENABLE_OPENMP)
  const Kokkos::OpenMP two = 2;
  std::printf("two %d\n", Kokkos::OpenMP::concurrency() >= 2 && two.concurrency() >= 2);
#else
  std::printf("two 1\n");
#endif
}

// A sum of the program's own. Joins of programs commute, as far as their class does not deny it.
struct own_sum {
  using reducer = own_sum;
  using value_type = double;
  using result_view_type = Kokkos::View<double, Kokkos::HostSpace>;
  double* result;
  KOKKOS_FUNCTION void init(double& to) const { to = 0; }
  KOKKOS_FUNCTION void join(double& to, const double& from) const { to += from; }
  KOKKOS_FUNCTION double& reference() const { return *result; }
  result_view_type view() const { return result_view_type(result); }
};
// Of two numbers the last that is not 0.
struct last_given {
  static constexpr bool commutes = false;
  using value_type = long;
  KOKKOS_FUNCTION void operator()(int i, long& last) const {
    if (i % 3 != 0) last = i;
  }
  KOKKOS_FUNCTION void init(long& to) const { to = 0; }
  KOKKOS_FUNCTION void join(long& to, const long& from) const {
    if (from != 0) to = from;
  }
};
void joins() {
  double own = 0, built_in = 0;
  const auto harmonic = KOKKOS_LAMBDA(int i, double& sum) { sum += 1.0 / (i + 1); };
  Kokkos::parallel_reduce(12345, harmonic, own_sum{&own});
  Kokkos::parallel_reduce(12345, harmonic, Kokkos::Sum<double>(built_in));
  std::printf("as the sum %d\n", own == built_in);
  long last = 0;
  Kokkos::parallel_reduce(12346, last_given(), last);
  std::printf("last %ld\n", last);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  spaces();
  joins();
}
