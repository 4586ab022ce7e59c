// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencil sweeps with MDRangePolicy: five points in two dimensions, seven points in three with
// given tiles and orders of iteration, Views swapped between sweeps, reductions over boxes.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

using grid2 = Kokkos::View<double**>;
using grid3 = Kokkos::View<long***>;

// The seven-point stencil with one functor for all orders of iteration; tags name the steps.
struct SevenPoint {
  struct Start {};
  struct Sweep {};

  grid3 from, to;
  int nx, ny, nz;

  KOKKOS_INLINE_FUNCTION void operator()(Start, const int i, const int j, const int k) const {
    from(i, j, k) = (i * 7 + j * 5 + k * 3) % 11 - 5;
    to(i, j, k) = from(i, j, k);
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Sweep&, const int i, const int j,
                                         const int k) const {
    to(i, j, k) = from(i - 1, j, k) + from(i + 1, j, k) + from(i, j - 1, k) + from(i, j + 1, k) +
                  from(i, j, k - 1) + from(i, j, k + 1) - 6 * from(i, j, k);
  }
};

bool check(bool ok, const char* what) {
  if (!ok) std::printf("FAILED: %s\n", what);
  return ok;
}

// Weights are powers of two and the start is integer, so ten sweeps stay exact in a double.
bool five_point() {
  const int nx = 37, ny = 29, sweeps = 10;
  grid2 a("a", nx, ny), b("b", nx, ny);
  Kokkos::parallel_for(
      "start", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {nx, ny}),
      KOKKOS_LAMBDA(const int i, const int j) { a(i, j) = (i * i + 3 * j) % 64; });
  Kokkos::deep_copy(b, a);  // the rim never changes
  for (int s = 0; s < sweeps; ++s) {
    Kokkos::parallel_for(
        "five points", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({1, 1}, {nx - 1, ny - 1}, {8, 4}),
        KOKKOS_LAMBDA(const int i, const int j) {
          b(i, j) = 0.5 * a(i, j) + 0.125 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        });
    std::swap(a, b);
  }

  std::vector<double> from(nx * ny), to;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) from[i * ny + j] = (i * i + 3 * j) % 64;
  to = from;
  for (int s = 0; s < sweeps; ++s) {
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j) {
        const int c = i * ny + j;
        to[c] = 0.5 * from[c] + 0.125 * (from[c - ny] + from[c + ny] + from[c - 1] + from[c + 1]);
      }
    from.swap(to);
  }
  auto h_a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  bool ok = true;
  double sum = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      ok &= h_a(i, j) == from[i * ny + j];
      sum += from[i * ny + j];
    }
  ok = check(ok, "five-point sweeps");

  // All terms are multiples of 2^-30 and the sum is below 2^20: any order gives the same sum.
  double device_sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::MDRangePolicy({0, 0}, {nx, ny}),
      KOKKOS_LAMBDA(const int i, const int j, double& update) { update += a(i, j); }, device_sum);
  ok &= check(device_sum == sum, "sum over the grid");
  std::printf("2D: sum %.6f, middle %.6f\n", device_sum, h_a(nx / 2, ny / 2));
  return ok;
}

template <class Policy>
bool seven_point(const Policy& sweep, const char* name, SevenPoint functor, int sweeps,
                 const std::vector<long>& expected) {
  using start_policy = Kokkos::MDRangePolicy<SevenPoint::Start, Kokkos::Rank<3>>;
  const int nx = functor.nx, ny = functor.ny, nz = functor.nz;
  Kokkos::parallel_for("start", start_policy({0, 0, 0}, {nx, ny, nz}), functor);
  for (int s = 0; s < sweeps; ++s) {
    Kokkos::parallel_for(name, sweep, functor);
    std::swap(functor.from, functor.to);
  }
  auto result = Kokkos::create_mirror_view(functor.from);
  Kokkos::deep_copy(result, functor.from);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        if (result(i, j, k) != expected[(i * ny + j) * nz + k]) return check(false, name);
  return true;
}

bool three_dimensions() {
  const int nx = 13, ny = 10, nz = 17, sweeps = 4;
  std::vector<long> from(nx * ny * nz), to;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) from[(i * ny + j) * nz + k] = (i * 7 + j * 5 + k * 3) % 11 - 5;
  to = from;
  for (int s = 0; s < sweeps; ++s) {
    for (int i = 1; i < nx - 1; ++i)
      for (int j = 1; j < ny - 1; ++j)
        for (int k = 1; k < nz - 1; ++k) {
          const int c = (i * ny + j) * nz + k;
          to[c] = from[c - ny * nz] + from[c + ny * nz] + from[c - nz] + from[c + nz] +
                  from[c - 1] + from[c + 1] - 6 * from[c];
        }
    from.swap(to);
  }

  SevenPoint functor{grid3("from", nx, ny, nz), grid3("to", nx, ny, nz), nx, ny, nz};
  using Kokkos::Iterate;
  using tag = SevenPoint::Sweep;
  using space = Kokkos::DefaultExecutionSpace;
  const Kokkos::Array<long, 3> low = {1, 1, 1}, high = {nx - 1, ny - 1, nz - 1};
  bool ok = true;
  ok &=
      seven_point(Kokkos::MDRangePolicy<Kokkos::Rank<3>, tag>({1, 1, 1}, {nx - 1, ny - 1, nz - 1}),
                  "seven points, tiles left to the library", functor, sweeps, from);
  ok &= seven_point(Kokkos::MDRangePolicy<space, Kokkos::Rank<3, Iterate::Left, Iterate::Left>,
                                          Kokkos::IndexType<int>, tag>(
                        {1, 1, 1}, {nx - 1, ny - 1, nz - 1}, {4, 4, 4}),
                    "seven points, left order and small tiles", functor, sweeps, from);
  ok &= seven_point(Kokkos::MDRangePolicy<Kokkos::Rank<3, Iterate::Right, Iterate::Left>, tag,
                                          Kokkos::IndexType<long>>(low, high, {{3, 5, 8}}),
                    "seven points, mixed orders and odd tiles", functor, sweeps, from);
  ok &= seven_point(Kokkos::MDRangePolicy<Kokkos::Rank<3, Iterate::Right, Iterate::Right>, tag,
                                          Kokkos::Schedule<Kokkos::Dynamic>>(low, high),
                    "seven points, right order and dynamic schedule", functor, sweeps, from);

  // An even number of sweeps: the copy of the functor here has the result in `from`.
  const grid3 last = functor.from;
  Kokkos::MinMaxScalar<long> range;
  Kokkos::parallel_reduce(
      "range", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {nx, ny, nz}),
      KOKKOS_LAMBDA(const int i, const int j, const int k, Kokkos::MinMaxScalar<long>& update) {
        const long value = last(i, j, k);
        if (value < update.min_val) update.min_val = value;
        if (value > update.max_val) update.max_val = value;
      },
      Kokkos::MinMax<long>(range));
  const auto expected = std::minmax_element(from.begin(), from.end());
  ok &= check(range.min_val == *expected.first && range.max_val == *expected.second, "range");
  std::printf("3D: from %ld to %ld after %d sweeps\n", range.min_val, range.max_val, sweeps);
  return ok;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const bool flat = five_point();
  const bool deep = three_dimensions();
  if (flat && deep) std::printf("all checks passed\n");
  return flat && deep ? 0 : 1;
}
