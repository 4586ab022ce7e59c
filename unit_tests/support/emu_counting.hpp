// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the counts of Emu for the launches of a test, and defines kernels with known counts.
#pragma once

#include <hpk/core.hpp>
#include <hpk/seam/device_profile.hpp>

#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace hpk_test::emu_counts {

/// The launches and copies that Emu has reported since the last `counting` began.
inline std::vector<hpk::seam::launch_counts> launches;
inline std::vector<hpk::seam::copy_counts> copies;

/// Initializes hpk and counts launches and copies of Emu during its lifetime.
class counting {
 public:
  explicit counting(int seed = 0, int threads = 1) {
    launches.clear();
    copies.clear();
    profile_.on_launch = [](const hpk::seam::launch_counts& c) { launches.push_back(c); };
    profile_.on_copy = [](const hpk::seam::copy_counts& c) { copies.push_back(c); };
    hpk::seam::current_device_profile.store(&profile_, hpk::detail::memory_order::release);
    guard_.emplace(
        hpk::InitializationSettings().set_num_threads(threads).set_option("emu-seed", seed));
  }
  ~counting() {
    guard_.reset();
    hpk::seam::current_device_profile.store(nullptr, hpk::detail::memory_order::release);
  }

 private:
  const clean_environment none_;
  hpk::seam::device_profile profile_;
  std::optional<hpk::ScopeGuard> guard_;
};

/// Returns the counts of the last launch with this label.
inline const hpk::seam::launch_counts& launch_of(const std::string& label) {
  hpk::Emu().fence();
  const auto found =
      std::find_if(launches.rbegin(), launches.rend(),
                   [&](const hpk::seam::launch_counts& c) { return c.label == label; });
  if (found == launches.rend()) hpk::abort(("no launch " + label).c_str());
  return *found;
}
/// Returns the accesses of the last launch with a label to a View, all added up.
inline hpk::seam::access_counts accesses_of(const std::string& kernel, const std::string& view) {
  hpk::seam::access_counts sum;
  for (const hpk::seam::access_counts& a : launch_of(kernel).accesses) {
    if (a.label != view) continue;
    hpk::seam::access_counts s = a;
    s.add(sum);
    sum = s;
  }
  return sum;
}

inline constexpr int n = 1024;
inline constexpr std::uint64_t requests = n / 32;

/// Returns the counts of a kernel of n lanes that write x(first + stride * i).
template <class T>
hpk::seam::access_counts strided(int stride, int first = 0) {
  const hpk::View<T*, hpk::Emu> x("x", n * stride + first);
  hpk::parallel_for(
      "strided", hpk::RangePolicy<hpk::Emu>(0, n),
      HPK_LAMBDA(int i) { x(first + stride * i) = T{}; });
  return accesses_of("strided", "x");
}

/// Returns the counts of a kernel that writes each point of a box. Neighbouring lanes differ in the
/// first index.
template <class Layout>
hpk::seam::access_counts box() {
  const hpk::View<double**, Layout, hpk::Emu> a("a", 64, 64);
  hpk::parallel_for(
      "box", hpk::MDRangePolicy<hpk::Emu, hpk::Rank<2, hpk::Iterate::Left>>({0, 0}, {64, 64}),
      HPK_LAMBDA(int i, int j) { a(i, j) = i; });
  return accesses_of("box", "a");
}

/// Returns the counts of a kernel in which each team sums up a row.
template <class Layout>
hpk::seam::access_counts rows() {
  const hpk::View<double**, Layout, hpk::Emu> a("a", 8, 256);
  const hpk::View<double*, hpk::Emu> sums("sums", 8);
  using policy = hpk::TeamPolicy<hpk::Emu>;
  hpk::parallel_for(
      "rows", policy(8, 64), HPK_LAMBDA(const policy::member_type& team) {
        const int row = team.league_rank();
        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, 256), [&](int k, double& s) { s += a(row, k); }, sum);
        hpk::single(hpk::PerTeam(team), [&] { sums(row) = sum; });
      });
  return accesses_of("rows", "a");
}

/// Returns the counts of a kernel that writes a 32 x 32 tile in scratch by rows and reads it by
/// columns.
template <class T = float>
hpk::seam::access_counts tile(int padded) {
  using policy = hpk::TeamPolicy<hpk::Emu>;
  using member = policy::member_type;
  using tile_view =
      hpk::View<T**, hpk::LayoutRight, member::scratch_memory_space, hpk::MemoryUnmanaged>;
  const hpk::View<T*, hpk::Emu> out("out", 1024);
  hpk::parallel_for(
      "tile", policy(1, 32).set_scratch_size(0, hpk::PerTeam(tile_view::shmem_size(32, 64))),
      HPK_LAMBDA(const member& team) {
        const tile_view part(team.team_scratch(0), 32, padded);
        const int column = team.team_rank();
        for (int row = 0; row < 32; ++row) part(row, column) = 1;
        team.team_barrier();
        for (int row = 0; row < 32; ++row) out(row * 32 + column) = part(column, row);
      });
  return accesses_of("tile", "scratch");
}

/// Returns the counts of a kernel whose 4096 lanes add to `bins` elements cyclically.
inline hpk::seam::access_counts histogram(int bins) {
  const hpk::View<int*, hpk::Emu> counts("counts", bins);
  hpk::parallel_for(
      "histogram", hpk::RangePolicy<hpk::Emu>(0, 4096),
      HPK_LAMBDA(int i) { hpk::atomic_add(&counts(i % bins), 1); });
  return accesses_of("histogram", "counts");
}

}  // namespace hpk_test::emu_counts
