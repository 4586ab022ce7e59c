// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races between iterations, with HPK_EMU_RACES. Serial runs them in order, so all look right there.
#include <emu_bugs/bugs.hpp>

#include <hpk/memory_pool.hpp>

#include <cstring>

namespace emu_bugs {

using hpk::View;

// The settings of every test of this file.
struct watched {
  hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-races", 1)};
};

HPK_BUG(
    RaceBug, stencil_in_place,
    "race on element \\([0-9]+\\) of View \"heat\": lane [0-9]+ of group [0-9]+ (wrote|read) "
    "it, lane [0-9]+ of group [0-9]+ (wrote|read) it, and neither a barrier nor an atomic(.|\n)*"
    "kernel: parallel_for \"smooth\"(.|\n)*HPK_EMU_RACES=1") {
  const watched on;
  const View<double*, S> heat("heat", 100);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { heat(i) = i * i; });
  hpk::parallel_for(
      "smooth", hpk::RangePolicy<S>(1, 99),
      HPK_LAMBDA(int i) { heat(i) = 0.5 * (heat(i - 1) + heat(i + 1)); });
  S().fence();
}

HPK_CLEAN(Race, stencil_into_another_view) {
  const watched on;
  const View<double*, S> heat("heat", 100);
  const View<double*, S> next("next", 100);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { heat(i) = i * i; });
  hpk::parallel_for(
      "smooth", hpk::RangePolicy<S>(1, 99),
      HPK_LAMBDA(int i) { next(i) = 0.5 * (heat(i - 1) + heat(i + 1)); });
  EXPECT_EQ(hpk_test::on_host(next)(3), 10);
}

HPK_BUG(RaceBug, through_an_anonymous_view,
        "race on element \\([0-9]+\\) of View \"heat\"(.|\n)*kernel: parallel_for \"smooth\"") {
  const watched on;
  const View<double*, S> heat("heat", 100);
  const View<double*, hpk::AnonymousSpace> unknown = heat;
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { unknown(i) = i * i; });
  hpk::parallel_for(
      "smooth", hpk::RangePolicy<S>(1, 99),
      HPK_LAMBDA(int i) { unknown(i) = 0.5 * (unknown(i - 1) + unknown(i + 1)); });
  S().fence();
}

HPK_CLEAN(Race, none_through_an_anonymous_view) {
  const watched on;
  const View<double*, S> heat("heat", 100);
  const View<double*, hpk::AnonymousSpace> unknown = heat;
  hpk::parallel_for(
      "own element", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { unknown(i) += i; });
  EXPECT_EQ(hpk_test::on_host(heat)(3), 3);
}

HPK_BUG(RaceBug, plain_scatter, "race on element \\([0-9]\\) of View \"histogram\"") {
  const watched on;
  const View<int*, S> histogram("histogram", 10);
  hpk::parallel_for(
      "count", hpk::RangePolicy<S>(0, 1000), HPK_LAMBDA(int i) { histogram(i % 10) += 1; });
  S().fence();
}

HPK_CLEAN(Race, atomic_scatter) {
  const watched on;
  const View<int*, S> histogram("histogram", 10);
  hpk::parallel_for(
      "count", hpk::RangePolicy<S>(0, 1000),
      HPK_LAMBDA(int i) { hpk::atomic_add(&histogram(i % 10), 1); });
  EXPECT_EQ(hpk_test::on_host(histogram)(3), 100);
}

HPK_BUG(RaceBug, sum_into_one_element, "race on element \\(\\) of View \"sum\"") {
  const watched on;
  const View<double, S> sum("sum");
  const View<double*, S> values("values", 100);
  hpk::deep_copy(values, 2);
  hpk::parallel_for("sum", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { sum() += values(i); });
  S().fence();
}

HPK_CLEAN(Race, sum_by_a_reduction) {
  const watched on;
  const View<double*, S> values("values", 100);
  hpk::deep_copy(values, 2);
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i, double& s) { s += values(i); }, sum);
  EXPECT_EQ(sum, 200);
}

HPK_BUG(RaceBug, flag_set_by_one_and_read_by_all, "race on element \\(\\) of View \"found\"") {
  const watched on;
  const View<int, S> found("found");
  const View<int*, S> seen("seen", 100);
  hpk::parallel_for(
      "search", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        seen(i) = found();
        if (i == 50) found() = 1;
      });
  S().fence();
}

