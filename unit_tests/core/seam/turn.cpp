// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that several host threads give to one instance does not overlap. A launch in a kernel runs
// inside that kernel, and fences wait for the work of other threads too.
#include <hpk/seam/turn.hpp>

#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace seam_turn_test {
namespace {

using hpk_test::on_host;

// Runs work(t) on `count` threads that start together.
template <class Work>
void on_threads(int count, const Work& work) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&, t] {
      ++ready;
      while (ready < count) std::this_thread::yield();
      work(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Adds 1 to a plain variable, slowly: of two overlapping additions one is lost.
template <class Exec>
struct slow_increment {
  hpk::View<long, Exec> value;
  hpk::View<int, Exec> delay;
  HPK_FUNCTION void run() const {
    const long before = value();
    for (int k = 0; k < 300; ++k) hpk::atomic_inc(&delay());
    value() = before + 1;
  }
  HPK_FUNCTION void operator()(int i) const {
    if (i == 0) run();
  }
  HPK_FUNCTION void operator()(int i, int j) const {
    if (i == 0 && j == 0) run();
  }
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team) const {
    if (team.league_rank() == 0) hpk::single(hpk::PerTeam(team), [&] { run(); });
  }
};
template <class Exec>
struct slow_sum {
  slow_increment<Exec> increment;
  HPK_FUNCTION void operator()(int i, long& update) const {
    increment(i);
    update += i;
  }
};
template <class Exec>
struct slow_prefix {
  slow_increment<Exec> increment;
  HPK_FUNCTION void operator()(int i, long& update, bool final) const {
    if (final) increment(i);
    update += i;
  }
};

template <class Exec>
class Turns : public testing::Test {
 protected:
  static constexpr int threads = 3;
  static constexpr int rounds = 12;
  // Expects that calls of `launch(exec, increment)` do not overlap.
  template <class Launch>
  static void expect_turns(const Launch& launch) {
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      const slow_increment<Exec> increment{hpk::View<long, Exec>("value"),
                                           hpk::View<int, Exec>("delay")};
      on_threads(threads, [&](int) {
        for (int round = 0; round < rounds; ++round) launch(exec, increment);
      });
      EXPECT_EQ(on_host(increment.value)(), threads * rounds);
    }
  }
};
TYPED_TEST_SUITE(Turns, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Turns, of_ranges) {
  for (const int n : {1, 2, 1000}) {
    this->expect_turns([n](const TypeParam& exec, const auto& increment) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n), increment);
    });
  }
}

HPK_TYPED_TEST(Turns, of_dynamic_ranges) {
  this->expect_turns([](const TypeParam& exec, const auto& increment) {
    using policy = hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>;
    hpk::parallel_for(policy(exec, 0, 100), increment);
  });
}

HPK_TYPED_TEST(Turns, of_mdranges) {
  this->expect_turns([](const TypeParam& exec, const auto& increment) {
    hpk::parallel_for(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {10, 10}),
                      increment);
  });
}

HPK_TYPED_TEST(Turns, of_teams) {
  this->expect_turns([](const TypeParam& exec, const auto& increment) {
    hpk::parallel_for(hpk::TeamPolicy<TypeParam>(exec, 3, 2), increment);
  });
}

HPK_TYPED_TEST(Turns, of_reductions) {
  std::atomic<int> wrong = 0;
  this->expect_turns([&](const TypeParam& exec, const auto& increment) {
    long sum = 0;
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(exec, 0, 1000), slow_sum<TypeParam>{increment},
                         sum);
    wrong += sum != 999L * 500;
  });
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(Turns, of_scans) {
  std::atomic<int> wrong = 0;
  this->expect_turns([&](const TypeParam& exec, const auto& increment) {
    long sum = 0;
    hpk::parallel_scan(hpk::RangePolicy<TypeParam>(exec, 0, 1000),
                       slow_prefix<TypeParam>{increment}, sum);
    wrong += sum != 999L * 500;
  });
  EXPECT_EQ(wrong, 0);
}

// Counts the neighbours that differ.
template <class Exec>
struct count_edges {
  hpk::View<const int*, Exec> values;
  HPK_FUNCTION void operator()(int i, int& edges) const {
    edges += values(i) != values(i + 1) ? 1 : 0;
  }
};

// So many elements that several workers copy or fill them.
constexpr int many = 1 << 17;

HPK_TYPED_TEST(Turns, of_fills_and_copies) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<int*, TypeParam> values("values", many);
    const hpk::View<int*, TypeParam> nines("nines", many);
    hpk::deep_copy(nines, 9);
    std::atomic<int> wrong = 0;
    on_threads(3, [&](int t) {
      for (int round = 0; round < 10; ++round) {
        if (t == 0) hpk::deep_copy(exec, values, round);
        if (t == 1) hpk::deep_copy(exec, values, nines);
        if (t != 2) continue;
        int edges = 0;
        hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(exec, 0, many - 1),
                             count_edges<TypeParam>{values}, edges);
        wrong += edges;
      }
    });
    exec.fence();
    EXPECT_EQ(wrong, 0);
  }
}

