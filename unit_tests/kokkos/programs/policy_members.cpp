// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of spaces and policies that older programs use: static functions of a space, and members
// of policies that were never meant for programs.
#include <Kokkos_Core.hpp>

#include <cstdio>

using exec_space = Kokkos::DefaultExecutionSpace;
using host_space = Kokkos::DefaultHostExecutionSpace;

struct solver {
  // With a space as template parameter, as in libraries.
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
  // A fence of an instance, and of the whole space.
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
  static_assert(!std::is_convertible_v<size_t, Kokkos::OpenMP>, "no call becomes ambiguous");
  std::printf("two %d\n", Kokkos::OpenMP::concurrency() >= 2 && two.concurrency() >= 2);
#else
  std::printf("two 1\n");
#endif
}

// A user-defined sum. User-defined joins count as commutative unless their class denies it.
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
// Of two numbers, the last that is not 0.
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

template <class Box>
void print(const char* what, const Box& box) {
  std::printf("%s: tiles %d x %d, %d, of %d, tunable %d %d\n", what,
              static_cast<int>(box.m_tile_end[0]), static_cast<int>(box.m_tile_end[1]),
              static_cast<int>(box.m_num_tiles), static_cast<int>(box.m_prod_tile_dims),
              box.m_tune_tile_size, box.impl_tune_tile_size());
}
void boxes() {
  using box_type = Kokkos::MDRangePolicy<exec_space, Kokkos::Rank<2>>;
  box_type box({0, 0}, {10, 7}, {4, 7});
  print("given", box);
  box.impl_change_tile_size({5, 2});
  print("changed", box);
  print("partly given", box_type({0, 0}, {10, 7}, {4}));
  print("empty", box_type({3, 0}, {3, 7}, {2, 2}));
  // Loop orders, and numbers of all types.
  using ordered =
      Kokkos::MDRangePolicy<exec_space,
                            Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Right>,
                            Kokkos::IndexType<unsigned>>;
  const unsigned rows = 6;
  const long columns = 5;
  print("mixed", ordered({0, 1u}, {rows, columns}, {short{2}, 3ul}));
  const std::array<int, 2> lower = {0, 0};
  const Kokkos::Array<std::size_t, 2> upper = {4, 4};
  const Kokkos::Array<int, 2> tiles = {2, 2};
  print("arrays", ordered(exec_space(), lower, upper, tiles));
  int points = 0;
  Kokkos::parallel_reduce(
      ordered({0, 1}, {rows, columns}), KOKKOS_LAMBDA(int, int, int& n) { n += 1; }, points);
  std::printf("points %d\n", points);
}

void ranges() {
  using range_type = Kokkos::RangePolicy<exec_space, Kokkos::IndexType<int>>;
  range_type range(3, 20, Kokkos::ChunkSize(2));
  range.set(Kokkos::ChunkSize(4));
  std::printf("chunk %d\n", static_cast<int>(range.chunk_size()));
  for (int rank = 0; rank < 4; ++rank) {
    const range_type::WorkRange part(range, rank, 4);
    std::printf("part %d: %d to %d\n", rank, part.begin(), part.end());
  }
  const range_type reversed(100, 90);
  std::printf("reversed: %d to %d\n", reversed.begin(), reversed.end());
  try {
    Kokkos::RangePolicy<exec_space, Kokkos::IndexType<std::uint32_t>> wide(0, 1l << 40);
    std::printf("accepted\n");
  } catch (const std::exception&) {
    std::printf("a bound that does not fit\n");
  }
  try {
    Kokkos::TeamPolicy<host_space> odd(2, 1, 3);
    std::printf("accepted\n");
  } catch (const std::exception&) {
    std::printf("a vector of three lanes\n");
  }
}

// Scratch allocated manually: a block for the team, and one for each thread.
void scratch() {
  using policy_type = Kokkos::TeamPolicy<exec_space>;
  using member_type = policy_type::member_type;
  using scratch_space = exec_space::scratch_memory_space;
  static_assert(std::is_same_v<scratch_space::array_layout, exec_space::array_layout>);
  int sum = 0;
  Kokkos::parallel_reduce(
      policy_type(3, 4).set_scratch_size(0, Kokkos::PerTeam(64), Kokkos::PerThread(16)),
      KOKKOS_LAMBDA(const member_type& team, int& update) {
        const scratch_space& all = team.team_scratch(0);
        int* const shared = static_cast<int*>(all.get_shmem(64));
        const scratch_space mine = all.set_team_thread_mode(0, team.team_size(), team.team_rank());
        int* const own = static_cast<int*>(mine.get_shmem(16));
        *own = team.team_rank();
        Kokkos::single(Kokkos::PerTeam(team), [&] { *shared = 10; });
        team.team_barrier();
        update += *own + *shared;
      },
      sum);
  std::printf("scratch %d\n", sum);
}

void single_call() {
  const exec_space exec;
  const Kokkos::View<int, exec_space> calls("calls");
  Kokkos::single("policy_members: once", exec, KOKKOS_LAMBDA() { calls() += 1; });
  Kokkos::single(exec, KOKKOS_LAMBDA() { calls() += 1; });
  int read = 0;
  Kokkos::deep_copy(exec, read, calls);
  exec.fence();
  std::printf("single %d\n", read);
  const auto id = Kokkos::Tools::Experimental::get_new_variable_id();
  std::printf("variables %d\n", Kokkos::Tools::Experimental::get_new_variable_id() > id);
  std::printf("atomics of %s\n", Kokkos::atomic_query_version());
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  spaces();
  joins();
  boxes();
  ranges();
  scratch();
  single_call();
}
