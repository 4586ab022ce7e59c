// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/lockstep.hpp>

#include <hpk/lockstep/worker.hpp>

#include <support/spaces.hpp>

namespace {

namespace lockstep = hpk::lockstep;

template <class Exec>
class LockstepWorker : public testing::Test {};
TYPED_TEST_SUITE(LockstepWorker, hpk_test::spaces, hpk_test::space_names);
template <class Exec>
class LockstepWorkerOnHost : public testing::Test {};
TYPED_TEST_SUITE(LockstepWorkerOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
using worker_member = typename hpk::TeamPolicy<Exec>::member_type;
template <class Exec>
using integers = hpk::View<int*, Exec>;

template <class Exec>
struct tells {
  integers<Exec> out;
  HPK_FUNCTION void operator()(const worker_member<Exec>& member) const {
    using box = hpk::extents<std::uint32_t, 4, 6>;
    const lockstep::worker w{member, lockstep::config_nd<box, 2>()};
    const lockstep::worker plain{member};
    static_assert(decltype(w)::block_domain_size() == 24);
    static_assert(decltype(w)::block_domain_extents().extent(1) == 6);
    static_assert(decltype(plain)::block_domain_size() == 0);
    hpk::atomic_add(&out(0), w.size());
    hpk::atomic_add(&out(1), w.rank());
    hpk::atomic_add(&out(2), plain.size() - w.size());
    hpk::atomic_add(&out(3), w.grid_domain_size());
    hpk::atomic_add(&out(4), w.block_domain_index());
    hpk::atomic_add(&out(5), &w.member() == &member ? 1 : 0);
    w.single([&] { hpk::atomic_add(&out(6), 1); });
  }
};

HPK_TYPED_TEST(LockstepWorker, tells_its_place_and_the_domain) {
  for (const int workers : {2, 7, 256}) {
    SCOPED_TRACE(workers);
    const integers<TypeParam> out("out", 7);
    hpk::parallel_for("tells", hpk::TeamPolicy<TypeParam>(3, workers), tells<TypeParam>{out});
    const auto found = hpk_test::on_host(out);
    EXPECT_EQ(found(0), 3 * workers * workers);
    EXPECT_EQ(found(1), 3 * workers * (workers - 1) / 2);
    EXPECT_EQ(found(2), 0);
    EXPECT_EQ(found(3), 3 * 3 * workers);
    EXPECT_EQ(found(4), 3 * workers);
    EXPECT_EQ(found(5), 3 * workers);
    EXPECT_EQ(found(6), 3);
  }
}

// Workers pass values to the workers of the next loop through shared memory and a barrier; one
// worker writes for all.
template <class Exec>
struct shares {
  struct block_memory {
    double sum[33];
    int count;
  };
  integers<Exec> out;
  HPK_FUNCTION void operator()(const worker_member<Exec>& member) const {
    const lockstep::worker w{member};
    auto& memory = w.template shared<block_memory>();
    auto& letter = w.template shared<char>();
    const auto extra = lockstep::shared_array<int>(w, 33);
    w.single([&] {
      memory.count = 5;
      letter = 'x';
    });
    lockstep::for_each<33>(w, [&](std::uint32_t i) {
      memory.sum[i] = i;
      extra(32 - i) = static_cast<int>(i);
    });
    w.sync();
    lockstep::for_each<33>(w, [&](std::uint32_t i) {
      const int right = memory.count == 5 && letter == 'x' && memory.sum[32 - i] == 32 - i ? 1 : 0;
      out(static_cast<std::uint32_t>(w.block_domain_index()) * 33 + i) = extra(i) * 2 + right;
    });
  }
  static constexpr std::size_t bytes =
      lockstep::shared_size<block_memory, char> + lockstep::shared_size<int[33]>;
};

HPK_TYPED_TEST(LockstepWorker, shares_memory_of_the_block) {
  for (const int workers : {1, 2, 7, 33, 64}) {
    SCOPED_TRACE(workers);
    const integers<TypeParam> out("out", 99);
    hpk::TeamPolicy<TypeParam> teams(3, workers);
    teams.set_scratch_size(0, hpk::PerTeam(shares<TypeParam>::bytes));
    hpk::parallel_for("shares", teams, shares<TypeParam>{out});
    const auto found = hpk_test::on_host(out);
    for (int i = 0; i < 99; ++i) ASSERT_EQ(found(i), 2 * (32 - i % 33) + 1);
  }
}

template <class Exec, class Wrong>
std::string error_in_loop(const Wrong& wrong) {
  return hpk_test::error_of([&] {
    hpk::parallel_for("loops", hpk::TeamPolicy<Exec>(2, 2), [&](const worker_member<Exec>& member) {
      const lockstep::worker w{member};
      w.template for_each<10>()([&](lockstep::idx) { wrong(w); });
    });
  });
}

HPK_TYPED_TEST(LockstepWorkerOnHost, refuses_collective_calls_inside_of_loops) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    const auto expect = [](const std::string& text, const char* what) {
      EXPECT_TRUE(
          hpk_test::contains(text, std::string("hpk::lockstep: ") + what +
                                       " inside of a loop: each worker would call it once"));
      EXPECT_TRUE(hpk_test::contains(text, "\"loops\""));
    };
    expect(error_in_loop<TypeParam>([](const auto& w) { w.sync(); }), "sync()");
    expect(error_in_loop<TypeParam>([](const auto& w) { w.single([] {}); }), "single()");
    expect(error_in_loop<TypeParam>([](const auto& w) { lockstep::shared<int>(w); }), "shared()");
    expect(error_in_loop<TypeParam>([](const auto& w) { lockstep::for_each<3>(w, [] {}); }),
           "a loop");
    expect(error_in_loop<TypeParam>([](const auto& w) {
             lockstep::for_each<3>(w).collective([](lockstep::idx, bool) {});
           }),
           "a collective loop");
    expect(error_in_loop<TypeParam>([](const auto& w) {
             lockstep::for_each<3>(w).count([](lockstep::idx) { return true; });
           }),
           "a loop");
  }
}

// After the kernel has caught an exception in a loop, the worker is outside the loop.
HPK_TYPED_TEST(LockstepWorkerOnHost, leaves_a_loop_by_an_exception) {
  int caught = 0;
  hpk::parallel_for(hpk::TeamPolicy<TypeParam>(1, 1), [&](const worker_member<TypeParam>& member) {
    const lockstep::worker w{member};
    try {
      lockstep::for_each<3>(w, [] { throw 7; });
    } catch (int value) {
      caught = value;
    }
    w.sync();
  });
  EXPECT_EQ(caught, 7);
}

HPK_TYPED_TEST(LockstepWorkerOnHost, refuses_barriers_that_not_all_reach) {
  hpk_test::expect_error(
      [] {
        hpk::parallel_for("diverge", hpk::TeamPolicy<TypeParam>(1, 4),
                          [](const worker_member<TypeParam>& member) {
                            const lockstep::worker w{member};
                            if (w.rank() < 2) w.sync();
                          });
      },
      {"barrier", "\"diverge\""});
}

HPK_TYPED_TEST(LockstepWorkerOnHost, refuses_more_shared_memory_than_there_is) {
  hpk_test::expect_error(
      [] {
        hpk::parallel_for("greedy", hpk::TeamPolicy<TypeParam>(1, 4),
                          [](const worker_member<TypeParam>& member) {
                            const lockstep::worker w{member};
                            lockstep::shared<double[10]>(w)[0] = 1;
                          });
      },
      {"scratch", "\"greedy\""});
}

}  // namespace
