// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose: element by element, or by tiles that pass through scratch.
#include "examples.hpp"

namespace transpose_kernels {

using matrix = hpk::View<float**>;
constexpr int n = 1024;

void transpose_naive(const matrix& a, const matrix& b) {
  // page: naive
  hpk::parallel_for(
      "transpose", hpk::MDRangePolicy<hpk::Rank<2>>({0, 0}, {n, n}),
      HPK_LAMBDA(int i, int j) { b(j, i) = a(i, j); });
  // page: end
}

// page: fast
template <int columns>
void transpose_tiles(const matrix& a, const matrix& b) {
  using policy = hpk::TeamPolicy<>;
  using member = policy::member_type;
  using tile_view = hpk::View<float[32][columns], hpk::LayoutRight, member::scratch_memory_space,
                              hpk::MemoryUnmanaged>;
  constexpr int tiles = n / 32;
  hpk::parallel_for(
      "transpose",
      policy(tiles * tiles, hpk::AUTO).set_scratch_size(0, hpk::PerTeam(tile_view::shmem_size())),
      HPK_LAMBDA(const member& team) {
        const int i0 = team.league_rank() % tiles * 32;
        const int j0 = team.league_rank() / tiles * 32;
        const tile_view tile(team.team_scratch(0));
        hpk::parallel_for(hpk::TeamThreadRange(team, 32 * 32),
                          [&](int k) { tile(k / 32, k % 32) = a(i0 + k % 32, j0 + k / 32); });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, 32 * 32),
                          [&](int k) { b(j0 + k % 32, i0 + k / 32) = tile(k % 32, k / 32); });
      });
}
// page: end

}  // namespace transpose_kernels

bool transpose(std::string_view version) {
  using namespace transpose_kernels;
  const matrix a("a", n, n);
  hpk::parallel_for(
      "fill", hpk::MDRangePolicy<hpk::Rank<2>>({0, 0}, {n, n}),
      HPK_LAMBDA(int i, int j) { a(i, j) = static_cast<float>(i * n + j); });
  const auto is_right = [&](auto* kernel) {
    const matrix b("b", n, n);
    kernel(a, b);
    const auto result = on_host(b);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (result(j, i) != static_cast<float>(i * n + j)) return false;
      }
    }
    return true;
  };
  return (!is_wanted(version, "naive") || is_right(&transpose_naive)) &&
         (!is_wanted(version, "fast") || is_right(&transpose_tiles<33>)) &&
         (!is_wanted(version, "unpadded") || is_right(&transpose_tiles<32>));
}
