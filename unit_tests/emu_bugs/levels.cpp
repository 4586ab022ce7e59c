// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_EMU_CHECK: the detectors that each level turns on and off; messages name their detector.
#include "bugs.hpp"

namespace emu_bugs {

using hpk::View;

namespace {

hpk::InitializationSettings level(const char* word) {
  return hpk::InitializationSettings().set_option("emu-check", word);
}

template <class S>
void add_what_nobody_set() {
  const View<double*, S> sums(hpk::view_alloc(hpk::WithoutInitializing, "sums"), 10);
  hpk::parallel_for("add", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { sums(i) += 1; });
  S().fence();
}

template <class S>
void read_a_mirror_too_early() {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = 2; });
  S().fence();
  EXPECT_EQ(mirror(1), 0);
}

template <class S>
void read_an_old_copy() {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(mirror(1), 0);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = 2; });
  S().fence();
  EXPECT_EQ(mirror(1), 0);
}

template <class S>
void forget_to_copy_the_input() {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror_view(input);
  for (int i = 0; i < 10; ++i) mirror(i) = 1;
  hpk::parallel_for(
      "copy", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { output(i) = input(i); });
  S().fence();
}

template <class S>
void write_to_one_element() {
  const View<int*, S> a("a", 1);
  hpk::parallel_for("race", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { a(0) = i; });
  S().fence();
}

}  // namespace

HPK_BUG(LevelBug, all_finds_races,
        "hpk::Emu .races.: race on element (.|\n)*\n  replay: HPK_EMU_CHECK=all HPK_EMU_SEED=1 ") {
  const hpk::ScopeGuard guard(level("all"));
  write_to_one_element<S>();
}

HPK_BUG(LevelBug, all_without_races_finds_mirrors, "hpk::Emu .mirrors.: host code reads byte 8") {
  const hpk::ScopeGuard guard(level("all").set_option("emu-races", 0));
  write_to_one_element<S>();
  read_a_mirror_too_early<S>();
}

HPK_BUG(LevelBug, fast_with_races_finds_races,
        "hpk::Emu .races.: race on element (.|\n)*\n  replay: HPK_EMU_CHECK=fast HPK_EMU_SEED=0 ") {
  const hpk::ScopeGuard guard(level("fast").set_option("emu-races", 1));
  write_to_one_element<S>();
}

HPK_BUG(LevelBug, fast_finds_what_costs_nothing,
        "hpk::Emu .host access.: host code accesses element \\(3\\) of View \"field\"") {
  const hpk::ScopeGuard guard(level("fast"));
  const View<double*, S> field("field", 10);
  field(3) = 1;
}

#if HPK_HAS_TRAPPING_MATH
HPK_BUG(LevelBug, default_finds_values_that_nobody_set,
        "hpk::Emu .uninitialised.: a kernel computes with an uninitialised value(.|\n)*\n"
        "  replay: HPK_EMU_SEED=0 ") {
  const hpk::ScopeGuard guard(level("default"));
  add_what_nobody_set<S>();
}
#endif

HPK_BUG(LevelBug, default_finds_mirrors_without_data,
        "hpk::Emu .mirrors.: host code reads byte 8(.|\n)*\n  replay: HPK_EMU_SEED=0 ") {
  const hpk::ScopeGuard guard(level("default"));
  read_a_mirror_too_early<S>();
}

// Mistakes that this level ignores.
HPK_CLEAN(Level, fast_ignores_what_costs) {
  const hpk::ScopeGuard guard(level("fast"));
  add_what_nobody_set<S>();
  read_a_mirror_too_early<S>();
  read_an_old_copy<S>();
  forget_to_copy_the_input<S>();
}

HPK_BUG(LevelBug, fast_with_mirrors_finds_old_copies, "stale mirror \"field_mirror\"") {
  const hpk::ScopeGuard guard(level("fast").set_option("emu-mirrors", 1));
  read_an_old_copy<S>();
}

HPK_CLEAN(Level, default_ignores_races) {
  const hpk::ScopeGuard guard(level("default"));
  write_to_one_element<S>();
}

HPK_CLEAN(Level, all_is_silent_about_a_correct_program) {
  const hpk::ScopeGuard guard(level("all"));
  const View<double*, S> field("field", 1000);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 1000), HPK_LAMBDA(int i) { field(i) = i; });
  double sum = 0;
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<S>(0, 1000), HPK_LAMBDA(int i, double& s) { s += field(i); }, sum);
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(sum, 499500);
  EXPECT_EQ(mirror(3), 3);
}

}  // namespace emu_bugs
