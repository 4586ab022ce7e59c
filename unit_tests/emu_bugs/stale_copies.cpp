// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors that were copied to once and that a later step reads without another copy. Found by
// default if host code has read the copy before the step, and always with emu-mirrors.
#include <emu_bugs/bugs.hpp>

#include <cstdio>

namespace emu_bugs {

namespace stale_copies {

using hpk::View;

template <class S, class T = double>
struct add {
  View<T*, S> field;
  int first = 0;
  HPK_FUNCTION void operator()(int i) const {
    if (i >= first) field(i) += 1;
  }
};
// Changes the elements from `first` on.
template <class S, class T>
void step(const View<T*, S>& field, int first = 0) {
  hpk::parallel_for("step", hpk::RangePolicy<S>(0, field.extent(0)), add<S, T>{field, first});
}
template <class V>
double sum_of(const V& mirror) {
  double sum = 0;
  for (std::size_t i = 0; i < mirror.extent(0); ++i) sum += static_cast<double>(mirror(i));
  return sum;
}

HPK_BUG(
    StaleCopyBug, second_step_of_a_loop,
    "host code reads byte 0 of stale mirror \"field_mirror\": it was copied before kernel "
    "\"step\", and View \"field\" has changed since; copy again: hpk::deep_copy.mirror, view.") {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::deep_copy(mirror, field);
  for (int k = 0; k < 2; ++k) {
    step(field);
    S().fence();
    EXPECT_GE(sum_of(mirror), 0);
  }
}

HPK_BUG(StaleCopyBug, read_before_and_after_a_kernel, "byte 24 of stale mirror \"field\"") {
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), field);
  EXPECT_EQ(mirror(3), 0);
  step(field);
  hpk::fence();
  EXPECT_GE(mirror(3), 0);
}

HPK_BUG(StaleCopyBug, of_many_pages, "byte 798400 of stale mirror \"field_mirror\"") {
  const View<double*, S> field("field", 100000);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(sum_of(mirror), 0);
  step(field, 99800);
  S().fence();
  EXPECT_GE(mirror(99800), 0);
}

// The boundary keeps its values, so the first elements that are read have not changed.
HPK_BUG(StaleCopyBug, whose_first_elements_have_not_changed,
        "byte 64 of stale mirror \"field_mirror\"") {
  const View<double*, S> field("field", 100);
  const auto mirror = hpk::create_mirror_view(field);
  for (int k = 0; k < 3; ++k) {
    if (k != 1) hpk::deep_copy(mirror, field);
    EXPECT_GE(sum_of(mirror), 0);
    step(field, 8);
    S().fence();
  }
}

HPK_BUG(StaleCopyBug, kernel_after_a_kernel, "stale mirror \"field_mirror\"") {
  const View<int*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  step(field);
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(mirror(0), 1);
  step(field);
  step(field);
  S().fence();
  EXPECT_GE(mirror(0), 1);
}

HPK_BUG(StaleCopyBug, that_was_not_read_before_with_the_setting,
        "stale mirror \"field_mirror\"(.|\n)*HPK_EMU_MIRRORS=1") {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  hpk::deep_copy(mirror, field);
  step(field);
  S().fence();
  EXPECT_GE(mirror(1), 0);
}

HPK_CLEAN(StaleCopy, that_is_copied_again) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror_view(field);
  for (int k = 0; k < 3; ++k) {
    step(field);
    hpk::deep_copy(mirror, field);
    EXPECT_EQ(sum_of(mirror), 10 * (k + 1));
  }
}

// The old elements are compared with the new ones.
HPK_CLEAN(StaleCopy, that_is_compared_with_the_next) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto before = hpk::create_mirror(field);
  const auto after = hpk::create_mirror(field);
  hpk::deep_copy(before, field);
  EXPECT_EQ(sum_of(before), 0);
  for (int k = 0; k < 3; ++k) {
    step(field);
    S().fence();
    hpk::deep_copy(after, field);
    EXPECT_EQ(sum_of(after) - sum_of(before), 10 * (k + 1));
  }
  double first = 0;
  hpk::deep_copy(first, hpk::subview(field, 0));
  EXPECT_EQ(first - before(0), 3);
}

