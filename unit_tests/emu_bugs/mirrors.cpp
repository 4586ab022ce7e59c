// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors whose elements differ from those of their View. On Serial the mirror is the View itself,
// so all results are correct there.
#include <emu_bugs/bugs.hpp>

namespace emu_bugs {

using hpk::View;

template <class S>
struct fill {
  View<double*, S> field;
  HPK_FUNCTION void operator()(int i) const { field(i) = 2 * i; }
};
template <class S>
struct sum_up {
  View<double*, S> field;
  HPK_FUNCTION void operator()(int i, double& sum) const { sum += field(i); }
};

HPK_BUG(MirrorBug, missing_deep_copy_back,
        "host code reads byte 24 of stale mirror \"field_mirror\": kernel \"fill\" uses View "
        "\"field\" and may have changed it; copy first: hpk::deep_copy.mirror, view.") {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  S().fence();
  EXPECT_EQ(mirror(3), 6);
}

HPK_BUG(MirrorBug, missing_copy_of_a_result,
        "stale mirror \"result_mirror\": kernel \"sum\" uses View \"result\"") {
  const View<double, S> result("result");
  const auto mirror = hpk::create_mirror_view(result);
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i, double& sum) { sum += i; }, result);
  S().fence();
  EXPECT_EQ(mirror(), 45);
}

HPK_CLEAN(Mirror, that_was_copied_back) {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(mirror(3), 6);
}

// A class holds both the View and the mirror, and its kernel accesses only the View.
template <class S>
struct both {
  View<double*, S> field;
  typename View<double*, S>::host_mirror_type mirror;
  HPK_FUNCTION void operator()(int i) const { field(i) += i; }
};

HPK_CLEAN(Mirror, that_goes_along_with_its_view) {
  both<S> step{View<double*, S>("field", 10), {}};
  step.mirror = hpk::create_mirror_view(step.field);
  for (int k = 0; k < 3; ++k) {
    hpk::parallel_for("step", hpk::RangePolicy<S>(0, 10), step);
    S().fence();
  }
  hpk::deep_copy(step.mirror, step.field);
  EXPECT_EQ(step.mirror(3), 9);
  hpk::parallel_for("step", hpk::RangePolicy<S>(0, 10), step);
}

HPK_BUG(MirrorBug, kernel_reads_the_mirror_that_goes_along,
        "View \"field_mirror\" of HostSpace, byte 24: a kernel on Emu can't access host memory; it "
        "is a mirror: capture View \"field\" instead") {
  struct wrong : both<S> {
    HPK_FUNCTION void operator()(int i) const { this->field(i) += this->mirror.data()[3]; }
  };
  wrong step;
  step.field = View<double*, S>("field", 10);
  step.mirror = hpk::create_mirror_view(step.field);
  for (int k = 0; k < 2; ++k) {
    hpk::parallel_for("step", hpk::RangePolicy<S>(0, 10), step);
    S().fence();
  }
}

HPK_BUG(MirrorBug, sum_over_a_mirror_without_a_copy, "host code reads byte 0 of stale mirror") {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  S().fence();
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += mirror(i);
  EXPECT_EQ(sum, 90);
}

HPK_CLEAN(Mirror, that_the_host_fills) {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  for (int i = 0; i < 10; ++i) mirror(i) += i;
  hpk::deep_copy(field, mirror);
  double sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy<S>(0, 10), sum_up<S>{field}, sum);
  EXPECT_EQ(sum, 45);
  EXPECT_EQ(mirror(9), 9);
}

// Host code may read uploaded elements again, for comparison, after the View has changed.
HPK_CLEAN(Mirror, that_keeps_the_input) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-mirrors", 0));
  const View<double*, S> field("field", 10);
  const auto input = hpk::create_mirror(field);
  for (int i = 0; i < 10; ++i) input(i) = i;
  hpk::deep_copy(field, input);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  const auto output = hpk::create_mirror_view_and_copy(hpk::HostSpace(), field);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(output(i), 2 * input(i));
}

// A mirror that was filled once may be meant to keep those values (stale_copies.cpp).
HPK_CLEAN(Mirror, that_was_filled_once_is_not_watched) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-mirrors", 0));
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::deep_copy(mirror, field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  S().fence();
  EXPECT_EQ(mirror(1), 0);
}

HPK_BUG(MirrorBug, one_switch_turns_all_detectors_on,
        "host code reads byte 8 of stale mirror \"field_mirror\"(.|\n)*HPK_EMU_CHECK=all "
        "HPK_EMU_SEED=1 HPK_EMU_SUBGROUP=32 HPK_EMU_RACES=1 HPK_EMU_DELAY=1 HPK_EMU_MIRRORS=1 "
        "HPK_EMU_CAPTURES=1") {
  const hpk::ScopeGuard guard{hpk::InitializationSettings().set_option("emu-check", "all")};
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::deep_copy(mirror, field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  S().fence();
  EXPECT_EQ(mirror(1), 2);
}

HPK_CLEAN(Mirror, of_a_view_that_kernels_only_read) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  for (int i = 0; i < 10; ++i) mirror(i) = i;
  hpk::deep_copy(field, mirror);
  double sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy<S>(0, 10), sum_up<S>{field}, sum);
  EXPECT_EQ(sum, 45);
  EXPECT_EQ(mirror(9), 9);
}

HPK_CLEAN(Mirror, that_outlives_its_view) {
  View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), fill<S>{field});
  S().fence();
  field = {};
  EXPECT_EQ(mirror(3), 0);
}

HPK_BUG(MirrorBug, part_that_outlives_it,
        "host code accesses memory that was freed: byte 24 of what was View \"field_mirror\"") {
  const View<double*, S> field("field", 10);
  View<double*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>> part;
  part = hpk::create_mirror(field);
  if constexpr (!hpk_test::is_host<S>) part(3) = 1;
}

HPK_BUG(MirrorBug, announces_a_read_of_a_stale_one,
        "host code reads byte 0 of stale mirror \"field_mirror\": kernel \"fill\" uses View") {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = i; });
  S().fence();
  hpk::announce_host_read(mirror);
}
// All elements may be read then, as after a write of one element.
HPK_CLEAN(Mirror, announces_a_write_of_a_stale_one) {
  const View<double*, S> field("field", 1000);
  const auto mirror = hpk::create_mirror(field);
  hpk::parallel_for("fill", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { field(i) = i; });
  S().fence();
  hpk::announce_host_write(mirror);
  EXPECT_EQ(mirror(999), 0);
}

}  // namespace emu_bugs
