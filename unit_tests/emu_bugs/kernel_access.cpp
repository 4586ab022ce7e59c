// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with accesses out of bounds or to freed memory. Serial runs only accesses inside the
// memory of the process; the others would end it and run on Emu alone.
#include <emu_bugs/bugs.hpp>

#include <atomic>
#include <thread>

namespace emu_bugs {

using hpk::View;

HPK_BUG(KernelAccessBug, index_past_the_end,
        "index \\(100\\) is outside of the extents \\[100\\](.|\n)*kernel: parallel_for \"shift\" "
        "\\(at .*kernel_access.cpp:[0-9]+\\), group [0-9]+ of [0-9]+, lane") {
  const View<double*, S> field("field", 100);
  expect_error_on_host<S>([&] {
    hpk::parallel_for(
        "shift", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { field(i + 1) = i; });
    S().fence();
  });
}

HPK_CLEAN(KernelAccess, index_at_the_end) {
  const View<double*, S> field("field", 100);
  hpk::parallel_for("shift", hpk::RangePolicy<S>(0, 99), HPK_LAMBDA(int i) { field(i + 1) = i; });
  S().fence();
}

HPK_BUG(
    KernelAccessBug, index_past_the_end_of_an_anonymous_view,
    "index \\(100\\) is outside of the extents \\[100\\](.|\n)*kernel: parallel_for \"shift\"") {
  const View<double*, S> field("field", 100);
  const View<double*, hpk::AnonymousSpace> unknown = field;
  expect_error_on_host<S>([&] {
    hpk::parallel_for(
        "shift", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { unknown(i + 1) = i; });
    S().fence();
  });
}

HPK_CLEAN(KernelAccess, index_at_the_end_of_an_anonymous_view) {
  const View<double*, S> field("field", 100);
  const View<double*, hpk::AnonymousSpace> unknown = field;
  hpk::parallel_for("shift", hpk::RangePolicy<S>(0, 99), HPK_LAMBDA(int i) { unknown(i + 1) = i; });
  S().fence();
  EXPECT_EQ(hpk_test::on_host(field)(99), 98);
}

HPK_BUG(KernelAccessBug, index_below_zero, "index \\(-1\\) is outside of the extents \\[100\\]") {
  const View<double*, S> field("field", 100);
  expect_error_on_host<S>([&] {
    hpk::parallel_for(
        "shift", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { field(i - 1) = i; });
    S().fence();
  });
}

// In bounds of the memory, but not the intended element.
HPK_BUG(KernelAccessBug, column_past_the_end,
        "index \\(2, 10\\) is outside of the extents \\[10, 10\\]") {
  const View<double**, S> field("field", 10, 10);
  expect_error_on_host<S>([&] {
    hpk::parallel_for("row", hpk::RangePolicy<S>(0, 11), HPK_LAMBDA(int i) { field(2, i) = i; });
    S().fence();
  });
}

HPK_BUG(KernelAccessBug, view_without_memory,
        "accessed without memory; construct it with a label") {
  const View<double*, S> never_made;
  expect_error_on_host<S>([&] {
    hpk::parallel_for(hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int i) { never_made(i) = i; });
    S().fence();
  });
}

HPK_BUG(KernelAccessBug, pointer_past_the_end,
        "a kernel accesses memory past the end: byte [0-9]+ of View \"field\", which has 800") {
  const View<double*, S> field("field", 100);
  const View<double*, S> behind("behind", 100);
  double* data = field.data();
  if constexpr (!hpk_test::is_host<S>) {
    hpk::parallel_for("pointer", hpk::RangePolicy<S>(0, 200), HPK_LAMBDA(int i) { data[i] = i; });
    S().fence();
  }
}

HPK_CLEAN(KernelAccess, pointer_inside) {
  const View<double*, S> field("field", 100);
  double* data = field.data();
  hpk::parallel_for("pointer", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { data[i] = i; });
  EXPECT_EQ(hpk_test::on_host(field)(99), 99);
}

HPK_BUG(KernelAccessBug, memory_that_was_freed,
        "a kernel accesses memory that was freed: byte [0-9]+ of what was View \"gone\"") {
  double* data = nullptr;
  {
    const View<double*, S> gone("gone", 100);
    data = gone.data();
  }
  if constexpr (!hpk_test::is_host<S>) {
    hpk::parallel_for("late", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { data[i] = i; });
    S().fence();
  }
}

HPK_BUG(KernelAccessBug, view_that_outlives_its_owner,
        "a kernel accesses memory that was freed: byte [0-9]+ of what was View \"gone\"(.|\n)*"
        "parallel_for \"late\" .at .*kernel_access.cpp:") {
  View<double*, S, hpk::MemoryTraits<hpk::Unmanaged>> view;
  view = View<double*, S>("gone", 100);
  if constexpr (!hpk_test::is_host<S>) {
    hpk::parallel_for("late", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { view(i) = i; });
    S().fence();
  }
}

std::atomic<bool> gate{false};

// The kernel owns a share of the Views that it captured, but not of memory behind a plain pointer.
HPK_BUG(KernelAccessBug, memory_freed_while_the_kernel_was_queued,
        "a kernel accesses memory that was freed: .*\"queued\"; fence before the last View") {
  gate = hpk_test::is_host<S>;
  View<double*, S> queued("queued", 100);
  double* data = queued.data();
  hpk::parallel_for("gate", hpk::RangePolicy<S>(0, 1), [](int) {
    while (!gate) std::this_thread::yield();
  });
  hpk::parallel_for("late", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { data[i] = i; });
  queued = View<double*, S>();
  gate = true;
  S().fence();
}

HPK_CLEAN(KernelAccess, view_that_goes_away_while_the_kernel_is_queued) {
  gate = hpk_test::is_host<S>;
  View<double*, S> queued("queued", 100);
  hpk::parallel_for("gate", hpk::RangePolicy<S>(0, 1), [](int) {
    while (!gate) std::this_thread::yield();
  });
  hpk::parallel_for("late", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { queued(i) = i; });
  queued = View<double*, S>();
  gate = true;
  S().fence();
}

HPK_CLEAN(KernelAccess, memory_freed_after_a_fence) {
  {
    const View<double*, S> field("field", 100);
    double* data = field.data();
    hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { data[i] = i; });
    S().fence();
  }
  const View<double*, S> other("other", 100);
}

}  // namespace emu_bugs
