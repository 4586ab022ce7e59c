// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors that host code filled and never copied to their View, whose kernels read zeros. Emu
// reports them when the mirror or the View is destroyed.
#include <emu_bugs/bugs.hpp>

namespace emu_bugs {

namespace unsent_mirrors {

using hpk::View;

template <class S>
struct scale {
  View<double*, S> from, to;
  bool reads = true;
  HPK_FUNCTION void operator()(int i) const {
    if (reads) to(i) = 2 * from(i);
  }
};
template <class S>
void run(const View<double*, S>& from, const View<double*, S>& to, bool reads = true) {
  hpk::parallel_for("scale", hpk::RangePolicy<S>(0, 10), scale<S>{from, to, reads});
}
template <class V>
void fill(const V& mirror, double value = 1) {
  for (std::size_t i = 0; i < mirror.extent(0); ++i) mirror(i) = value;
}

HPK_BUG(UnsentMirrorBug, forgotten_copy_of_the_input,
        "kernel \"scale\" read View \"input\", which has held zeros since it was made; host "
        "code had filled its mirror \"input_mirror\" and never copied it: hpk::deep_copy.view, "
        "mirror.") {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror_view(input);
  fill(mirror);
  run(input, output);
  const auto result = hpk::create_mirror_view_and_copy(hpk::HostSpace(), output);
  EXPECT_GE(result(3), 0);
}

HPK_BUG(UnsentMirrorBug, that_began_as_a_copy, "kernel \"scale\" read View \"input\"") {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror_view_and_copy(hpk::HostSpace(), input);
  fill(mirror);
  run(input, output);
  S().fence();
}

HPK_BUG(UnsentMirrorBug, that_outlives_its_view, "kernel \"scale\" read View \"input\"") {
  View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror_view(input);
  fill(mirror);
  for (int k = 0; k < 2; ++k) run(input, output);
  S().fence();
  input = {};
}

// A function makes and destroys the mirror before the first kernel.
HPK_BUG(UnsentMirrorBug, that_ends_before_the_kernel, "kernel \"scale\" read View \"input\"") {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  fill(hpk::create_mirror_view(input));
  run(input, output);
  S().fence();
}
HPK_CLEAN(UnsentMirror, that_was_copied_before_it_ended) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  {
    const auto mirror = hpk::create_mirror_view(input);
    fill(mirror);
    hpk::deep_copy(input, mirror);
    fill(mirror, 2);
  }
  run(input, output);
  S().fence();
}
// A setup step uses the mirror, and the View gets its elements by other means.
HPK_CLEAN(UnsentMirror, of_a_view_that_is_filled_otherwise) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  fill(hpk::create_mirror_view(input));
  hpk::deep_copy(input, 1);
  run(input, output);
  S().fence();
  hpk::deep_copy(input, 0);
}

HPK_CLEAN(UnsentMirror, that_was_copied) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror_view(input);
  fill(mirror);
  hpk::deep_copy(input, mirror);
  run(input, output);
  S().fence();
}

// The mirror holds expected elements, which are compared and never copied.
HPK_CLEAN(UnsentMirror, that_is_compared) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto expected = hpk::create_mirror(output);
  fill(expected, 6);
  hpk::deep_copy(input, 3);
  run(input, output);
  const auto result = hpk::create_mirror_view_and_copy(hpk::HostSpace(), output);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(result(i), expected(i));
}
HPK_CLEAN(UnsentMirror, that_is_compared_with_zeros) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto tolerance = hpk::create_mirror(output);
  fill(tolerance, 1e-6);
  run(input, output);
  const auto result = hpk::create_mirror_view_and_copy(hpk::HostSpace(), output);
  for (int i = 0; i < 10; ++i) EXPECT_LT(result(i), tolerance(i));
}

// The mirror gets the values of the next step while this step's kernels run; the last values are
// unused.
HPK_CLEAN(UnsentMirror, that_is_filled_for_the_next_step) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror(input);
  fill(mirror);
  for (int k = 0; k < 3; ++k) {
    hpk::deep_copy(input, mirror);
    run(input, output);
    fill(mirror, k);
    run(input, output);
    S().fence();
  }
}

HPK_CLEAN(UnsentMirror, whose_sentinels_a_copy_overwrites) {
  const View<double*, S> output("output", 10);
  const auto result = hpk::create_mirror(output);
  fill(result, -1);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { output(i) = 0 * i; });
  hpk::deep_copy(result, output);
  EXPECT_EQ(result(3), 0);
}

// A functor captures more Views than its kernel uses, and one of them gets its elements later or
// never.
HPK_CLEAN(UnsentMirror, of_a_view_that_kernels_capture_only) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto mirror = hpk::create_mirror(input);
  fill(mirror);
  run(input, output, false);
  S().fence();
}

HPK_CLEAN(UnsentMirror, of_a_view_that_kernels_fill) {
  const View<double*, S> input("input", 10);
  const View<double*, S> output("output", 10);
  const auto reference = hpk::create_mirror(input);
  fill(reference);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { input(i) = i; });
  run(input, output);
  S().fence();
  hpk::parallel_for(hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) { input(i) = 0 * i; });
  S().fence();
}

}  // namespace unsent_mirrors

}  // namespace emu_bugs
