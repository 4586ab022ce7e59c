// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices in tiles in scratch, and reductions by the threads of a team.
#include <rows.hpp>

namespace gpu_bench {
namespace {

using matrix = hpk::View<double**, space>;
constexpr int width = 16;

__global__ void __launch_bounds__(width* width)
    product_by_hand(const double* a, const double* b, double* c, int n) {
  __shared__ double tile_of_a[width][width];
  __shared__ double tile_of_b[width][width];
  const int tx = static_cast<int>(threadIdx.x) % width;
  const int ty = static_cast<int>(threadIdx.x) / width;
  const int bi = static_cast<int>(blockIdx.x) % (n / width);
  const int bj = static_cast<int>(blockIdx.x) / (n / width);
  double sum = 0;
  for (int k = 0; k < n; k += width) {
    tile_of_a[ty][tx] = a[bi * width + tx + (k + ty) * n];
    tile_of_b[ty][tx] = b[k + tx + (bj * width + ty) * n];
    __syncthreads();
    for (int q = 0; q < width; ++q) sum += tile_of_a[q][tx] * tile_of_b[ty][q];
    __syncthreads();
  }
  c[bi * width + tx + (bj * width + ty) * n] = sum;
}

struct product {
  matrix a, b, c;
  int n;
  using tile = hpk::View<double**, space::scratch_memory_space, hpk::MemoryTraits<hpk::Unmanaged>>;
  HPK_FUNCTION void operator()(const team& t) const {
    const tile tile_of_a(t.team_scratch(0), width, width);
    const tile tile_of_b(t.team_scratch(0), width, width);
    const int bi = t.league_rank() % (n / width);
    const int bj = t.league_rank() / (n / width);
    const int tx = t.team_rank() % width;
    const int ty = t.team_rank() / width;
    double sum = 0;
    for (int k = 0; k < n; k += width) {
      tile_of_a(tx, ty) = a(bi * width + tx, k + ty);
      tile_of_b(tx, ty) = b(k + tx, bj * width + ty);
      t.team_barrier();
      for (int q = 0; q < width; ++q) sum += tile_of_a(tx, q) * tile_of_b(q, ty);
      t.team_barrier();
    }
    c(bi * width + tx, bj * width + ty) = sum;
  }
};

__global__ void sums_of_columns_by_hand(const double* in, double* out, int n, int rows) {
  __shared__ double of_warps[8];
  double sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < n; k += 256)
    sum += in[static_cast<index_t>(blockIdx.x) * rows + k];
  for (int by = 16; by > 0; by >>= 1) sum += shuffle_down(sum, by, 32);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int k = 1; k < 8; ++k) sum += of_warps[k];
  out[blockIdx.x] = sum;
}

void products(int n) {
  const matrix a("a", n, n);
  const matrix b("b", n, n);
  const matrix hand("hand", n, n);
  const matrix ours("ours", n, n);
  hpk::parallel_for(
      range(index_t{n} * n), HPK_LAMBDA(index_t i) {
        a(i % n, i / n) = i % 5;
        b(i % n, i / n) = i % 3;
      });
  const int league = (n / width) * (n / width);
  compare(
      {"products in scratch, 1024 x 1024, tiles of 16", 0.95, 3},
      [=] {
        product_by_hand<<<league, width * width, 0, stream()>>>(a.data(), b.data(), hand.data(), n);
      },
      [=] {
        team_policy policy(league, width * width);
        policy.set_scratch_size(
            0, hpk::PerTeam(2 * static_cast<int>(product::tile::shmem_size(width, width))));
        hpk::parallel_for("product", policy, product{a, b, ours, n});
      },
      [=] { return same(hand, ours); });
}

void team_reductions(int rows, int columns) {
  const matrix in("in", rows, columns);
  const array<double> hand("hand", columns);
  const array<double> ours("ours", columns);
  hpk::parallel_for(
      range(index_t{rows} * columns), HPK_LAMBDA(index_t i) { in(i % rows, i / rows) = i % 7; });
  const std::string start = "reduction of a team, 8192 teams of 256, rows of ";
  for (const int n : {rows, 256})
    compare(
        {start + std::to_string(n), n == 256 ? 0.65 : 0.95, 5},
        [=] {
          sums_of_columns_by_hand<<<columns, 256, 0, stream()>>>(in.data(), hand.data(), n, rows);
        },
        [=] {
          hpk::parallel_for(
              "sums of columns", team_policy(columns, 256), HPK_LAMBDA(const team& t) {
                double sum = 0;
                hpk::parallel_reduce(
                    hpk::TeamThreadRange(t, n),
                    [&](int k, double& s) { s += in(k, t.league_rank()); }, sum);
                hpk::single(hpk::PerTeam(t), [&] { ours(t.league_rank()) = sum; });
              });
        },
        [=] { return same(hand, ours); });
}

}  // namespace

void teams() {
  products(1024);
  team_reductions(4096, 8192);
}

}  // namespace gpu_bench
