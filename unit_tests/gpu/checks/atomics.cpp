// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations of 1 to 16 bytes in device memory, scratch and pinned host memory, and release
// and acquire between teams.
#include <checks.hpp>

namespace gpu_checks {
namespace {

template <class T>
void check_atomics(int n) {
  const hpk::View<T*, space> view("view", 2);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(int) {
        hpk::atomic_add(&view(0), T(1));
        T seen = hpk::atomic_load(&view(1));
        for (;;) {
          const T before = hpk::atomic_compare_exchange(&view(1), seen, T(seen + T(1)));
          if (before == seen) break;
          seen = before;
        }
      });
  const auto host = on_host(view);
  for (int k = 0; k < 2; ++k)
    if (host(k) != T(n))
      fail("%s %d times to %zu bytes gives %g", k == 0 ? "adding" : "exchanging", n, sizeof(T),
           static_cast<double>(host(k)));
}

struct alignas(16) two_longs {
  long first, second;
  HPK_FUNCTION friend two_longs operator+(const two_longs& a, const two_longs& b) {
    return {a.first + b.first, a.second + b.second};
  }
};

}  // namespace

void atomics() {
  const int n = on_gpu(100'000, 500);
  check_atomics<char>(100);
  check_atomics<short>(on_gpu(30'000, 500));
  check_atomics<int>(n);
  check_atomics<long>(n);
  check_atomics<float>(n);
  check_atomics<double>(n);
}

void atomics_of_16_bytes() {
  const int n = on_gpu(100'000, 500);
  const hpk::View<two_longs*, space> one("one", 1);
  hpk::parallel_for(range(n), HPK_LAMBDA(int) { hpk::atomic_add(&one(0), two_longs{1, 2}); });
  expect_equal("the first half", on_host(one)(0).first, n);
  expect_equal("the second half", on_host(one)(0).second, 2 * n);

  const int league = on_gpu(200, 2);
  const hpk::View<two_longs*, space> sums("sums", league);
  team_policy policy(league, 256);
  policy.set_scratch_size(0, hpk::PerTeam(64));
  hpk::parallel_for(
      policy, HPK_LAMBDA(const team& t) {
        auto* sum = static_cast<two_longs*>(t.team_scratch(0).get_shmem_aligned(16, 16));
        if (t.team_rank() == 0) *sum = {0, 0};
        t.team_barrier();
        hpk::atomic_add(sum, two_longs{1, 2});
        t.team_barrier();
        if (t.team_rank() == 0) sums(t.league_rank()) = *sum;
      });
  expect_equal("the second half in scratch", on_host(sums)(league - 1).second, 512);
}

// Pairs of teams: each writes, releases a flag, and reads the other's message after acquiring its
// flag. A team gives up if the flag does not appear, since both need not run at the same time.
void messages_between_teams() {
  const int teams = on_gpu(2000, 20);
  const array data("data", teams);
  const array flag("flag", teams);
  const array received("received", teams);
  const int patience = on_gpu(100'000, 100);
  hpk::parallel_for(
      team_policy(teams, 64), HPK_LAMBDA(const team& t) {
        const int own = t.league_rank();
        const int other = own ^ 1;
        if (t.team_rank() == 0) {
          data(own) = own + 1;
          hpk::atomic_store(&flag(own), 1, hpk::MemoryOrderRelease());
        } else if (t.team_rank() == 32) {
          for (int k = 0; k < patience; ++k)
            if (hpk::atomic_load(&flag(other), hpk::MemoryOrderAcquire()) == 1) {
              received(own) = data(other);
              break;
            }
        }
      });
  const auto host = on_host(received);
  int stale = 0;
  for (int k = 0; k < teams; ++k) stale += host(k) != 0 && host(k) != (k ^ 1) + 1;
  expect_equal("the number of stale messages", stale, 0);
}

void pinned_memory() {
  const int n = on_gpu(10'000, 500);
  const hpk::View<int*, hpk::Device<space, space::pinned_memory_space>> pinned("pinned", 1);
  hpk::parallel_for(range(n), HPK_LAMBDA(int) { hpk::atomic_add(&pinned(0), 1); });
  hpk::fence();
  expect_equal("the counter in pinned memory", pinned(0), n);
}

}  // namespace gpu_checks
