// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in Kokkos' spelling, written once and compiled twice: with Kokkos, and with hpk's
// drop-in. Each kernel reports a number that depends on its results and must be equal on both
// sides, and is timed. Names and sizes are those of hpk_bench if the work is the same, so that both
// appear in one row of its table.
#pragma once

#include <Kokkos_Core.hpp>

#include "../sampling.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

namespace kernels {

using index_t = std::int64_t;

/// The object that the setup of a kernel uses to report and time it.
class measurement {
 public:
  /// Reports a number that depends on the kernel's results.
  void computed(double value) { computed_ = value; }
  /// Times f(), which launches the kernel; times nothing if plan::check_only is set.
  template <class F>
  void time(const F& f) {
    const bench::side calls(f);
    seconds_ = bench::current_plan().check_only ? 0 : calls.batch(calls.calibrate());
  }

  double value() const { return computed_; }
  double seconds() const { return seconds_; }

 private:
  double computed_ = 0;
  double seconds_ = 0;
};

/// Adds the kernel "topic/space/variant/n". setup(measurement&) runs if the kernel is selected.
void add(const std::string& topic, const std::string& space, const std::string& variant, index_t n,
         std::function<void(measurement&)> setup);

void add_patterns();
void add_teams();
void add_views();
void add_containers();

/// Calls make(space) for the default host space and, unless it is Serial, for Serial.
template <class Make>
void for_each_space(const Make& make) {
  using standard = Kokkos::DefaultHostExecutionSpace;
  make(standard());
#if defined(KOKKOS_ENABLE_SERIAL) && HPK_KERNELS_ON_SERIAL
  if constexpr (!std::is_same_v<standard, Kokkos::Serial>) make(Kokkos::Serial());
#endif
}

template <class Space, class T = double>
using row = Kokkos::View<T*, Space>;

/// Returns n numbers from 1 to `modulus`.
template <class Space, class T = double>
row<Space, T> integers(index_t n, int modulus) {
  const row<Space, T> x("integers", n);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(index_t i) { x(i) = static_cast<T>(i % modulus + 1); });
  return x;
}

/// Returns the sum of f(i) * (i % 13 + 1), which depends on the order of the numbers.
template <class Space, class F>
double weighted_sum(index_t n, const F& f) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Space>(0, n),
      KOKKOS_LAMBDA(index_t i, double& update) {
        update += static_cast<double>(f(i)) * static_cast<double>(i % 13 + 1);
      },
      sum);
  return sum;
}
template <class Space, class T>
double weighted_sum(const row<Space, T>& x) {
  return weighted_sum<Space>(
      static_cast<index_t>(x.size()), KOKKOS_LAMBDA(index_t i) { return x(i); });
}

}  // namespace kernels
