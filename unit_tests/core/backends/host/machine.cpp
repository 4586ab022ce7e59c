// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that all host machines share, by direct calls of the machine: groups, scratch, copies
// and fills. Also default instances before main begins and after it ends.
#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace hpk_test::machine_cases {

template <class Exec>
class HostMachine : public testing::Test {};
TYPED_TEST_SUITE(HostMachine, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
long sum_by_default() {
  long sum = -1;
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(0, 10001), HPK_LAMBDA(int i, long& s) { s += i; }, sum);
  return sum;
}

template <class Exec>
const long sum_before_main = sum_by_default<Exec>();

HPK_TYPED_TEST(HostMachine, runs_before_main_begins) {
  EXPECT_EQ(sum_before_main<TypeParam>, 50005000);
}

bool armed = false;

// Launches on every space while statics are destroyed. The exit status is the result.
struct launches_at_exit {
  ~launches_at_exit() {
    if (!armed) return;
    bool right = true;
    hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [&](auto space) {
      right = right && sum_by_default<typename decltype(space)::type>() == 50005000;
    });
    std::_Exit(right ? 57 : 58);
  }
} const at_exit;

TEST(HostMachineDeathTest, runs_after_main_ends) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        armed = true;
        std::exit(0);
      },
      testing::ExitedWithCode(57), "");
}

const hpk::seam::launch_info info{.pattern = "test", .label = "machine", .where = {}};

HPK_TYPED_TEST(HostMachine, runs_every_group_once_with_scratch_of_its_own) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    auto& machine = exec.instance();
    for (const hpk::index_t groups : {1, 2, 7, 100}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(groups));
      std::atomic<int> wrong = 0;
      machine.launch(
          {.groups = groups, .lanes = 1, .scratch = {100, 40}},
          [&](auto& lane) {
            ++runs[static_cast<std::size_t>(lane.group())];
            wrong += lane.groups() != groups;
            for (const int level : {0, 1}) {
              wrong += reinterpret_cast<std::uintptr_t>(lane.scratch(level)) % 16 != 0;
              for (int k = 0; k < (level == 0 ? 100 : 40); ++k)
                lane.scratch(level)[k] = static_cast<std::byte>(lane.group() + level);
            }
            for (int k = 0; k < 100; ++k)
              wrong += lane.scratch(0)[k] != static_cast<std::byte>(lane.group());
          },
          info);
      for (const auto& count : runs) EXPECT_EQ(count, 1);
      EXPECT_EQ(wrong, 0);
    }
  }
}

HPK_TYPED_TEST(HostMachine, refuses_groups_of_several_lanes) {
  for (const hpk::index_t groups : {1, 5}) {
    const std::string text = error_of(
        [&] { TypeParam().instance().launch({.groups = groups, .lanes = 4}, [](auto&) {}, info); });
    EXPECT_TRUE(contains(text, "test \"machine\": a host group has one lane, not 4"));
  }
}

HPK_TYPED_TEST(HostMachine, copies_and_fills_every_size) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    auto& machine = exec.instance();
    constexpr std::size_t threshold = hpk::host::single_group_bytes;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000},
                                    threshold - 1, threshold, threshold + 1, 3 * threshold + 7}) {
      std::vector<unsigned char> from(bytes + 2), to(bytes + 2, 200);
      for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<unsigned char>(k % 251);
      machine.copy(to.data() + 1, from.data() + 1, bytes);
      EXPECT_TRUE(std::equal(to.begin() + 1, to.end() - 1, from.begin() + 1));
      EXPECT_EQ(to.front(), 200);
      EXPECT_EQ(to.back(), 200);
      machine.fill(to.data() + 1, 77, bytes);
      EXPECT_EQ(static_cast<std::size_t>(std::count(to.begin(), to.end(), 77)), bytes);
      EXPECT_EQ(to.front(), 200);
      EXPECT_EQ(to.back(), 200);
    }
  }
}

// With as many groups as workers each worker takes a share.
HPK_TYPED_TEST(HostMachine, spreads_groups_over_several_threads) {
  if constexpr (has_workers<TypeParam>) {
    std::mutex guard;
    std::set<std::thread::id> threads;
    TypeParam(3).instance().launch(
        {.groups = 3},
        [&](auto&) {
          const std::lock_guard lock(guard);
          threads.insert(std::this_thread::get_id());
        },
        info);
    EXPECT_EQ(threads.size(), 3u);
    EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
  }
}

}  // namespace hpk_test::machine_cases
