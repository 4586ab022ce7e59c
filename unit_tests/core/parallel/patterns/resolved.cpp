// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// policy.resolved() describes a launch. Its numbers of groups and threads are compared with real
// launches.
#include <support/spaces.hpp>

#include <hpk/parallel/patterns/resolved.hpp>

namespace hpk_test::resolved_cases {

using hpk::ResolvedLaunch;
using hpk::Experimental::require;
using place = hpk::ResolvedLaunch::Place;
using hints = hpk::Experimental::WorkItemProperty;

template <class Exec>
class Resolved : public testing::Test {};
TYPED_TEST_SUITE(Resolved, spaces, space_names);

HPK_TYPED_TEST(Resolved, tells_the_shape_of_a_range) {
  const TypeParam exec = with_workers<TypeParam>(3);
  const ResolvedLaunch none = hpk::RangePolicy<TypeParam>(exec, 5, 5).resolved();
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.groups, 0);
  const auto dynamic = hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, 9999999);
  const ResolvedLaunch large = dynamic.resolved();
  EXPECT_EQ(large.space, TypeParam::name());
  EXPECT_EQ(large.iterations, 9999999);
  EXPECT_TRUE(large.dynamic);
  EXPECT_EQ(large.workers, exec.instance().properties().workers);
  EXPECT_EQ(large.rank, 0);
  EXPECT_EQ(large.team_size, 0);
  EXPECT_TRUE(contains(large.text(), std::string(TypeParam::name()) + ": 9999999 iterations "));
  if constexpr (!is_host<TypeParam>) {
    EXPECT_EQ(large.place, place::Device);
    EXPECT_GT(large.lanes, 1);
    EXPECT_TRUE(contains(large.text(), " lanes"));
  } else if (large.workers == 1) {
    EXPECT_EQ(large.place, place::Caller);
    EXPECT_TRUE(contains(large.text(), "on the calling thread"));
  } else {
    EXPECT_EQ(large.place, place::Workers);
    EXPECT_EQ(large.groups, 3);
    EXPECT_EQ(large.lanes, 1);
    EXPECT_EQ(large.chunk, 9999999 / 48);
    EXPECT_EQ(large.text(),
              std::string(TypeParam::name()) +
                  ": 9999999 iterations in 3 groups on 3 workers, 208333 claimed at a time");
    const hpk::RangePolicy<TypeParam> chunked(exec, 0, 10, hpk::ChunkSize(5));
    EXPECT_EQ(chunked.resolved().groups, 2);
    EXPECT_TRUE(contains(chunked.resolved().text(), "chunks end at multiples of 5"));
    EXPECT_EQ(require(chunked, hints::HintHeavyWeight).resolved().place, place::Workers);
  }
}

template <class Exec>
void expect_places() {
  const Exec exec = with_workers<Exec>(3);
  const hpk::RangePolicy<Exec> range(exec, 0, 2);
  const auto kernel = [](int) {};
  const auto place_of = [&](long setting) {
    hpk::initialize(hpk::InitializationSettings().set_inline_launches(setting));
    const place found = range.resolved().place;
    hpk::finalize();
    return found;
  };
  if (exec.concurrency() == 1) {
    EXPECT_EQ(place_of(-1), place::Caller);
    return;
  }
  EXPECT_EQ(place_of(0), place::Workers);
  EXPECT_EQ(place_of(2), place::Caller);
  EXPECT_EQ(place_of(-1), place::Measured);
  hpk::initialize(hpk::InitializationSettings().set_inline_launches(-1));
  EXPECT_EQ(require(range, hints::HintLightWeight).resolved().place, place::Caller);
  EXPECT_TRUE(contains(range.resolved().text(), "once the kernel has proved to be light"));
  EXPECT_EQ(range.resolved(kernel).place, place::Workers);
  // Sanitizers slow down accesses so much that no kernel is light.
  const int most = HPK_HAS_THREAD_SANITIZER || HPK_HAS_ADDRESS_SANITIZER ? 0 : 100000;
  int launches = 0;
  while (range.resolved(kernel).place != place::Caller && launches++ < most)
    hpk::parallel_for(range, kernel);
  if (most != 0) {
    EXPECT_EQ(range.resolved(kernel).place, place::Caller);
  }
  hpk::finalize();
}

