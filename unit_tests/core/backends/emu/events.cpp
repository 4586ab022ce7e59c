// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of Emu, whose instances work asynchronously: a wait holds back only the work that comes
// after it.
#include <support/emu_gate.hpp>
#include <support/wait.hpp>

#include <thread>

namespace hpk_test::emu_event_cases {

using hpk::Emu;

void count(const Emu& exec) {
  hpk::parallel_for("count", hpk::RangePolicy<Emu>(exec, 0, 1), [](int) { ++done; });
}

TEST(EmuEvent, is_not_ready_before_the_work_is_done) {
  const Emu exec(hpk::NewInstance{});
  const hpk::Event before = exec.record();
  wait_at_gate(exec);
  const hpk::Event behind = exec.record();
  before.wait();
  EXPECT_TRUE(before.ready());
  let_others_run();
  EXPECT_FALSE(behind.ready());
  EXPECT_FALSE(exec.idle());
  gate = true;
  behind.wait();
  EXPECT_TRUE(behind.ready());
}

TEST(EmuEvent, is_waited_for_by_an_instance_not_by_the_program) {
  const Emu first(hpk::NewInstance{});
  const Emu second(hpk::NewInstance{});
  wait_at_gate(first);
  second.wait(first.record());
  count(second);
  let_others_run();
  EXPECT_EQ(done, 0);
  EXPECT_FALSE(second.idle());
  gate = true;
  second.fence();
  EXPECT_EQ(done, 1);
}

TEST(EmuEvent, lets_the_work_after_it_run_later) {
  const Emu first(hpk::NewInstance{});
  const Emu second(hpk::NewInstance{});
  const hpk::Event early = first.record();
  wait_at_gate(first);
  second.wait(early);
  count(second);
  second.fence();
  EXPECT_EQ(done, 1);
  gate = true;
  first.fence();
}

TEST(EmuEvent, makes_a_host_space_wait) {
  const Emu exec(hpk::NewInstance{});
  wait_at_gate(exec);
  count(exec);
  std::thread opens([] {
    let_others_run();
    gate = true;
  });
  hpk::DefaultHostExecutionSpace().wait(exec.record());
  EXPECT_EQ(done, 1);
  opens.join();
}

TEST(EmuEvent, of_a_host_space_is_waited_for_by_the_instance) {
  const hpk::DefaultHostExecutionSpace host;
  const Emu exec(hpk::NewInstance{});
  std::atomic<bool> entered = false;
  gate = false;
  done = 0;
  std::thread other([&] {
    hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(host, 0, 1), [&](int) {
      entered = true;
      wait_until([] { return gate.load(); });
    });
  });
  ASSERT_TRUE(wait_until([&] { return entered.load(); }));
  exec.wait(host.record());
  count(exec);
  let_others_run();
  EXPECT_EQ(done, 0);
  gate = true;
  exec.fence();
  EXPECT_EQ(done, 1);
  other.join();
}

TEST(EmuEvent, waits_for_the_work_of_an_ending_instance) {
  hpk::Event last;
  {
    const Emu exec(hpk::NewInstance{});
    count(exec);
    last = exec.record();
  }
  EXPECT_TRUE(last.ready());
}

// A ring of instances, each of which waits for the previous one.
TEST(EmuEvent, orders_a_ring_of_instances) {
  constexpr int rounds = 50;
  const Emu ring[] = {Emu(), Emu(hpk::NewInstance{}), Emu(hpk::NewInstance{})};
  const hpk::View<int, hpk::EmuSpace> value("value");
  hpk::Event previous;
  for (int step = 0; step < rounds * 3; ++step) {
    const Emu& exec = ring[step % 3];
    exec.wait(previous);
    hpk::parallel_for(hpk::RangePolicy<Emu>(exec, 0, 1),
                      [=](int) { value() = value() * 3 % 1009 + step; });
    previous = exec.record();
  }
  previous.wait();
  int expected = 0;
  for (int step = 0; step < rounds * 3; ++step) expected = expected * 3 % 1009 + step;
  EXPECT_EQ(on_host(value)(), expected);
}

}  // namespace hpk_test::emu_event_cases