// Sets all elements to one value.
template <class Exec>
struct set_all {
  hpk::View<long*, Exec> values;
  long value;
  HPK_FUNCTION void operator()(int i) const { values(i) = value; }
};
template <class Exec>
struct prefix_of {
  hpk::View<const long*, Exec> values;
  HPK_FUNCTION void operator()(int i, long& update, bool) const { update += values(i); }
};

// All passes of a scan see the same values while another thread changes them again and again.
HPK_TYPED_TEST(Turns, keep_the_launches_of_a_scan_together) {
  constexpr int n = 20000;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<long*, TypeParam> values("values", n);
    std::atomic<int> wrong = 0;
    on_threads(2, [&](int t) {
      for (int round = 0; round < 20; ++round) {
        if (t == 0) {
          hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n),
                            set_all<TypeParam>{values, round});
          continue;
        }
        long sum = 0;
        hpk::parallel_scan(hpk::RangePolicy<TypeParam>(exec, 0, n), prefix_of<TypeParam>{values},
                           sum);
        wrong += sum % n != 0;
      }
    });
    exec.fence();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(TurnMark, is_past_when_the_turns_before_it_have_ended) {
  hpk::seam::turn_queue queue;
  queue.take();
  const hpk::seam::turn_mark first(queue);
  std::thread next([&] { queue.take(); });
  ASSERT_TRUE(hpk_test::wait_until([&] { return queue.next() == 2; }));
  const hpk::seam::turn_mark second(queue);
  EXPECT_FALSE(first.is_past());
  queue.give();
  first.wait();
  EXPECT_TRUE(first.is_past());
  EXPECT_FALSE(second.is_past());
  next.join();
  queue.give();
  second.wait();
  EXPECT_TRUE(second.is_past());
}

TEST(TurnMark, is_past_when_the_queue_is_gone) {
  auto queue = std::make_unique<hpk::seam::turn_queue>();
  queue->take();
  const hpk::seam::turn_mark mark(*queue);
  EXPECT_FALSE(mark.is_past());
  queue.reset();
  EXPECT_TRUE(mark.is_past());
  mark.wait();
}

// Tests whose kernels access variables of the program: on the host, or on a device that is emulated
// there.
template <class Exec>
class CpuTurns : public testing::Test {};
TYPED_TEST_SUITE(CpuTurns, hpk_test::cpu_spaces, hpk_test::space_names);

HPK_TYPED_TEST(CpuTurns, end_before_a_fence_of_another_thread_does) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const bool of_all : {false, true}) {
      const hpk::View<int, hpk_test::shared_device<TypeParam>> begun("begun");
      const hpk::View<int, hpk_test::shared_device<TypeParam>> done("done");
      std::atomic<bool> submitted = false;
      std::thread other([&, begun, done] {
        submitted = true;
        hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1), [begun, done](int) {
          hpk::atomic_store(&begun(), 1);
          hpk_test::let_others_run(20);
          hpk::atomic_store(&done(), 1);
        });
        exec.fence();
      });
      if constexpr (hpk_test::is_host<TypeParam>) {
        while (hpk::atomic_load(&begun()) == 0) std::this_thread::yield();
        if (of_all) {
          hpk::fence();
        } else {
          exec.fence();
        }
        EXPECT_EQ(hpk::atomic_load(&done()), 1);
      }
      other.join();
      EXPECT_EQ(on_host(done)(), 1);
    }
  }
}

template <class Exec>
class HostTurns : public testing::Test {};
TYPED_TEST_SUITE(HostTurns, hpk_test::host_spaces, hpk_test::space_names);

// Each thread runs a kernel on one instance and launches on both instances inside it.
HPK_TYPED_TEST(HostTurns, are_not_waited_for_in_kernels) {
  const TypeParam one;
  const auto parts = hpk::Experimental::partition_space(one, 1, 1);
  std::atomic<long> sum = 0;
  on_threads(2, [&](int t) {
    const TypeParam& own = parts[static_cast<std::size_t>(t)];
    const TypeParam& others = parts[static_cast<std::size_t>(1 - t)];
    for (int round = 0; round < 50; ++round) {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(own, 0, 10), [&](int) {
        for (const TypeParam& inner : {own, others, one}) {
          hpk::parallel_for(hpk::RangePolicy<TypeParam>(inner, 0, 10), [&](int i) { sum += i; });
          long reduced = 0;
          hpk::parallel_reduce(
              hpk::RangePolicy<TypeParam>(inner, 0, 10), [](int i, long& update) { update += i; },
              reduced);
          sum += reduced;
        }
      });
    }
  });
  EXPECT_EQ(sum, 2L * 50 * 10 * 3 * 2 * 45);
}

// A launch that fails gives its turn back.
HPK_TYPED_TEST(HostTurns, end_with_an_exception) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::atomic<int> caught = 0;
    on_threads(3, [&](int) {
      for (int round = 0; round < 20; ++round) {
        try {
          hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100), [](int i) {
            if (i == 50) throw i;
          });
        } catch (int) {
          ++caught;
        }
      }
    });
    EXPECT_EQ(caught, 60);
    EXPECT_TRUE(exec.instance().turns.is_free());
  }
}

}  // namespace
}  // namespace seam_turn_test
