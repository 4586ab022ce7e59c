// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features that few programs use, and some widely used ones: conversions, bounds of other types,
// bounds in the wrong order, and names that were never meant for programs.
#include <Kokkos_Core.hpp>
#include <Kokkos_TypeInfo.hpp>
#include <OpenMP/Kokkos_OpenMP.hpp>
#include <impl/Kokkos_ClockTic.hpp>
#include <impl/Kokkos_Half_FloatingPointWrapper.hpp>
#include <impl/Kokkos_Memory_Fence.hpp>

#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;
using memory_space = exec_space::memory_space;
using policy_type = Kokkos::RangePolicy<exec_space>;

struct number_of_cells {
  int n;
  operator int() const { return n; }
};
struct hooked {
  using hooks_policy = hooked;
};

template <Kokkos::MemoryTraitsFlags Flag>
constexpr unsigned value_of = Flag;
static_assert(value_of<Kokkos::Atomic> == Kokkos::MemoryTraits<Kokkos::Atomic>::impl_value);
static_assert(std::is_empty_v<Kokkos::InvalidType>);
static_assert(std::is_base_of_v<std::bad_alloc, Kokkos::Experimental::BadAlloc>);
static_assert(Kokkos::Experimental::is_hooks_policy<hooked>::value &&
              Kokkos::Experimental::is_hooks_policy_v<Kokkos::Experimental::EmptyViewHooks> &&
              !Kokkos::Experimental::is_hooks_policy_v<int>);
#if !defined(KOKKOS_ENABLE_CXX11_DISPATCH_LAMBDA)
#error "lambdas"
#endif
#if !defined(KOKKOS_ENABLE_LIBDL)
#error "tools"
#endif
KOKKOS_IMPL_HOST_FUNCTION KOKKOS_IMPL_DEVICE_FUNCTION inline int on_both_sides() { return 2; }

namespace Impl = Kokkos::Impl;
using Left = Kokkos::LayoutLeft;
using All = Kokkos::ALL_t;
using Part = Kokkos::pair<int, int>;
template <int Dst, class... Args>
constexpr bool stays_left =
    Impl::SubviewLegalArgsCompileTime<Left, Left, Dst, 3, 0, Args...>::value;
static_assert(stays_left<2, All, Part, int> && stays_left<2, Part, All, int> &&
              !stays_left<2, int, All, All> && !stays_left<3, All, Part, All> &&
              stays_left<1, Part, int, int> && !stays_left<1, int, Part, int>);
static_assert(Impl::ParseViewExtents<double** [3]>::type::rank == 3 &&
              Impl::ParseViewExtents<double** [3]>::type::rank_dynamic == 2);
static_assert(std::is_same_v<Impl::HostMirror<Kokkos::HostSpace>::Space, Kokkos::HostSpace>);

template <class Policy>
int count(const Policy& policy) {
  int n = 0;
  Kokkos::parallel_reduce(policy, KOKKOS_LAMBDA(int, int& update) { update += 1; }, n);
  return n;
}

int ran() {
  int n = 0;
  Kokkos::parallel_reduce(
      Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2>>({0, 5}, {4, 2}),
      KOKKOS_LAMBDA(int, int, int& update) { update += 1; }, n);
  return n;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  // Bounds.
  std::printf("bounds %d %d %d %d\n", count(policy_type(0, 10.0)),
              count(policy_type(0, number_of_cells{7})), count(policy_type(exec_space(), 0, 10, 4)),
              static_cast<int>(policy_type(exec_space(), 0, 10, 4).chunk_size()));
  std::printf("reversed %d %d\n", count(policy_type(5, 2)), ran());
  const Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2>> box({1, 2}, {3, 4}, {2, 2});
  std::printf("box %d %d %d\n", static_cast<int>(box.m_lower[1]), static_cast<int>(box.m_upper[0]),
              static_cast<int>(box.m_tile[1]));
  std::printf("chunk %d\n", Kokkos::TeamPolicy<exec_space>(4, 1).chunk_size() > 0);
  double product = 0;
  Kokkos::Prod<double> reducer = {product};
  Kokkos::parallel_reduce(
      policy_type(1, 6), KOKKOS_LAMBDA(int i, double& update) { update *= i; }, reducer);
  std::printf("product %g\n", product);
  Kokkos::parallel_reduce(
      policy_type(0, 1),
      KOKKOS_LAMBDA(int, double& update) {
        Kokkos::memory_fence();
        update = on_both_sides();
      },
      product);
  std::printf("both sides %g\n", product);

  // Names.
  Kokkos::Serial serial = Kokkos::NewInstance();
  std::printf("parallel %d\n", Kokkos::DefaultHostExecutionSpace::in_parallel());
  serial.fence();
  const volatile long number = 3;
  std::printf("volatile %ld\n", Kokkos::volatile_load(&number));
  std::printf("hwloc %d\n", Kokkos::hwloc::get_available_numa_count() *
                                    Kokkos::hwloc::get_available_cores_per_numa() *
                                    Kokkos::hwloc::get_available_threads_per_core() >
                                0);
  const auto before = Impl::clock_tic();
  std::printf("clock %d\n", Impl::clock_tic() >= before);
  std::printf("type %s\n", std::string(Impl::TypeInfo<double>::name()).c_str());
  KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_PUSH()
  const int there[] = {1, 2, 3};
  int back[] = {0, 0, 0};
  KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_POP()
  const Kokkos::View<int*, memory_space> view("view", 3);
  Impl::DeepCopy<memory_space, Kokkos::HostSpace>(view.data(), there, sizeof(there));
  Impl::DeepCopy<Kokkos::HostSpace, memory_space, exec_space>(exec_space(), back, view.data(),
                                                              sizeof(back));
  Kokkos::fence();
  std::printf("copied %d %d %d\n", back[0], back[1], back[2]);

#if KOKKOS_VERSION >= 50200
  // Iterators, of the core since 5.2.
  namespace KE = Kokkos::Experimental;
  const int distance = static_cast<int>(KE::distance(KE::cbegin(view), KE::end(view)));
#else
  const int distance = static_cast<int>(view.size());
#endif
  std::printf("distance %d\n", distance);

  // Arrays that refer to memory.
  using plain = Kokkos::Array<int, KOKKOS_INVALID_INDEX, Kokkos::Array<>::contiguous>;
  using strided = Kokkos::Array<int, KOKKOS_INVALID_INDEX, Kokkos::Array<>::strided>;
  int numbers[] = {0, 1, 2, 3, 4, 5};
  plain first(numbers, 3);
  const strided odd(numbers + 1, 3, 2);
  first = odd;
  std::printf("array %d %d %d of %d\n", first[0], first[1], first[2],
              static_cast<int>(first.size()));
  first = Kokkos::Array<int, 3>{7, 8, 9};
  std::printf("array %d %d %d\n", numbers[0], numbers[1], odd[0]);
}
