// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes of lockstep kernels: shared memory without a barrier between two loops, variables of
// another loop, barriers in loops and in branches, too few workers. On Serial, with one worker, the
// first gives correct results.
#include <emu_bugs/bugs.hpp>

#include <hpk/lockstep.hpp>

namespace emu_bugs {

namespace lockstep = hpk::lockstep;
using hpk::View;

template <class S>
void reverse_by_lockstep(bool with_sync) {
  const races_watched on;
  const View<double*, S> x("x", 64);
  auto blocks = lockstep::blocks<32>(S(), 2).scratch(lockstep::shared_size<double[32]>);
  using worker = typename decltype(blocks)::worker_type;
  lockstep::launch(
      "reverse", blocks, HPK_LAMBDA(const worker& w) {
        const int first = w.block_domain_index() * 32;
        auto& row = lockstep::shared<double[32]>(w);
        const auto each = lockstep::for_each(w);
        each([&](std::uint32_t i) { row[i] = i + 1; });
        if (with_sync) w.sync();
        each([&](std::uint32_t i) { x(first + static_cast<int>(i)) = row[31 - i]; });
      });
  EXPECT_EQ(hpk_test::on_host(x)(34), 30);
}
#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER
HPK_BUG(LockstepBug, no_sync_between_two_loops,
        "race on byte [0-9]+ of the scratch of the group.*(.|\n)*kernel: parallel_for "
        "\"reverse\"") {
  reverse_by_lockstep<S>(false);
}
// One worker writes a value that all read.
HPK_BUG(LockstepBug, no_sync_behind_single, "race on byte [0-9]+ of the scratch of the group") {
  const races_watched on;
  auto blocks = lockstep::blocks<32>(S(), 2).scratch(lockstep::shared_size<int>);
  using worker = typename decltype(blocks)::worker_type;
  const View<int*, S> x("x", 32);
  lockstep::launch(
      blocks, HPK_LAMBDA(const worker& w) {
        int& count = lockstep::shared<int>(w);
        w.single([&] { count = 3; });
        lockstep::for_each(w, [&](std::uint32_t i) { hpk::atomic_add(&x(i), count); });
      });
  S().fence();
}
#endif
HPK_CLEAN(Lockstep, sync_between_two_loops) { reverse_by_lockstep<S>(true); }

#if HPK_CHECKS
// A variable per index, used in another loop.
template <class S, std::uint32_t Other>
void use_in_a_loop_of() {
  const View<int*, S> x("x", 64);
  auto blocks = lockstep::blocks<64>(S(), 1);
  using worker = typename decltype(blocks)::worker_type;
  lockstep::launch(
      "shapes", blocks, HPK_LAMBDA(const worker& w) {
        auto value = lockstep::for_each(w, [](std::uint32_t i) { return static_cast<int>(i); });
        lockstep::for_each<Other>(w, [&](lockstep::idx i) { x(i) = value[i]; });
      });
  EXPECT_EQ(hpk_test::on_host(x)(20), 20);
}
HPK_BUG(LockstepBug, variable_of_another_loop,
        "hpk::lockstep: a variable of a loop over 64 indices is used in a loop over 32 indices; "
        "use it in loops of its own shape(.|\n)*\"shapes\"") {
  expect_error_on_host<S>([] { use_in_a_loop_of<S, 32>(); });
}
HPK_CLEAN(Lockstep, variable_of_the_same_shape) { use_in_a_loop_of<S, 64>(); }

HPK_BUG(LockstepBug, sync_inside_of_a_loop,
        "hpk::lockstep: sync\\(\\) inside of a loop: each worker would call it once for each of "
        "its indices(.|\n)*\"meet\"") {
  expect_error_on_host<S>([] {
    auto blocks = lockstep::blocks<64>(S(), 1);
    using worker = typename decltype(blocks)::worker_type;
    lockstep::launch(
        "meet", blocks, HPK_LAMBDA(const worker& w) { lockstep::for_each(w, [&] { w.sync(); }); });
    S().fence();
  });
}
#endif

// 50 indices on 32 workers: the flag is false in the last call of some workers.
template <class S>
void meet_in_a_collective_loop(bool all) {
  auto blocks = lockstep::blocks<lockstep::config<50, 32>>(S(), 1);
  using worker = typename decltype(blocks)::worker_type;
  lockstep::launch(
      "collective", blocks, HPK_LAMBDA(const worker& w) {
        lockstep::for_each(w).collective([&](lockstep::idx, bool active) {
          if (active || all) w.sync();
        });
      });
  S().fence();
}
HPK_BUG(LockstepBug, divergence_in_a_collective_loop,
        "waits at a barrier that not all lanes reach: 18 of 32 lanes wait, 14 left the kernel") {
  meet_in_a_collective_loop<S>(false);
}
HPK_CLEAN(Lockstep, collective_loop_of_all) { meet_in_a_collective_loop<S>(true); }

// A vote of all workers that only some call.
HPK_BUG(LockstepBug, any_of_some_workers,
        "waits at a (barrier|shuffle, vote or reduction) that not all lanes reach") {
  auto blocks = lockstep::blocks<lockstep::config<50, 32>>(S(), 1);
  using worker = typename decltype(blocks)::worker_type;
  lockstep::launch(
      blocks, HPK_LAMBDA(const worker& w) {
        if (w.rank() < 3) {
          static_cast<void>(lockstep::for_each(w).any([](lockstep::idx i) { return i == 3u; }));
        }
      });
  S().fence();
}

// The variables of a configuration for 32 workers have too few elements for the indices of 16.
template <class S>
void launch_teams_of(int threads) {
  const View<int*, S> x("x", 64);
  hpk::parallel_for(
      "small teams", hpk::TeamPolicy<S>(1, threads), HPK_LAMBDA(const member_of<S>& team) {
        const lockstep::worker w{team, lockstep::config<64, 32>()};
        auto value = w.for_each()([](std::uint32_t i) { return static_cast<int>(i); });
        w.for_each()([&](lockstep::idx i) { x(i) = value[i]; });
      });
  EXPECT_EQ(hpk_test::on_host(x)(63), 63);
}
HPK_BUG(LockstepBug, fewer_threads_than_workers,
        "hpk::lockstep::worker: a team of 16 threads for a config of 32 workers") {
  launch_teams_of<S>(16);
}
HPK_CLEAN(Lockstep, as_many_threads_as_workers) { launch_teams_of<S>(32); }
HPK_CLEAN(Lockstep, more_threads_than_workers) { launch_teams_of<S>(50); }

// A condition that the kernel checks itself.
template <class S>
void verify_counts(int most) {
  hpk::parallel_for(
      "verify", hpk::RangePolicy<S>(0, 10),
      HPK_LAMBDA(int i) { HPK_KERNEL_VERIFY(i < most, "cell %d of %d", i, most); });
  S().fence();
}
HPK_BUG(LockstepBug, verified_condition,
        "HPK_KERNEL_VERIFY: not true: i < most \\(at lockstep.cpp:[0-9]+\\): cell 9 of "
        "9(.|\n)*\"verify\"") {
  expect_error_on_host<S>([] { verify_counts<S>(9); });
}
HPK_CLEAN(Lockstep, verified_condition_that_holds) { verify_counts<S>(10); }

}  // namespace emu_bugs