HPK_CLEAN(StaleCopy, that_is_an_unread_snapshot) {
  const hpk::ScopeGuard by_default(hpk::InitializationSettings().set_option("emu-mirrors", 0));
  const View<double*, S> field("field", 10);
  const auto start = hpk::create_mirror(field);
  hpk::deep_copy(start, field);
  step(field);
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i, double& s) { s += field(i); }, sum);
  EXPECT_EQ(sum - sum_of(start), 10);
}

HPK_CLEAN(StaleCopy, that_host_code_changed) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  step(field);
  hpk::deep_copy(mirror, field);
  mirror(0) *= 2;
  EXPECT_EQ(sum_of(mirror), 11);
  step(field);
  S().fence();
  EXPECT_EQ(sum_of(mirror), 11);
}

HPK_CLEAN(StaleCopy, that_is_put_out_while_the_next_kernel_runs) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  for (int k = 0; k < 3; ++k) {
    hpk::deep_copy(mirror, field);
    EXPECT_EQ(mirror(0), k);
    step(field);
    EXPECT_EQ(sum_of(mirror), 10 * k);
    S().fence();
  }
}

HPK_CLEAN(StaleCopy, of_a_view_that_kernels_only_read) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::deep_copy(mirror, field);
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i, double& s) { s += field(i); }, sum);
    EXPECT_EQ(sum, sum_of(mirror));
  }
}

// Constant elements, such as a header, before elements that change.
HPK_CLEAN(StaleCopy, whose_constant_elements_are_read) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::deep_copy(mirror, field);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(mirror(0) + mirror(4), 0);
    step(field, 5);
    S().fence();
  }
}

HPK_CLEAN(StaleCopy, that_goes_back) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto checkpoint = hpk::create_mirror(field);
  hpk::deep_copy(checkpoint, field);
  EXPECT_EQ(sum_of(checkpoint), 0);
  for (int k = 0; k < 2; ++k) {
    step(field);
    S().fence();
    hpk::deep_copy(field, checkpoint);
    EXPECT_EQ(checkpoint(9), 0);
  }
}

// System calls may access the pages of an up-to-date mirror.
HPK_CLEAN(StaleCopy, that_a_file_gets) {
  const mirrors_watched on;
  const View<double*, S> field("field", 100000);
  const auto mirror = hpk::create_mirror(field);
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  std::setvbuf(file, nullptr, _IONBF, 0);
  for (int k = 0; k < 2; ++k) {
    step(field);
    hpk::deep_copy(mirror, field);
    EXPECT_EQ(mirror(7), k + 1);
    double sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<S>(0, 100000), HPK_LAMBDA(int i, double& s) { s += field(i); }, sum);
    EXPECT_EQ(std::fwrite(mirror.data(), sizeof(double), mirror.size(), file), mirror.size());
    std::rewind(file);
    EXPECT_EQ(std::fread(mirror.data(), sizeof(double), mirror.size(), file), mirror.size());
    EXPECT_EQ(sum_of(mirror), sum);
    std::rewind(file);
  }
  std::fclose(file);
}

// A part of the mirror is newer than the rest.
HPK_CLEAN(StaleCopy, of_which_a_part_was_copied_again) {
  const mirrors_watched on;
  const View<double*, S> field("field", 10);
  const auto mirror = hpk::create_mirror(field);
  hpk::deep_copy(mirror, field);
  EXPECT_EQ(mirror(9), 0);
  step(field);
  const auto half = hpk::pair<int, int>(0, 5);
  hpk::deep_copy(hpk::subview(mirror, half), hpk::subview(field, half));
  step(field);
  S().fence();
  EXPECT_EQ(sum_of(mirror), 5);
}

}  // namespace stale_copies

}  // namespace emu_bugs
