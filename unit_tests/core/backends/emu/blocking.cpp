// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocking instances of Emu: each call returns when its work is done and throws the exceptions of
// that work. A constructor argument sets this for one instance, an option for all. Priorities are
// hints.
#include <support/emu_gate.hpp>
#include <support/wait.hpp>

#include <cstdlib>
#include <thread>

namespace hpk_test::emu_blocking_cases {

using hpk::Emu;
using policy = hpk::RangePolicy<Emu>;

// Whether a launch on the instance returns before its kernel ends.
bool returns_early(const Emu& exec) {
  std::atomic<bool> returned = false;
  gate = false;
  std::thread launches([&] {
    wait_at_gate(exec);
    returned = true;
  });
  for (int k = 0; k < 100 && !returned; ++k) let_others_run();
  const bool early = returned;
  gate = true;
  launches.join();
  exec.fence();
  return early;
}

TEST(EmuBlocking, is_a_property_of_an_instance) {
  EXPECT_TRUE(returns_early(Emu(hpk::NewInstance{})));
  EXPECT_FALSE(returns_early(Emu(hpk::NewInstance{.blocking = true})));
}

TEST(EmuBlocking, leaves_nothing_to_wait_for_after_any_call) {
  const Emu exec(hpk::NewInstance{.blocking = true});
  const hpk::View<int*, hpk::EmuManagedSpace> view("view", 1000);
  hpk::parallel_for(policy(exec, 0, 1000), HPK_LAMBDA(int i) { view(i) = i; });
  EXPECT_TRUE(exec.idle());
  EXPECT_EQ(view(999), 999);
  hpk::deep_copy(exec, view, 7);
  EXPECT_TRUE(exec.idle());
  EXPECT_EQ(view(500), 7);
  const hpk::View<long, hpk::EmuManagedSpace> sum("sum");
  hpk::parallel_reduce(policy(exec, 0, 1000), HPK_LAMBDA(int i, long& s) { s += view(i); }, sum);
  EXPECT_EQ(sum(), 7000);
  hpk::parallel_scan(
      policy(exec, 0, 1000), HPK_LAMBDA(int i, int& s, bool last) {
        s += 1;
        if (last) view(i) = s;
      });
  EXPECT_EQ(view(999), 1000);
  const hpk::View<int*, hpk::HostSpace> host("host", 1000);
  hpk::deep_copy(exec, host, view);
  EXPECT_EQ(host(10), 11);
}

TEST(EmuBlocking, is_what_a_setting_asks_of_all) {
  hpk::initialize(hpk::InitializationSettings().set_launch_blocking(true));
  EXPECT_FALSE(returns_early(Emu()));
  EXPECT_FALSE(returns_early(Emu(hpk::NewInstance{})));
  hpk::finalize();
  EXPECT_TRUE(returns_early(Emu(hpk::NewInstance{})));
}

TEST(EmuBlocking, is_what_the_environment_asks_of_all) {
  setenv("HPK_LAUNCH_BLOCKING", "1", 1);
  hpk::initialize();
  EXPECT_FALSE(returns_early(Emu()));
  hpk::finalize();
  unsetenv("HPK_LAUNCH_BLOCKING");
}

struct element {
  HPK_FUNCTION element() {}
  HPK_FUNCTION element(const element&) {}
  HPK_FUNCTION ~element() { value = -1; }
  int value = 3;
};

// The last owner of a View may be destroyed on the thread of the queue, which then launches.
TEST(EmuBlocking, lets_a_kernel_end_the_last_view_of_its_elements) {
  const Emu exec(hpk::NewInstance{.blocking = true});
  for (int round = 0; round < 5; ++round) {
    hpk::View<element*, hpk::EmuSpace> view(hpk::view_alloc("view", exec), 10);
    hpk::parallel_for(policy(exec, 0, 10), HPK_LAMBDA(int i) { view(i).value = i; });
    view = {};
  }
  exec.fence();
  EXPECT_TRUE(exec.idle());
}

TEST(EmuPriority, is_a_hint) {
  for (const int priority : {-1000, -1, 0, 1, 1000}) {
    const Emu exec(hpk::NewInstance{.priority = priority});
    const hpk::View<int*, hpk::EmuSpace> view("view", 100);
    hpk::parallel_for(policy(exec, 0, 100), HPK_LAMBDA(int i) { view(i) = i; });
    EXPECT_EQ(on_host(view)(99), 99);
  }
}

}  // namespace hpk_test::emu_blocking_cases
