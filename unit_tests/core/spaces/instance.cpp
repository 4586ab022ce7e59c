// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances and host threads: two instances work at the same time, one instance serves several
// threads, and each thread gets its own results and exceptions. The tests of seam/machine.hpp and
// spaces/space.hpp cover values and lifetimes.
#include <hpk/spaces/instance.hpp>

#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace seam_instance_test {
namespace {

using hpk::Experimental::partition_space;

// Counts this caller and waits for the others. False if they do not arrive in time.
bool meet(int* arrived, int expected) {
  hpk::atomic_inc(arrived);
  return hpk_test::wait_until([&] { return hpk::atomic_load(arrived) >= expected; });
}

// A machine that starts slowly.
template <int Case>
struct slow_machine {
  static inline std::atomic<int> made{0};
  static slow_machine* make() {
    hpk_test::let_others_run();
    ++made;
    return new slow_machine;
  }
};

TEST(DefaultInstance, is_made_once_by_threads_that_use_it_first) {
  using machine = slow_machine<0>;
  hpk::seam::default_instance<machine> only;
  for (int round = 1; round <= 3; ++round) {
    std::array<machine*, 6> seen{};
    std::atomic<int> arrived = 0;
    std::vector<std::thread> threads;
    for (machine*& instance : seen) {
      threads.emplace_back([&] {
        hpk_test::wait_for_all(arrived, static_cast<int>(seen.size()));
        instance = &only.get(&machine::make);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (machine* each : seen) EXPECT_EQ(each, seen[0]);
    EXPECT_EQ(machine::made, round);
    only.reset();
  }
}

TEST(DefaultInstance, may_be_used_while_it_is_made) {
  using machine = slow_machine<1>;
  hpk::seam::default_instance<machine> only;
  machine* inner = nullptr;
  machine* const outer = &only.get([&] {
    inner = &only.get(&machine::make);
    return machine::make();
  });
  EXPECT_EQ(inner, outer);
  only.reset();
}

TEST(DefaultInstance, is_made_by_the_next_use_after_one_that_failed) {
  using machine = slow_machine<2>;
  hpk::seam::default_instance<machine> only;
  const auto fails = []() -> machine* { throw 7; };
  for (int round = 0; round < 2; ++round) EXPECT_THROW(only.get(fails), int);
  machine* const made = &only.get(&machine::make);
  EXPECT_EQ(&only.get(fails), made);
  only.reset();
}

template <class Exec>
class Instances : public testing::Test {};
TYPED_TEST_SUITE(Instances, hpk_test::cpu_spaces, hpk_test::space_names);

// If the instances took turns, both kernels would time out.
HPK_TYPED_TEST(Instances, of_a_partition_work_at_the_same_time) {
  const auto parts = partition_space(TypeParam(), 1, 1);
  const hpk::View<int, hpk_test::shared_device<TypeParam>> arrived("arrived");
  const hpk::View<int, hpk_test::shared_device<TypeParam>> met("met");
  const auto work = [&](const TypeParam& exec) {
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1), [arrived, met](int) {
      if (meet(&arrived(), 2)) hpk::atomic_inc(&met());
    });
    exec.fence();
  };
  std::thread other([&] { work(parts[1]); });
  work(parts[0]);
  other.join();
  EXPECT_EQ(hpk_test::on_host(met)(), 2);
}

template <class Exec>
class HostInstances : public testing::Test {};
TYPED_TEST_SUITE(HostInstances, hpk_test::host_spaces, hpk_test::space_names);

// Each launch throws the mark of its thread in one iteration, or runs all iterations.
HPK_TYPED_TEST(HostInstances, give_each_thread_its_own_exceptions) {
  const TypeParam base;
  const auto parts = partition_space(base, 1, 2);
  const std::array<TypeParam, 3> all{base, parts[0], parts[1]};
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const TypeParam& exec = all[static_cast<std::size_t>(t) % all.size()];
      for (int round = 0; round < 60; ++round) {
        const std::string mark = std::to_string(t) + "/" + std::to_string(round);
        const bool fails = round % 3 != 0;
        std::string caught;
        std::atomic<int> runs = 0;
        try {
          hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 200), [&](int i) {
            ++runs;
            if (fails && i % 50 == 7) throw std::runtime_error(mark + ":" + std::to_string(i));
          });
        } catch (const std::runtime_error& thrown) {
          caught = thrown.what();
        }
        // The exception of the lowest failing iteration, which is 7, is thrown.
        if (caught != (fails ? mark + ":7" : "")) ++wrong;
        if (!fails && runs != 200) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// A kernel on one instance launches on another instance and on a partition of it. These launches
// run inline, on the thread of the kernel.
HPK_TYPED_TEST(HostInstances, are_used_inline_from_kernels_of_others) {
  const TypeParam base;
  const auto parts = partition_space(base, 1, 1);
  std::atomic<int> calls = 0;
  std::atomic<int> on_other_threads = 0;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(base, 0, 10), [&](int) {
    const auto here = std::this_thread::get_id();
    for (const TypeParam& part : parts) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(part, 0, 10), [&](int) {
        ++calls;
        on_other_threads += std::this_thread::get_id() != here;
      });
    }
  });
  EXPECT_EQ(calls, 200);
  EXPECT_EQ(on_other_threads, 0);
}

// A class that holds an instance and is copied into its kernels.
template <class Exec>
class InstancesOfClasses : public testing::Test {};
TYPED_TEST_SUITE(InstancesOfClasses, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
struct solver {
  Exec exec;
  hpk::View<int*, Exec> found;
  void run() {
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(exec, 0, 1000), HPK_CLASS_LAMBDA(int i) {
          Exec copy = exec;
          const Exec moved = static_cast<Exec&&>(copy);
          static_cast<void>(moved);
          found(i) = 2 * i + 1;
        });
    exec.fence();
  }
};

HPK_TYPED_TEST(InstancesOfClasses, serve_kernels_that_hold_a_copy) {
  solver<TypeParam> owner{partition_space(TypeParam(), 1)[0],
                          hpk::View<int*, TypeParam>("found", 1000)};
  owner.run();
  const auto host = hpk_test::on_host(owner.found);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(host(i), 2 * i + 1);
  // Copies in kernels are borrowed and leave the instance alive.
  owner.run();
}

}  // namespace
}  // namespace seam_instance_test
