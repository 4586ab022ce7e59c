// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over user-defined value types: operator+= with a specialised reduction_identity, a
// reducer class, a functor with init, join and final, and old functors that join volatile
// references.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <limits>

// Sum of values, sum of squares and count.
struct Moments {
  double sum, squares;
  long count;
  KOKKOS_INLINE_FUNCTION Moments() : sum(0), squares(0), count(0) {}
  KOKKOS_INLINE_FUNCTION explicit Moments(double x) : sum(x), squares(x * x), count(1) {}
  KOKKOS_INLINE_FUNCTION void operator+=(const Moments& other) {
    sum += other.sum, squares += other.squares, count += other.count;
  }
  bool operator==(const Moments&) const = default;
};

namespace Kokkos {
template <>
struct reduction_identity<Moments> {
  KOKKOS_FORCEINLINE_FUNCTION static Moments sum() { return Moments(); }
};
}  // namespace Kokkos

// The value of largest magnitude, with its index; the lower index wins.
struct Peak {
  double value;
  int index;
  KOKKOS_INLINE_FUNCTION bool beats(const Peak& o) const {
    const double a = Kokkos::fabs(value), b = Kokkos::fabs(o.value);
    return a > b || (a == b && index < o.index);
  }
  bool operator==(const Peak&) const = default;
};

template <class Space = Kokkos::HostSpace>
struct MaxAbs {
  using reducer = MaxAbs;
  using value_type = Peak;
  using result_view_type = Kokkos::View<value_type, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_INLINE_FUNCTION explicit MaxAbs(value_type& value) : view_(&value), scalar_(true) {}
  KOKKOS_INLINE_FUNCTION explicit MaxAbs(const result_view_type& v) : view_(v), scalar_(false) {}
  KOKKOS_INLINE_FUNCTION void join(value_type& dest, const value_type& src) const {
    if (src.beats(dest)) dest = src;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const { v = Peak{0.0, 1 << 30}; }
  KOKKOS_INLINE_FUNCTION value_type& reference() const { return *view_.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return view_; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return scalar_; }
  result_view_type view_;
  bool scalar_;
};

// Euclidean norm: init and join are spelled out, final takes the root.
struct Norm {
  using value_type = double;
  Kokkos::View<const double*> x;
  KOKKOS_FUNCTION void operator()(int i, double& update) const { update += x(i) * x(i); }
  KOKKOS_FUNCTION void init(double& update) const { update = 0; }
  KOKKOS_FUNCTION void join(double& update, const double& other) const { update += other; }
  KOKKOS_FUNCTION void final(double& update) const { update = Kokkos::sqrt(update); }
};

// As functors were written years ago: join through volatile references.
template <class DeviceType>
struct OldMax {
  typedef DeviceType execution_space;
  typedef double value_type;
  Kokkos::View<const double*, DeviceType> x;

  KOKKOS_INLINE_FUNCTION void operator()(const int& i, value_type& update) const {
    if (x(i) > update) update = x(i);
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& update) const { update = -1.0e30; }
  KOKKOS_INLINE_FUNCTION void join(volatile double& update, const volatile double& other) const {
    if (other > update) update = other;
  }
};

struct OldSum {
  typedef long value_type;
  KOKKOS_INLINE_FUNCTION void operator()(int i, long& update) const { update += i % 4; }
  KOKKOS_INLINE_FUNCTION static void init(volatile long& update) { update = 0; }
  KOKKOS_INLINE_FUNCTION static void join(volatile long& d, volatile long const& s) { d = d + s; }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int bad = 0;
  auto check = [&bad](bool ok, const char* what) {
    if (!ok) std::printf("FAILED: %s\n", what);
    bad += !ok;
  };
  const int n = 4321;
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { x(i) = (i * 37 + 50) % 101 - 160.0; });
  Moments expected;
  Peak peak{0.0, 1 << 30};
  double max = -1.0e30;
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    const double xi = (i * 37 + 50) % 101 - 160.0;
    expected += Moments(xi);
    if (std::fabs(xi) > std::fabs(peak.value)) peak = Peak{xi, i};
    if (xi > max) max = xi;
    sum += i % 4;
  }
  Moments plain;
  Kokkos::parallel_reduce(n, KOKKOS_LAMBDA(int i, Moments& m) { m += Moments(x(i)); }, plain);
  check(plain == expected, "default join with operator+=");
  Moments summed(5.0);
  Kokkos::parallel_reduce(
      "moments", Kokkos::RangePolicy<>(0, n),
      KOKKOS_LAMBDA(const int i, Moments& m) { m += Moments(x(i)); }, Kokkos::Sum<Moments>(summed));
  check(summed == expected, "Sum<Moments>");
  std::printf("sum %.0f, squares %.0f\n", summed.sum, summed.squares);
  auto largest = KOKKOS_LAMBDA(const int i, Peak& p) {
    const Peak mine{x(i), i};
    if (mine.beats(p)) p = mine;
  };
  Peak found{1.0e9, 7}, copied{};
  Kokkos::parallel_reduce("peak", n, largest, MaxAbs<>(found));
  check(found == peak, "own reducer, scalar");
  using DeviceMemory = Kokkos::DefaultExecutionSpace::memory_space;
  Kokkos::View<Peak, DeviceMemory> d_peak("peak");
  Kokkos::parallel_reduce("peak", n, largest, MaxAbs<DeviceMemory>(d_peak));
  Kokkos::deep_copy(copied, d_peak);
  check(copied == peak, "own reducer, View");
  std::printf("largest |x| is %.0f at %d\n", copied.value, copied.index);
  double norm = 0;
  Kokkos::parallel_reduce("norm", n, Norm{x}, norm);
  // The sum of squares is an exact integer; only the square root rounds, and by one ulp at most.
  const double root = std::sqrt(expected.squares);
  check(std::fabs(norm - root) <= root * std::numeric_limits<double>::epsilon(), "init/join/final");

  double old_max = 0;
  Kokkos::parallel_reduce(n, OldMax<Kokkos::DefaultExecutionSpace>{x}, old_max);
  check(old_max == max, "volatile join");
  long old_sum = -1;
  Kokkos::parallel_reduce("old sum", n, OldSum(), old_sum);
  check(old_sum == sum, "static volatile init and join");
  std::printf("max %.0f, sum %ld\n", old_max, old_sum);
  return bad == 0 ? 0 : 1;
}
