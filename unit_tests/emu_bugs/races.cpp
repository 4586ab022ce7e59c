// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races between iterations, with HPK_EMU_RACES. Serial runs iterations in order, so results are
// correct there.
#include <emu_bugs/bugs.hpp>

#include <hpk/memory_pool.hpp>

#include <cstring>

namespace emu_bugs {

using hpk::View;

HPK_BUG(
    RaceBug, stencil_in_place,
    "race on element \\([0-9]+\\) of View \"heat\": lane [0-9]+ of group [0-9]+ (wrote|read) "
    "it, lane [0-9]+ of group [0-9]+ (wrote|read) it, and neither a barrier nor an atomic(.|\n)*"
    "kernel: parallel_for \"smooth\"(.|\n)*HPK_EMU_RACES=1") {
  const races_watched on;
  const View<double*, S> heat("heat", 100);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { heat(i) = i * i; });
  hpk::parallel_for(
      "smooth", hpk::RangePolicy<S>(1, 99),
      HPK_LAMBDA(int i) { heat(i) = 0.5 * (heat(i - 1) + heat(i + 1)); });
  S().fence();
}

HPK_CLEAN(Race, stencil_into_another_view) {
  const races_watched on;
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
  const races_watched on;
  const View<double*, S> heat("heat", 100);
  const View<double*, hpk::AnonymousSpace> unknown = heat;
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { unknown(i) = i * i; });
  hpk::parallel_for(
      "smooth", hpk::RangePolicy<S>(1, 99),
      HPK_LAMBDA(int i) { unknown(i) = 0.5 * (unknown(i - 1) + unknown(i + 1)); });
  S().fence();
}

HPK_CLEAN(Race, none_through_an_anonymous_view) {
  const races_watched on;
  const View<double*, S> heat("heat", 100);
  const View<double*, hpk::AnonymousSpace> unknown = heat;
  hpk::parallel_for(
      "own element", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { unknown(i) += i; });
  EXPECT_EQ(hpk_test::on_host(heat)(3), 3);
}

// Each lane has separate variables, at the same place of the same stack.
HPK_CLEAN(Race, views_of_variables_of_the_kernel) {
  const races_watched on;
  const View<double*, S> sums("sums", 100);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        double values[3] = {1, 2, 3};
        const View<double*, S, hpk::MemoryUnmanaged> own(values, 3);
        for (int k = 0; k < 3; ++k) own(k) *= i;
        sums(i) = own(0) + own(1) + own(2);
      });
  EXPECT_EQ(hpk_test::on_host(sums)(50), 300);
}

HPK_BUG(RaceBug, plain_scatter, "race on element \\([0-9]\\) of View \"histogram\"") {
  const races_watched on;
  const View<int*, S> histogram("histogram", 10);
  hpk::parallel_for(
      "count", hpk::RangePolicy<S>(0, 1000), HPK_LAMBDA(int i) { histogram(i % 10) += 1; });
  S().fence();
}

HPK_CLEAN(Race, atomic_scatter) {
  const races_watched on;
  const View<int*, S> histogram("histogram", 10);
  hpk::parallel_for(
      "count", hpk::RangePolicy<S>(0, 1000),
      HPK_LAMBDA(int i) { hpk::atomic_add(&histogram(i % 10), 1); });
  EXPECT_EQ(hpk_test::on_host(histogram)(3), 100);
}

HPK_BUG(RaceBug, atomic_scatter_of_the_caller,
        "race on element \\([0-9]\\) of View \"histogram\"") {
  const races_watched on;
  const View<int*, S> histogram("histogram", 10);
  hpk::parallel_for(
      "count", hpk::RangePolicy<S>(0, 1000), HPK_LAMBDA(int i) {
        hpk::atomic_add(&histogram(i % 10), 1, hpk::MemoryOrderRelaxed(), hpk::MemoryScopeCaller());
      });
  S().fence();
}

// Additions that are atomic within a group, by several groups or by one.
template <class S>
void count_in_team_scope(hpk::index_t groups) {
  const races_watched on;
  const View<int*, S> counts("counts", 2);
  launch<S>({.groups = groups, .lanes = 32}, [=](lane_of<S>&) {
    hpk::atomic_add(&counts(1), 1, hpk::MemoryOrderRelaxed(), hpk::MemoryScopeCore());
  });
}
HPK_BUG(RaceBug, team_scope_among_teams, "race on element \\(1\\) of View \"counts\"") {
  count_in_team_scope<S>(2);
}
HPK_CLEAN(Race, team_scope_in_a_team) { count_in_team_scope<S>(1); }