HPK_CLEAN(Race, flag_set_before_the_launch) {
  const watched on;
  const View<int, S> found("found");
  const View<int*, S> seen("seen", 100);
  hpk::deep_copy(found, 1);
  hpk::parallel_for(
      "search", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { seen(i) = found(); });
  EXPECT_EQ(hpk_test::on_host(seen)(99), 1);
}

// Lanes of a group hand values on through device memory.
template <class S>
void hand_on(bool with_barrier) {
  const watched on;
  const View<int*, S> values("values", 64);
  const View<int*, S> sums("sums", 64);
  launch<S>({.groups = 1, .lanes = 64}, [=](lane_of<S>& lane) {
    const int me = lane.lane_index();
    values(me) = me + 1;
    if (with_barrier) lane.barrier();
    sums(me) = values((me + 1) % lane.lanes());
  });
}
HPK_BUG(RaceBug, missing_barrier, "race on element \\([0-9]+\\) of View \"values\"") {
  hand_on<S>(false);
}
HPK_CLEAN(Race, barrier_in_between) { hand_on<S>(true); }

// An exchange orders the lanes of a subgroup, and no others.
template <class S>
void hand_on_by_exchange(int reach) {
  const watched on;
  const View<int*, S> values("values", 64);
  const View<int*, S> sums("sums", 64);
  launch<S>({.groups = 1, .lanes = 64}, [=](lane_of<S>& lane) {
    const int me = lane.lane_index();
    values(me) = me + 1;
    lane.any(false);
    sums(me) = values(lane.lanes() == 1 ? 0 : me ^ reach);
  });
}
HPK_BUG(RaceBug, exchange_across_subgroups, "race on element \\([0-9]+\\) of View \"values\"") {
  hand_on_by_exchange<S>(32);
}
HPK_CLEAN(Race, exchange_within_a_subgroup) { hand_on_by_exchange<S>(1); }

// No barrier joins groups.
HPK_BUG(RaceBug, groups_that_share_an_element, "lane 0 of group 0 wrote it, lane 0 of group 1") {
  const watched on;
  const View<int*, S> shared("shared", 1);
  launch<S>({.groups = 2, .lanes = 4}, [=](lane_of<S>& lane) {
    if (lane.lane_index() == 0) shared(0) = static_cast<int>(lane.group()) + 1;
    lane.barrier();
  });
}

// Lanes of a group hand values on through scratch of a level.
template <class S>
void hand_on_in_scratch(int level, bool with_barrier) {
  const watched on;
  const View<int*, S> sums("sums", 64);
  hpk::seam::shape shape{.groups = 2, .lanes = 64};
  shape.scratch[level] = 64 * sizeof(int);
  launch<S>(shape, [=](lane_of<S>& lane) {
    const int me = lane.lane_index();
    int* const values = reinterpret_cast<int*>(lane.scratch(level));
    values[me] = me + 1;
    if (with_barrier) lane.barrier();
    const int sum = values[(me + 1) % lane.lanes()];
    if (lane.group() == 0) sums(me) = sum;
  });
  const int expected = lane_of<S>::single ? 1 : 2;
  EXPECT_TRUE(!with_barrier || hpk_test::on_host(sums)(0) == expected);
}
HPK_CLEAN(Race, scratch_behind_a_barrier) {
  hand_on_in_scratch<S>(0, true);
  hand_on_in_scratch<S>(1, true);
}

template <class S>
void hand_on_in_scratch_by_exchange(int reach) {
  const watched on;
  const View<int*, S> sums("sums", 64);
  launch<S>({.groups = 1, .lanes = 64, .scratch = {256, 0}}, [=](lane_of<S>& lane) {
    const int me = lane.lane_index();
    int* const values = reinterpret_cast<int*>(lane.scratch(0));
    values[me] = me + 1;
    lane.any(false);
    sums(me) = values[lane.lanes() == 1 ? 0 : me ^ reach];
  });
}
HPK_CLEAN(Race, scratch_behind_an_exchange) { hand_on_in_scratch_by_exchange<S>(1); }

// Lane 0 counts by itself, then all count, by atomic operations of each kind.
HPK_CLEAN(Race, atomic_operations_on_scratch) {
  const watched on;
  const View<int*, S> counts("counts", 3);
  launch<S>({.groups = 3, .lanes = 64, .scratch = {64, 0}}, [=](lane_of<S>& lane) {
    int* const count = reinterpret_cast<int*>(lane.scratch(0));
    double* const sum = reinterpret_cast<double*>(lane.scratch(0) + 16);
    if (lane.lane_index() == 0) {
      *count = 0;
      *sum = 0;
    }
    lane.barrier();
    hpk::atomic_add(count, 1);
    hpk::atomic_max(sum, lane.lane_index());
    hpk::atomic_add(sum, 1.0);
    lane.barrier();
    if (lane.lane_index() == 0) counts(lane.group()) = *sum > 0 ? *count : 0;
  });
  EXPECT_EQ(hpk_test::on_host(counts)(2), lane_of<S>::single ? 1 : 64);
}

