// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the child of a fork() Emu refuses launches and memory with errors, waits for nothing, and does
// not change the memory of the parent.
#include <support/elements.hpp>
#include <support/fork.hpp>

#include <hpk/device.hpp>

#include <optional>

namespace hpk_test::emu_fork_cases {

using hpk::Emu;

TEST(EmuFork, is_refused_launches_and_memory) {
  if (!may_fork) GTEST_SKIP();
  const Emu own(hpk::NewInstance{});
  std::optional<hpk::View<int*, Emu>> view(std::in_place, "view", 100);
  hpk::deep_copy(*view, 7);
  EXPECT_EQ(count_wrong_sums(own), 0);
  const hpk::Event behind = own.record();
  own.fence();
  EXPECT_EQ(result_in_child([&] {
              const auto is_refused = [](auto call) {
                return contains(error_of(call), "the child of a fork()") ? 0 : 1;
              };
              int wrong = is_refused([&] { count_wrong_sums(own); });
              wrong += is_refused([] { count_wrong_sums(Emu()); });
              wrong += is_refused([] { const Emu fresh(hpk::NewInstance{}); });
              wrong += is_refused([&] { hpk::deep_copy(*view, 8); });
              wrong += is_refused([] { const hpk::View<int*, Emu> fresh("fresh", 10); });
              wrong += is_refused([&] { static_cast<void>(own.record()); });
              // There is no work to wait for. Objects that the child destroys stay alive in the
              // parent.
              own.fence();
              hpk::fence();
              view.reset();
              hpk::reset<Emu>();
              return wrong + (behind.ready() ? 0 : 1) +
                     count_wrong_sums(hpk::DefaultHostExecutionSpace());
            }),
            0);
  EXPECT_EQ(on_host(*view)(99), 7);
  EXPECT_EQ(count_wrong_sums(own), 0);
}

}  // namespace hpk_test::emu_fork_cases
