// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that compute with memory or scratch that was never set. Serial reads an arbitrary number
// there, as GPUs do.
#include <emu_bugs/bugs.hpp>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cmath>
#include <cstdint>
#include <limits>

namespace emu_bugs {

using hpk::View;
using hpk::WithoutInitializing;

// The processor's conversion of a number that may be out of int's range, where C++ defines no
// result.
int converted(double number) {
#ifdef __SSE2__
  return _mm_cvttsd_si32(_mm_set_sd(number));
#else
  return number < 1e9 ? static_cast<int>(number) : std::numeric_limits<int>::min();
#endif
}

// Returns a View in which every third element is unset.
template <class T, class S>
View<T*, S> partly_set() {
  const View<T*, S> field(hpk::view_alloc("field", WithoutInitializing), 100);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        if (i % 3 != 2) field(i) = static_cast<T>(i);
      });
  S().fence();
  return field;
}

// Scratch with one number per lane; each lane adds the next lane's number.
template <class T, class S>
void add_neighbours(bool set) {
  const View<T*, S> sums("sums", 128);
  launch<S>({.groups = 2, .lanes = 64, .scratch = {64 * sizeof(T), 0}}, [=](lane_of<S>& lane) {
    const int me = lane.lane_index();
    T* const numbers = reinterpret_cast<T*>(lane.scratch(0));
    if (set || me % 5 != 0) numbers[me] = static_cast<T>(me);
    lane.barrier();
    sums(lane.group() * 64 + me) = static_cast<T>(me) + numbers[(me + 1) % lane.lanes()];
  });
  const T expected = lane_of<S>::single ? 0 : 1;
  EXPECT_TRUE(!set || hpk_test::on_host(sums)(0) == expected);
}

HPK_CLEAN(Uninitialized, scratch_that_is_set_behind_a_barrier) {
  add_neighbours<double, S>(true);
  add_neighbours<float, S>(true);
}

HPK_CLEAN(Uninitialized, elements_that_were_set) {
  const View<double*, S> field = partly_set<double, S>();
  const View<float*, S> small = partly_set<float, S>();
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 100),
      HPK_LAMBDA(int i, double& s) {
        if (i % 3 != 2) s += 0.5 * field(i) + 0.5 * static_cast<double>(small(i));
      },
      sum);
  EXPECT_EQ(sum, 3300);
}

HPK_CLEAN(Uninitialized, copies_of_elements_that_were_not_set) {
  const View<double*, S> field = partly_set<double, S>();
  const View<double*, S> same("same", 100);
  const View<float*, S> small = partly_set<float, S>();
  const View<float*, S> same_small("same_small", 100);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
        same(i) = field(i);
        same_small(i) = small(i);
      });
  hpk::deep_copy(field, same);
  EXPECT_EQ(hpk_test::on_host(same)(1), 1);
  EXPECT_EQ(hpk_test::on_host(same_small)(1), 1);
}

// NaNs that the kernel itself computes, and numbers too large for integers, with stale elements in
// registers.
HPK_CLEAN(Uninitialized, operations_that_are_invalid_for_another_reason) {
  const View<double*, S> field = partly_set<double, S>();
  const View<double*, S> moved("moved", 100);
  const View<double**, S> results("results", 100, 5);
  const View<float*, S> small("small", 100);
  for (int round = 0; round < 3; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) {
          moved(i) = field(i);
          const double zero = results(i, 0) * 0;
          results(i, 0) = 0;
          results(i, 1) = zero / zero;
          results(i, 2) = std::sqrt(zero - 1);
          results(i, 3) = converted(1e30 + zero);
          results(i, 4) = std::numeric_limits<double>::infinity() * zero < 1 ? 1 : 2;
          small(i) = static_cast<float>(results(i, 1)) + 1;
        });
  }
  const auto found = hpk_test::on_host(results);
  const auto found_small = hpk_test::on_host(small);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(std::isnan(found(i, 1)));
    EXPECT_TRUE(std::isnan(found(i, 2)));
    EXPECT_EQ(found(i, 3), std::numeric_limits<int>::min());
    EXPECT_EQ(found(i, 4), 2);
    EXPECT_TRUE(std::isnan(found_small(i)));
  }
}

#if HPK_HAS_TRAPPING_MATH

constexpr const char* nobody = "a kernel computes with an uninitialised value";

HPK_BUG(UninitializedBug, uninitialised_view_read,
        std::string(nobody) + "(.|\n)*kernel: parallel_for \"double it\"(.|\n)*replay: ") {
  const View<double*, S> field = partly_set<double, S>();
  const View<double*, S> twice("twice", 100);
  hpk::parallel_for(
      "double it", hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { twice(i) = 2 * field(i); });
  S().fence();
}

HPK_BUG(UninitializedBug, uninitialised_view_read_of_floats, nobody) {
  const View<float*, S> field = partly_set<float, S>();
  const View<float*, S> twice("twice", 100);
  hpk::parallel_for(hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { twice(i) = 2 * field(i); });
  S().fence();
}

HPK_BUG(UninitializedBug, comparison_with_an_element_that_was_not_set, nobody) {
  const View<float*, S> field = partly_set<float, S>();
  const View<int*, S> large("large", 100);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i) { large(i) = field(i) > 10 ? 1 : 0; });
  S().fence();
}

HPK_BUG(UninitializedBug, sum_of_elements_that_were_not_set, nobody) {
  const View<double*, S> field = partly_set<double, S>();
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<S>(0, 100), HPK_LAMBDA(int i, double& s) { s += field(i); }, sum);
}

// Detection continues after a lane that continued without traps.
HPK_BUG(UninitializedBug, behind_an_operation_that_is_invalid_for_another_reason, nobody) {
  const View<double*, S> field = partly_set<double, S>();
  const View<double*, S> zeros("zeros", 100);
  const View<double*, S> results("results", 100);
  launch<S>({.groups = 1, .lanes = 100}, [=](lane_of<S>& lane) {
    const int i = lane.lane_index();
    results(i) = i % 3 != 2 ? zeros(i) / zeros(i) : field(i) * 2;
  });
}

HPK_BUG(UninitializedBug, uninitialised_scratch_read, nobody) { add_neighbours<double, S>(false); }
HPK_BUG(UninitializedBug, uninitialised_scratch_read_of_floats, nobody) {
  add_neighbours<float, S>(false);
}

// An instruction with a memory operand reveals the element.
HPK_BUG(UninitializedBug, place_of_the_element,
        std::string(nobody) + ": byte 16 of View \"field\"") {
  const View<double*, S> field = partly_set<double, S>();
  launch<S>({.groups = 1, .lanes = 1}, [=](lane_of<S>&) {
    double sum = 1;
    const double* const forgotten = &field(0);
    asm volatile("addsd 16(%1), %0" : "+x"(sum) : "r"(forgotten));
    field(0) = sum;
  });
}
HPK_BUG(UninitializedBug, place_in_scratch,
        std::string(nobody) + ": byte 24 of the scratch of its group") {
  launch<S>({.groups = 1, .lanes = 1, .scratch = {64, 0}}, [=](lane_of<S>& lane) {
    double sum = 1;
    asm volatile("mulsd (%1,%2,8), %0" : "+x"(sum) : "r"(lane.scratch(0) + 8), "r"(2L));
  });
}

#endif

}  // namespace emu_bugs