// The last lane to arrive sums the values that all have stored. The ways in which lanes publish
// their stores and the last lane acquires them:
enum class publish {
  by_orders,
  by_fences,
  release_only,
  acquire_only,
  relaxed,
  fence_without_load
};

template <class S>
void sum_by_the_last(publish how, hpk::index_t n = 100) {
  const races_watched on;
  const View<int*, S> values("values", n);
  const View<int, S> arrived("arrived");
  const View<int, S> sum("sum");
  hpk::parallel_for(
      "sum", hpk::RangePolicy<S>(0, n), HPK_LAMBDA(hpk::index_t i) {
        values(i) = 1;
        int before = 0;
        if (how == publish::by_orders)
          before = hpk::atomic_fetch_inc(&arrived(), hpk::MemoryOrderAcqRel());
        if (how == publish::release_only)
          before = hpk::atomic_fetch_inc(&arrived(), hpk::MemoryOrderRelease());
        if (how == publish::acquire_only)
          before = hpk::atomic_fetch_inc(&arrived(), hpk::MemoryOrderAcquire());
        if (how == publish::relaxed) before = hpk::atomic_fetch_inc(&arrived());
        if (how == publish::by_fences) {
          hpk::store_fence();
          before = hpk::atomic_fetch_inc(&arrived());
          hpk::load_fence();
        }
        if (how == publish::fence_without_load) {
          hpk::memory_fence();
          before = hpk::atomic_fetch_inc(&arrived());
        }
        if (before + 1 == n) {
          for (hpk::index_t k = 0; k < n; ++k) sum() += values(k);
        }
      });
  EXPECT_EQ(hpk_test::on_host(sum)(), n);
}
HPK_CLEAN(Race, published_by_orders) { sum_by_the_last<S>(publish::by_orders); }
HPK_CLEAN(Race, published_by_fences) { sum_by_the_last<S>(publish::by_fences); }
HPK_CLEAN(Race, published_by_many) { sum_by_the_last<S>(publish::by_orders, 20'000); }
HPK_BUG(RaceBug, published_by_nothing, "race on element \\([0-9]+\\) of View \"values\"") {
  sum_by_the_last<S>(publish::relaxed);
}
HPK_BUG(RaceBug, released_and_not_acquired, "race on element \\([0-9]+\\) of View \"values\"") {
  sum_by_the_last<S>(publish::release_only);
}
HPK_BUG(RaceBug, acquired_and_not_released, "race on element \\([0-9]+\\) of View \"values\"") {
  sum_by_the_last<S>(publish::acquire_only);
}
HPK_BUG(RaceBug, fenced_on_one_side, "race on element \\([0-9]+\\) of View \"values\"") {
  sum_by_the_last<S>(publish::fence_without_load);
}

// Lanes store, and after a barrier one lane of the group publishes the stores of all. In the last
// group one lane acquires for all.
template <class S>
void sum_by_the_last_team(bool with_fence) {
  const races_watched on;
  constexpr hpk::index_t teams = 4;
  constexpr hpk::index_t width = 16;
  const View<int*, S> values("values", teams * width);
  const View<int, S> arrived("arrived");
  const View<int*, S> is_last("is last", teams);
  const View<int*, S> sums("sums", width);
  launch<S>({.groups = teams, .lanes = width}, [=](lane_of<S>& lane) {
    const hpk::index_t team = lane.group();
    const hpk::index_t me = lane.lane_index();
    values(team * width + me) = 1;
    if (with_fence) hpk::memory_fence();
    lane.barrier();
    if (me == 0) is_last(team) = hpk::atomic_fetch_inc(&arrived()) == teams - 1 ? 1 : 0;
    lane.barrier();
    if (is_last(team) != 0) {
      if (with_fence) hpk::memory_fence();
      for (hpk::index_t k = 0; k < teams; ++k) sums(me) += values(k * width + me);
    }
  });
}
HPK_CLEAN(Race, published_for_a_team) { sum_by_the_last_team<S>(true); }
HPK_BUG(RaceBug, published_for_a_team_without_fences,
        "race on element \\([0-9]+\\) of View \"values\"") {
  sum_by_the_last_team<S>(false);
}

// A store with release and loads with acquire, in the order of the iterations: some loads see the
// store.
template <class S, class Acquire>
void hand_over(Acquire acquire) {
  const races_watched on;
  const View<int, S> data("data");
  const View<int, S> ready("ready");
  const View<int*, S> seen("seen", 100);
  hpk::parallel_for(
      "hand over", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        if (i == 50) {
          data() = 7;
          hpk::atomic_store(&ready(), 1, hpk::MemoryOrderRelease());
        } else if (hpk::atomic_load(&ready(), acquire) == 1) {
          seen(i) = data();
        }
      });
  S().fence();
}
HPK_CLEAN(Race, handed_over) { hand_over<S>(hpk::MemoryOrderAcquire()); }
HPK_BUG(RaceBug, handed_over_relaxed, "race on element \\(\\) of View \"data\"") {
  hand_over<S>(hpk::MemoryOrderRelaxed());
}

HPK_BUG(RaceBug, sum_into_one_element, "race on element \\(\\) of View \"sum\"") {
  const races_watched on;
  const View<double, S> sum("sum");
  const View<double*, S> values("values", 100);
  hpk::deep_copy(values, 2);
  hpk::parallel_for("sum", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { sum() += values(i); });
  S().fence();
}

HPK_CLEAN(Race, sum_by_a_reduction) {
  const races_watched on;
  const View<double*, S> values("values", 100);
  hpk::deep_copy(values, 2);
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i, double& s) { s += values(i); }, sum);
  EXPECT_EQ(sum, 200);
}