// Every lane has bytes of its own, across pages, which it fills and moves as a whole.
HPK_CLEAN(Race, scratch_that_lanes_do_not_share) {
  const watched on;
  constexpr int own = 300;
  const View<int*, S> found("found", 64);
  launch<S>({.groups = 1, .lanes = 64, .scratch = {64 * own, 64 * own}}, [=](lane_of<S>& lane) {
    const int me = lane.lane_index();
    std::byte* const bytes = lane.scratch(0) + me * own;
    std::memset(bytes, me, own);
    std::memcpy(lane.scratch(1) + me * own, bytes, own);
    found(me) = static_cast<int>(lane.scratch(1)[me * own + own - 1]);
  });
  EXPECT_EQ(hpk_test::on_host(found)(63), lane_of<S>::single ? 0 : 63);
}

#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER

HPK_BUG(RaceBug, race_on_scratch,
        "race on byte [0-9]+ of the scratch of the group: lane [0-9]+ (wrote|read) it, lane [0-9]+ "
        "(writes|reads) it, with no barrier between(.|\n)*kernel: launch(.|\n)*HPK_EMU_RACES=1") {
  hand_on_in_scratch<S>(0, false);
}
HPK_BUG(RaceBug, race_on_scratch_of_level_1, "race on byte [0-9]+ of the scratch of the group") {
  hand_on_in_scratch<S>(1, false);
}
HPK_BUG(RaceBug, race_on_scratch_behind_an_exchange_of_others,
        "race on byte [0-9]+ of the scratch of the group") {
  hand_on_in_scratch_by_exchange<S>(32);
}

// They write the same value, which a guess by values does not see.
HPK_BUG(RaceBug, race_on_scratch_two_writers,
        "race on byte 8 of the scratch of the group: lane 3 wrote it, lane 4 writes it") {
  const watched on;
  launch<S>({.groups = 1, .lanes = 16, .scratch = {64, 0}}, [](lane_of<S>& lane) {
    int* const flag = reinterpret_cast<int*>(lane.scratch(0)) + 2;
    if (lane.lane_index() == 3 || lane.lane_index() == 4) *flag = 1;
  });
}

HPK_BUG(RaceBug, plain_and_atomic_on_scratch,
        "race on byte 0 of the scratch of the group: lane 0 wrote it, lane 1 reads it") {
  const watched on;
  const View<int*, S> seen("seen", 16);
  launch<S>({.groups = 1, .lanes = 16, .scratch = {64, 0}}, [=](lane_of<S>& lane) {
    int* const count = reinterpret_cast<int*>(lane.scratch(0));
    if (lane.lane_index() == 0) hpk::atomic_store(count, 0);
    if (lane.lane_index() == 1) seen(0) = *count;
  });
}

#endif

// Lanes that run one after another get the same block of a pool.
template <class S>
void use_blocks(bool after_giving_back) {
  const watched on;
  const hpk::MemoryPool<S> pool("blocks", typename S::memory_space(), 4096, 64, 64, 4096);
  hpk::parallel_for(
      "blocks", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        const View<int*, S> mine(static_cast<int*>(pool.allocate(64)), 16);
        for (int k = 0; k < 16; ++k) mine(k) = i + k + 1;
        pool.deallocate(mine.data(), 64);
        if (after_giving_back) mine(5) = -i - 1;
      });
  S().fence();
}
HPK_BUG(RaceBug, block_of_a_pool_after_giving_it_back,
        "race on element \\(5\\) of View \"blocks\"") {
  use_blocks<S>(true);
}
HPK_CLEAN(Race, blocks_of_a_pool) { use_blocks<S>(false); }

HPK_CLEAN(Race, scan_and_copies_of_the_library) {
  const watched on;
  const View<long*, S> values("values", 5000);
  const View<long*, S> sums("sums", 5000);
  hpk::deep_copy(values, 3);
  hpk::parallel_scan(
      hpk::RangePolicy<S>(0, 5000), HPK_LAMBDA(int i, long& sum, bool final) {
        if (final) sums(i) = sum;
        sum += values(i);
      });
  EXPECT_EQ(hpk_test::on_host(sums)(4999), 14997);
}

}  // namespace emu_bugs
