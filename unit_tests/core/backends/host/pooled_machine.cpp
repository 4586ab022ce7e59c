// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backend in a few lines over host::pooled_machine: its workers are turns of the calling thread.
#include <hpk/backends/host/pooled_machine.hpp>

#include "support/spaces.hpp"

#include <string>

namespace pooled_machine_test {

class Turns : public hpk::host::space<Turns> {
 public:
  Turns() = default;
  explicit Turns(int workers);
  static constexpr const char* name() noexcept { return "Turns"; }
};

}  // namespace pooled_machine_test

namespace hpk::seam {

template <>
class machine<pooled_machine_test::Turns>
    : public host::pooled_machine<pooled_machine_test::Turns> {
 public:
  using pooled_machine::pooled_machine;
  static inline constinit host::instances<machine> all;
  static machine* make(const settings& s) {
    ++made;
    return new machine(s.num_threads > 0 ? s.num_threads : 3);
  }
  void describe(fact_sink& sink) const { sink.section("Turns"); }
  static constexpr std::uint32_t tool_id() noexcept { return 251u << 24; }

  static inline int made = 0;

 protected:
  void run(const host::erased_launch& launched) override {
    for (index_t rank = 0; rank < workers(); ++rank) host::run_groups(rank, workers(), launched);
  }
};

}  // namespace hpk::seam

namespace pooled_machine_test {

using machine = hpk::seam::machine<Turns>;
static_assert(hpk::seam::machine_like<machine> && hpk::seam::erases_bodies<machine>);

Turns::Turns(int workers) : space(new machine(workers)) {}

TEST(PooledMachine, runs_kernels_on_all_workers) {
  for (const Turns& exec : {Turns(), Turns(1), Turns(7)}) {
    const hpk::View<int*, Turns> runs("runs", 1000);
    hpk::parallel_for(hpk::RangePolicy(exec, 0, 1000), [=](int i) { ++runs(i); });
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(runs(i), 1);
  }
  EXPECT_EQ(Turns(7).concurrency(), 7);
  EXPECT_EQ(Turns().instance().properties().name, "Turns");
}

TEST(PooledMachine, makes_its_default_instance_on_first_use_and_after_the_end) {
  machine::stop();
  machine::made = 0;
  EXPECT_EQ(&machine::default_instance(), &Turns().instance());
  EXPECT_EQ(machine::made, 1);
  hpk::seam::settings more = hpk::seam::current_settings();
  more.num_threads = 5;
  machine::start(more);
  EXPECT_EQ(Turns().concurrency(), 5);
  EXPECT_EQ(machine::made, 2);
  machine::stop();
  EXPECT_EQ(machine::made, 2);
  EXPECT_EQ(Turns().concurrency(),
            hpk::seam::machine<Turns>::default_instance().properties().workers);
  EXPECT_EQ(machine::made, 3);
}

TEST(PooledMachine, refuses_instances_without_workers) {
  for (const int workers : {0, -2}) {
    EXPECT_EQ(hpk_test::error_of([&] { static_cast<void>(Turns(workers)); }),
              "hpk::Turns(" + std::to_string(workers) + "): write at least one worker");
  }
}

TEST(PooledMachine, notes_its_largest_instance) {
  static_cast<void>(Turns(40));
  static_cast<void>(Turns(2));
  EXPECT_EQ(machine::most_workers(), 40);
}

}  // namespace pooled_machine_test