HPK_BUG(RaceBug, flag_set_by_one_and_read_by_all, "race on element \\(\\) of View \"found\"") {
  const races_watched on;
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
  const races_watched on;
  const View<int, S> found("found");
  const View<int*, S> seen("seen", 100);
  hpk::deep_copy(found, 1);
  hpk::parallel_for(
      "search", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { seen(i) = found(); });
  EXPECT_EQ(hpk_test::on_host(seen)(99), 1);
}

// Lanes of a group pass values on through device memory.
template <class S>
void hand_on(bool with_barrier) {
  const races_watched on;
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

// An exchange orders the accesses of lanes of one sub-group only.
template <class S>
void hand_on_by_exchange(int reach) {
  const races_watched on;
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

// No barrier synchronises groups.
HPK_BUG(RaceBug, groups_that_share_an_element,
        "lane 0 of group [01] wrote it, lane 0 of group [01]") {
  const races_watched on;
  const View<int*, S> shared("shared", 1);
  launch<S>({.groups = 2, .lanes = 4}, [=](lane_of<S>& lane) {
    if (lane.lane_index() == 0) shared(0) = static_cast<int>(lane.group()) + 1;
    lane.barrier();
  });
}

// Lanes of a group pass values on through scratch of a level.
template <class S>
void hand_on_in_scratch(int level, bool with_barrier) {
  const races_watched on;
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
  const races_watched on;
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

// Lane 0 counts alone, then all lanes count, with atomic operations of each kind.
HPK_CLEAN(Race, atomic_operations_on_scratch) {
  const races_watched on;
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

// Every lane has separate bytes across pages, which it fills and copies as a whole.
HPK_CLEAN(Race, scratch_that_lanes_do_not_share) {
  const races_watched on;
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

// Both lanes write the same value, so comparing values would not find the race.
HPK_BUG(RaceBug, race_on_scratch_two_writers,
        "race on byte 8 of the scratch of the group: lane 3 wrote it, lane 4 writes it") {
  const races_watched on;
  launch<S>({.groups = 1, .lanes = 16, .scratch = {64, 0}}, [](lane_of<S>& lane) {
    int* const flag = reinterpret_cast<int*>(lane.scratch(0)) + 2;
    if (lane.lane_index() == 3 || lane.lane_index() == 4) *flag = 1;
  });
}

HPK_BUG(RaceBug, plain_and_atomic_on_scratch,
        "race on byte 0 of the scratch of the group: lane 0 wrote it, lane 1 reads it") {
  const races_watched on;
  const View<int*, S> seen("seen", 16);
  launch<S>({.groups = 1, .lanes = 16, .scratch = {64, 0}}, [=](lane_of<S>& lane) {
    int* const count = reinterpret_cast<int*>(lane.scratch(0));
    if (lane.lane_index() == 0) hpk::atomic_store(count, 0);
    if (lane.lane_index() == 1) seen(0) = *count;
  });
}

#endif

// Lanes that run in sequence get the same block of a pool.
template <class S>
void use_blocks(bool after_giving_back) {
  const races_watched on;
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

// With several tiles, whose groups wait for each other.
HPK_CLEAN(Race, scan_and_copies_of_the_library) {
  const races_watched on;
  const View<long*, S> values("values", 12000);
  const View<long*, S> sums("sums", 12000);
  hpk::deep_copy(values, 3);
  hpk::parallel_scan(
      hpk::RangePolicy<S>(0, 12000), HPK_LAMBDA(int i, long& sum, bool final) {
        if (final) sums(i) = sum;
        sum += values(i);
      });
  EXPECT_EQ(hpk_test::on_host(sums)(11999), 35997);
}

}  // namespace emu_bugs
