// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races of kernels that write the values already in memory, so that comparing values does not find
// them; with HPK_EMU_RACES.
#include <emu_bugs/bugs.hpp>

#include <utility>

namespace emu_bugs {

using hpk::View;

// Each lane writes unchanged values to separate elements, on several pages, more often than Emu
// examines writes.
HPK_CLEAN(Unchanged, own_elements_set_to_what_they_are) {
  const races_watched on;
  const View<double*, S> a("a", 20'000);
  const View<double*, S> b("b", 20'000);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 20'000), HPK_LAMBDA(int i) { a(i) = b(i) * 2; });
  S().fence();
  EXPECT_EQ(hpk_test::on_host(a)(19'999), 0);
}

// Another queue writes to pages on which a kernel is watched.
HPK_CLEAN(Unchanged, copies_and_kernels_of_two_instances) {
  const races_watched on;
  const View<int*, S> a("a", 3000);
  const S first(hpk::NewInstance{});
  const S second(hpk::NewInstance{});
  const auto part = [&](int begin) { return hpk::subview(a, std::pair(begin, begin + 1000)); };
  const auto mine = part(0);
  hpk::parallel_for(hpk::RangePolicy<S>(first, 0, 1000), HPK_LAMBDA(int i) { mine(i) = 1; });
  const auto other = part(1000);
  hpk::parallel_for(hpk::RangePolicy<S>(second, 0, 1000), HPK_LAMBDA(int i) { other(i) = 2; });
  hpk::deep_copy(second, part(2000), 3);
  hpk::fence();
  const auto found = hpk_test::on_host(a);
  EXPECT_EQ(found(999) + found(1000) + found(2999), 6);
}

HPK_CLEAN(Unchanged, stencil_into_another_view) {
  const races_watched on;
  const View<double*, S> heat("heat", 100);
  const View<double*, S> next("next", 100);
  hpk::parallel_for(
      hpk::RangePolicy<S>(1, 99), HPK_LAMBDA(int i) { next(i) = heat(i - 1) + heat(i + 1); });
  EXPECT_EQ(hpk_test::on_host(next)(3), 0);
}

// One lane reads and writes each element.
HPK_CLEAN(Unchanged, element_read_and_written_by_one) {
  const races_watched on;
  const View<double*, S> field("field", 2000);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 2000), HPK_LAMBDA(int i) { field(i) += field(i); });
  EXPECT_EQ(hpk_test::on_host(field)(3), 0);
}

HPK_CLEAN(Unchanged, flag_set_atomically) {
  const races_watched on;
  const View<int, S> found("found");
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int) { hpk::atomic_store(&found(), 0); });
  EXPECT_EQ(hpk_test::on_host(found)(), 0);
}

// Lanes of a group pass zeros on, in device memory and in scratch, by instructions that may access
// both.
template <class S>
void hand_on_zeros(bool with_barrier) {
  const races_watched on;
  const View<long*, S> values("values", 64);
  launch<S>({.groups = 2, .lanes = 64, .scratch = {64 * sizeof(long), 0}}, [=](lane_of<S>& lane) {
    if (lane.group() != 0) return;
    const int me = lane.lane_index();
    long* const mine = reinterpret_cast<long*>(lane.scratch(0)) + me;
    *mine = 0;
    values(me) = *mine;
    if (with_barrier) lane.barrier();
    *mine = values((me + 1) % lane.lanes());
  });
}
HPK_CLEAN(Unchanged, behind_a_barrier) { hand_on_zeros<S>(true); }

#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER

HPK_BUG(UnchangedBug, missing_barrier, "race on element \\([0-9]+\\) of View \"values\"") {
  hand_on_zeros<S>(false);
}

HPK_BUG(UnchangedBug, stencil_in_place_over_zeros,
        "race on element \\([0-9]+\\) of View \"heat\"(.|\n)*kernel: parallel_for \"smooth\"") {
  const races_watched on;
  const View<double*, S> heat("heat", 100);
  hpk::parallel_for(
      "smooth", hpk::RangePolicy<S>(1, 99),
      HPK_LAMBDA(int i) { heat(i) = heat(i - 1) + heat(i + 1); });
  S().fence();
}

HPK_BUG(UnchangedBug, flag_set_by_many_to_what_it_is, "race on element \\(\\) of View \"found\"") {
  const races_watched on;
  const View<int, S> found("found");
  hpk::deep_copy(found, 1);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int) { found() = 1; });
  S().fence();
}

// A part of an element, beside parts that no lane writes.
struct particle {
  double place[3];
  int kind;
};
HPK_BUG(UnchangedBug, part_of_an_element_set_to_what_it_is,
        "race on element \\(7\\) of View \"particles\"") {
  const races_watched on;
  const View<particle*, S> particles("particles", 20);
  const View<int*, S> seen("seen", 20);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 20), HPK_LAMBDA(int i) {
        seen(i) = particles(7).kind;
        if (i == 12) particles(7).place[1] = 0;
      });
  S().fence();
}

#endif

}  // namespace emu_bugs
