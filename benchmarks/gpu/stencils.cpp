// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils over MDRanges, and a copy between layouts.
#include <rows.hpp>

namespace gpu_bench {
namespace {

__global__ void __launch_bounds__(256)
    stencil_2d_by_hand(double* out, const double* in, int nx, int ny) {
  const int i = static_cast<int>(blockIdx.x * 32 + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * 8 + threadIdx.y) + 1;
  if (i >= nx - 1 || j >= ny - 1) return;
  const index_t at = i + index_t{j} * nx;
  out[at] = 0.25 * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
}

__global__ void __launch_bounds__(256)
    stencil_3d_by_hand(double* out, const double* in, int nx, int ny, int nz) {
  const int i = static_cast<int>(blockIdx.x * 32 + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * 8 + threadIdx.y) + 1;
  const int k = static_cast<int>(blockIdx.z) + 1;
  if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  const index_t row = nx;
  const index_t plane = index_t{nx} * ny;
  const index_t at = i + j * row + k * plane;
  out[at] = in[at] * -6.0 + in[at - 1] + in[at + 1] + in[at - row] + in[at + row] + in[at - plane] +
            in[at + plane];
}

__global__ void transpose_by_hand(double* out, const double* in, int nx, int ny) {
  __shared__ double tile[32][33];
  index_t i = blockIdx.x * 32 + threadIdx.x;
  index_t j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[i + (j + k) * nx];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[i + (j + k) * ny] = tile[threadIdx.x][threadIdx.y + k];
}

void stencil_2d(int nx, int ny) {
  const hpk::View<double**, space> in("in", nx, ny);
  const hpk::View<double**, space> hand("hand", nx, ny);
  const hpk::View<double**, space> ours("ours", nx, ny);
  hpk::parallel_for(range(index_t{nx} * ny), HPK_LAMBDA(index_t i) { in(i % nx, i / nx) = i % 7; });
  compare(
      {"stencil in 2-D over an MDRange of 8192 x 8192", 0.95, 5},
      [=] {
        stencil_2d_by_hand<<<dim3(blocks(nx - 2, 32), blocks(ny - 2, 8)), dim3(32, 8), 0,
                             stream()>>>(hand.data(), in.data(), nx, ny);
      },
      [=] {
        hpk::parallel_for(
            "stencil", hpk::MDRangePolicy<space, hpk::Rank<2>>({1, 1}, {nx - 1, ny - 1}),
            HPK_LAMBDA(int i, int j) {
              ours(i, j) = 0.25 * (in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1));
            });
      },
      [=] { return same(hand, ours); });
}

void stencil_3d(int n) {
  const hpk::View<double***, space> in("in", n, n, n);
  const hpk::View<double***, space> hand("hand", n, n, n);
  const hpk::View<double***, space> ours("ours", n, n, n);
  double* const values = in.data();
  hpk::parallel_for(range(index_t{n} * n * n), HPK_LAMBDA(index_t i) { values[i] = i % 7; });
  compare(
      {"stencil in 3-D over an MDRange of 384^3", 0.9, 5},
      [=] {
        stencil_3d_by_hand<<<dim3(blocks(n - 2, 32), blocks(n - 2, 8), n - 2), dim3(32, 8), 0,
                             stream()>>>(hand.data(), in.data(), n, n, n);
      },
      [=] {
        hpk::parallel_for(
            "stencil", hpk::MDRangePolicy<space, hpk::Rank<3>>({1, 1, 1}, {n - 1, n - 1, n - 1}),
            HPK_LAMBDA(int i, int j, int k) {
              ours(i, j, k) = in(i, j, k) * -6.0 + in(i - 1, j, k) + in(i + 1, j, k) +
                              in(i, j - 1, k) + in(i, j + 1, k) + in(i, j, k - 1) + in(i, j, k + 1);
            });
      },
      [=] { return same(hand, ours); });
}

void transposing_copy(int nx, int ny) {
  const hpk::View<double**, space> in("in", nx, ny);
  const hpk::View<double**, hpk::LayoutRight, space> hand("hand", nx, ny);
  const hpk::View<double**, hpk::LayoutRight, space> ours("ours", nx, ny);
  double* const values = in.data();
  hpk::parallel_for(
      range(index_t{nx} * ny), HPK_LAMBDA(index_t i) { values[i] = static_cast<double>(i); });
  compare(
      {"deep_copy from LayoutLeft to LayoutRight, 8192 x 8192", 0.95, 3},
      [=] {
        transpose_by_hand<<<dim3(nx / 32, ny / 32), dim3(32, 8), 0, stream()>>>(hand.data(),
                                                                                in.data(), nx, ny);
      },
      [=] { hpk::deep_copy(space(), ours, in); }, [=] { return same(hand, ours); });
}

}  // namespace

void stencils() {
  stencil_2d(8192, 8192);
  stencil_3d(384);
  transposing_copy(8192, 8192);
}

}  // namespace gpu_bench