HPK_TYPED_TEST(Resolved, tells_what_was_measured) {
  if constexpr (is_host<TypeParam>) expect_places<TypeParam>();
}

HPK_TYPED_TEST(Resolved, tells_the_shape_of_a_box) {
  const TypeParam exec = with_workers<TypeParam>(3);
  using policy =
      hpk::MDRangePolicy<TypeParam, hpk::Rank<3, hpk::Iterate::Left, hpk::Iterate::Left>>;
  const ResolvedLaunch plain = policy(exec, {0, 0, 0}, {4, 5, 60}).resolved();
  EXPECT_EQ(plain.rank, 3);
  EXPECT_EQ(plain.iterations, 1200);
  EXPECT_EQ(plain.order, hpk::Iterate::Left);
  EXPECT_TRUE(contains(plain.text(), "1200 iterations"));
  EXPECT_TRUE(contains(plain.text(), "; the first index runs fastest, no tiles"));
  const ResolvedLaunch tiled = policy(exec, {0, 0, 0}, {4, 5, 60}, {4, 0, 40}).resolved();
  EXPECT_EQ(tiled.tile[0], 4);
  EXPECT_EQ(tiled.tile[1], 0);
  EXPECT_EQ(tiled.tile[2], 40);
  EXPECT_TRUE(contains(tiled.text(), "tiles of 4 x all x 40"));
  if constexpr (is_host<TypeParam>) {
    EXPECT_EQ(tiled.groups, exec.concurrency() < 2 ? 1 : 2);  // of two tiles
    const ResolvedLaunch usual =
        hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {4, 4}).resolved();
    EXPECT_EQ(usual.order, hpk::Iterate::Right);
  }
  const ResolvedLaunch none = policy(exec, {1, 1, 1}, {1, 4, 4}).resolved();
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.groups, 0);
}

struct with_scratch {
  int team_shmem_size(int threads) const { return 32 * threads; }
};

HPK_TYPED_TEST(Resolved, tells_the_shape_of_a_league) {
  const TypeParam exec = with_workers<TypeParam>(3);
  const int vector = hpk::TeamPolicy<TypeParam>::vector_length_max() < 4 ? 1 : 4;
  const int lanes = is_host<TypeParam> ? 1 : vector;
  hpk::TeamPolicy<TypeParam> policy(exec, 40, 2, vector);
  policy.set_scratch_size(1, hpk::PerTeam(160), hpk::PerThread(16));
  const ResolvedLaunch found = policy.resolved();
  EXPECT_EQ(found.iterations, 40);
  EXPECT_EQ(found.team_size, 2);
  EXPECT_EQ(found.vector_length, lanes);
  EXPECT_EQ(found.scratch[0], 0u);
  EXPECT_EQ(found.scratch[1], 192u);
  EXPECT_TRUE(contains(found.text(), "40 teams"));
  EXPECT_TRUE(contains(found.text(), "; teams of 2 threads, vector length " +
                                         std::to_string(lanes) + ", scratch 0 and 192 bytes"));
  EXPECT_EQ(policy.resolved(with_scratch()).scratch[0], 64u);
  const hpk::TeamPolicy<TypeParam> automatic(exec, 3, hpk::AUTO);
  EXPECT_EQ(automatic.resolved().team_size, automatic.team_size());
  if constexpr (!is_host<TypeParam>) {
    EXPECT_EQ(found.groups, 40);
    EXPECT_EQ(found.lanes, 2 * lanes);
  }
}

}  // namespace hpk_test::resolved_cases
