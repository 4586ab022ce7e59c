// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steady heat in a plate by Jacobi sweeps: the sweep returns its largest change through a Max
// reducer, the plate is staged between host and device with mirrors, in the style of Kokkos 3.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

template <class Device>
struct Plate {
  typedef Kokkos::View<double**, Device> device_plate;
  typedef typename device_plate::HostMirror host_plate;

  device_plate now, next;
  host_plate staged;

  Plate(int nx, int ny)
      : now("now", nx, ny),
        next(Kokkos::ViewAllocateWithoutInitializing("next"), nx, ny),
        staged(Kokkos::create_mirror_view(now)) {}

  void to_device() {
    Kokkos::deep_copy(now, staged);
    Kokkos::deep_copy(next, now);
  }
  void to_host() { Kokkos::deep_copy(staged, now); }
};

// One sweep over the inner points; the value reduced is the largest change.
template <class Device>
struct JacobiSweep {
  typedef Device device_type;
  typedef typename Device::execution_space execution_space;
  typedef double value_type;
  typedef Kokkos::View<const double**, Device> const_plate;

  const_plate from;
  Kokkos::View<double**, Device> to;

  JacobiSweep(const const_plate& from_, const Kokkos::View<double**, Device>& to_)
      : from(from_), to(to_) {}

  KOKKOS_INLINE_FUNCTION
  void operator()(const int i, const int j, double& largest) const {
    const double value = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1));
    const double change = Kokkos::fabs(value - from(i, j));
    to(i, j) = value;
    if (change > largest) largest = change;
  }
};

// The hottest point and its place, with init and join in the functor as in older programs.
template <class Device>
struct Hottest {
  typedef typename Device::execution_space execution_space;
  struct Spot {
    double heat;
    int place;
  };
  typedef Spot value_type;

  Kokkos::View<const double**, Device> plate;
  int ny;

  KOKKOS_INLINE_FUNCTION void operator()(const int k, value_type& best) const {
    const value_type here = {plate(k / ny, k % ny), k};
    join(best, here);
  }
  KOKKOS_INLINE_FUNCTION void join(value_type& best, const value_type& other) const {
    const bool first = other.heat == best.heat && other.place < best.place;
    if (other.heat > best.heat || first) best = other;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& best) const {
    best.heat = -1;
    best.place = -1;
  }
};

static double rim(int i, int j, int nx, int ny) {
  if (i == 0) return 100.0 * j / (ny - 1);
  if (i == nx - 1) return 20.0;
  if (j == 0) return 20.0 * i / (nx - 1);
  return 100.0 - 80.0 * i / (nx - 1);
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  int failures = 0;
  {
    typedef Kokkos::Device<Kokkos::DefaultExecutionSpace,
                           Kokkos::DefaultExecutionSpace::memory_space>
        device;
    typedef Kokkos::MDRangePolicy<device::execution_space, Kokkos::Rank<2>> box;
    const int nx = 22, ny = 26, report = 100, limit = 3000;
    const double tolerance = 1e-3;

    Plate<device> plate(nx, ny);
    std::vector<double> from(nx * ny, 0.0);
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j) {
        const bool inside = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
        plate.staged(i, j) = from[i * ny + j] = inside ? 0.0 : rim(i, j, nx, ny);
      }
    std::vector<double> to = from;
    plate.to_device();

    // Device and host sweep in step; the host checks the middle every `report` sweeps.
    int sweeps = 0;
    double change = 2 * tolerance, host_change = change;
    while (change > tolerance && sweeps < limit) {
      Kokkos::parallel_reduce("sweep", box({1, 1}, {nx - 1, ny - 1}),
                              JacobiSweep<device>(plate.now, plate.next),
                              Kokkos::Max<double>(change));
      std::swap(plate.now, plate.next);
      ++sweeps;

      host_change = 0;
      for (int i = 1; i < nx - 1; ++i)
        for (int j = 1; j < ny - 1; ++j) {
          const int c = i * ny + j;
          to[c] = 0.25 * (from[c - ny] + from[c + ny] + from[c - 1] + from[c + 1]);
          host_change = std::max(host_change, std::abs(to[c] - from[c]));
        }
      from.swap(to);
      // A device may fuse multiplication and addition: a few units in the last place of 100.
      if (std::abs(change - host_change) > 1e-11) {
        std::printf("FAILED: largest change of sweep %d\n", sweeps);
        ++failures;
        break;
      }
      if (sweeps % report == 0) {
        plate.to_host();
        std::printf("after %3d sweeps: middle %.4f, change %.2e\n", sweeps,
                    plate.staged(nx / 2, ny / 2), change);
      }
    }
    if (change > tolerance) {
      std::printf("FAILED: no convergence\n");
      ++failures;
    }

    plate.to_host();
    double difference = 0;
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        difference = std::max(difference, std::abs(plate.staged(i, j) - from[i * ny + j]));
    if (difference > 1e-10) {  // rounding as above; the sweeps average and do not magnify it
      std::printf("FAILED: temperatures differ\n");
      ++failures;
    }
    std::printf("converged after %d sweeps\n", sweeps);

    Hottest<device>::Spot spot = {0, 0};
    Hottest<device> hottest;
    hottest.plate = plate.now;
    hottest.ny = ny;
    Kokkos::parallel_reduce("hottest", nx * ny, hottest, spot);
    const int expected =
        static_cast<int>(std::max_element(from.begin(), from.end()) - from.begin());
    if (spot.place != expected || spot.heat != 100.0) {
      std::printf("FAILED: hottest point\n");
      ++failures;
    }
    std::printf("hottest: %.1f at (%d, %d)\n", spot.heat, spot.place / ny, spot.place % ny);

    // A copy of the plate on the host, by create_mirror, that the sweep does not change.
    Plate<device>::host_plate frozen = Kokkos::create_mirror(plate.now);
    Kokkos::deep_copy(frozen, plate.now);
    const double before = frozen(1, 1);
    Kokkos::deep_copy(plate.now, 7.0);
    plate.to_host();
    if (frozen(1, 1) != before || plate.staged(1, 1) != 7.0) {
      std::printf("FAILED: create_mirror shares memory or the copy is missing\n");
      ++failures;
    }
  }
  Kokkos::finalize();
  if (failures == 0) std::printf("all checks passed\n");
  return failures == 0 ? 0 : 1;
}
