// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written kernels of an expert for the kernels of loops.cu and folds.cu.
#include <cstddef>
#include <cstdint>

namespace by_hand {

using index_t = std::int64_t;
using key_type = unsigned long long;

__device__ index_t own_index() {
  return static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void axpy(const double* x, double* y, double a, index_t n) {
  const index_t i = own_index();
  if (i < n) y[i] += a * x[i];
}

__global__ void triad(double* a, const double* b, const double* c, double s, index_t n) {
  const index_t i = own_index();
  if (i < n) a[i] = b[i] + s * c[i];
}

__global__ void gather(double* out, const double* in, const int* from, index_t n) {
  const index_t i = own_index();
  if (i < n) out[i] = in[from[i]];
}

__global__ void histogram(double* counts, const int* in, index_t n) {
  const index_t i = own_index();
  if (i < n) atomicAdd(&counts[in[i]], 1.0);
}

// For matrices with consecutive rows (right) or columns (left), x is the index of neighbours in
// memory. So both layouts have the same code.
__device__ void stencil_2d(double* out, const double* in, int nx, int ny) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x) + 1;
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y) + 1;
  if (x >= nx - 1 || y >= ny - 1) return;
  const index_t at = x + index_t{y} * nx;
  out[at] = 0.25 * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
}
__global__ void __launch_bounds__(256)
    stencil_2d_left(double* out, const double* in, int nx, int ny) {
  stencil_2d(out, in, nx, ny);
}
__global__ void __launch_bounds__(256)
    stencil_2d_right(double* out, const double* in, int nx, int ny) {
  stencil_2d(out, in, nx, ny);
}

__device__ void stencil_3d(double* out, const double* in, int nx, int ny, int nz) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x) + 1;
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y) + 1;
  const int z = static_cast<int>(blockIdx.z) + 1;
  if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  const index_t row = nx;
  const index_t plane = index_t{nx} * ny;
  const index_t at = x + y * row + z * plane;
  out[at] = in[at] * -6.0 + in[at - 1] + in[at + 1] + in[at - row] + in[at + row] + in[at - plane] +
            in[at + plane];
}
__global__ void __launch_bounds__(256)
    stencil_3d_left(double* out, const double* in, int nx, int ny, int nz) {
  stencil_3d(out, in, nx, ny, nz);
}
__global__ void __launch_bounds__(256)
    stencil_3d_right(double* out, const double* in, int nx, int ny, int nz) {
  stencil_3d(out, in, nx, ny, nz);
}

__global__ void __launch_bounds__(256) transpose(double* out, const double* in, int nx, int ny) {
  __shared__ double tile[32][33];
  int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  int y = static_cast<int>(blockIdx.y * 32 + threadIdx.y);
  for (int k = 0; k < 32; k += 8)
    if (x < nx && y + k < ny) tile[threadIdx.y + k][threadIdx.x] = in[x + index_t{y + k} * nx];
  __syncthreads();
  x = static_cast<int>(blockIdx.y * 32 + threadIdx.x);
  y = static_cast<int>(blockIdx.x * 32 + threadIdx.y);
  for (int k = 0; k < 32; k += 8)
    if (x < ny && y + k < nx) out[x + index_t{y + k} * ny] = tile[threadIdx.x][threadIdx.y + k];
}

template <int warps>
__device__ double sum_of_block(double value) {
  __shared__ double of_warps[warps];
  for (int by = 16; by > 0; by >>= 1) value += __shfl_down_sync(~0u, value, by);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  value = threadIdx.x < warps ? of_warps[threadIdx.x] : 0.0;
  for (int by = warps / 2; by > 0; by >>= 1) value += __shfl_down_sync(~0u, value, by);
  return value;
}

// One launch: the last block joins the sums of all blocks in order. Four loads are in flight.
template <class Term>
__device__ void fold(Term term, double* sums, unsigned* done, double* out, index_t n) {
  __shared__ bool is_last;
  const index_t step = static_cast<index_t>(gridDim.x) * 256;
  index_t i = static_cast<index_t>(blockIdx.x) * 256 + threadIdx.x;
  double parts[4] = {};
  for (; i + 3 * step < n; i += 4 * step) {
    double terms[4];
    for (int k = 0; k < 4; ++k) terms[k] = term(i + k * step);
    for (int k = 0; k < 4; ++k) parts[k] += terms[k];
  }
  for (; i < n; i += step) parts[0] += term(i);
  double sum = sum_of_block<8>((parts[0] + parts[1]) + (parts[2] + parts[3]));
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  sum = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += 256) sum += __ldcg(sums + k);
  sum = sum_of_block<8>(sum);
  if (threadIdx.x == 0) *out = sum;
}
__global__ void __launch_bounds__(256)
    sum(const double* in, double* sums, unsigned* done, double* out, index_t n) {
  fold([=](index_t i) { return in[i]; }, sums, done, out, n);
}
__global__ void __launch_bounds__(256)
    dot(const double* x, const double* y, double* sums, unsigned* done, double* out, index_t n) {
  fold([=](index_t i) { return x[i] * y[i]; }, sums, done, out, n);
}

// One pass with look-back. A tile publishes 16 bytes: the bits of a sum and its kind, 1 for the sum
// of the tile alone, 2 for the sum of all elements up to its end.
__global__ void __launch_bounds__(256)
    scan(const double* in, double* out, ulonglong2* tiles, unsigned* next, index_t n) {
  constexpr int items = 16;
  __shared__ double elements[256 * (items + 1)];
  __shared__ double of_warps[8];
  __shared__ double before_tile;
  __shared__ unsigned own_tile;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) own_tile = atomicAdd(next, 1u);
  __syncthreads();
  const unsigned tile = own_tile;
  const index_t first = index_t{tile} * 256 * items;
  const bool full = first + 256 * items <= n;
  double values[items];
  if (full) {
    for (int k = 0; k < items; ++k) values[k] = in[first + k * 256 + me];
  } else {
    for (int k = 0; k < items; ++k)
      values[k] = first + k * 256 + me < n ? in[first + k * 256 + me] : 0.0;
  }
  const auto place = [](int element) { return element + element / items; };
  for (int k = 0; k < items; ++k) elements[place(k * 256 + me)] = values[k];
  __syncthreads();
  for (int k = 0; k < items; ++k) values[k] = elements[me * (items + 1) + k];
  for (int k = 1; k < items; ++k) values[k] += values[k - 1];
  double sum = values[items - 1];
  for (int by = 1; by < 32; by *= 2) {
    const double other = __shfl_up_sync(~0u, sum, by);
    if (me % 32 >= by) sum += other;
  }
  if (me % 32 == 31) of_warps[me / 32] = sum;
  __syncthreads();
  double of_tile = 0;
  double before = 0;
  for (int k = 0; k < 8; ++k) {
    if (k == me / 32) before = of_tile;
    of_tile += of_warps[k];
  }
  const double exclusive = __shfl_up_sync(~0u, sum, 1);
  if (me % 32 != 0) before += exclusive;
  if (me < 32) {
    const auto publish = [=](double value, key_type state) {
      __stcg(tiles + tile, ulonglong2{static_cast<key_type>(__double_as_longlong(value)), state});
    };
    if (me == 0) publish(of_tile, tile == 0 ? 2 : 1);
    double prefix = 0;
    for (int back = static_cast<int>(tile) - 1 - me; tile != 0; back -= 32) {
      ulonglong2 there{0, 2};
      if (back >= 0) {
        do there = __ldcv(tiles + back);
        while (there.y == 0);
      }
      const unsigned ends = __ballot_sync(~0u, there.y == 2);
      double part = __longlong_as_double(static_cast<long long>(there.x));
      if (ends != 0 && me > __ffs(static_cast<int>(ends)) - 1) part = 0;
      for (int by = 16; by > 0; by >>= 1) part += __shfl_down_sync(~0u, part, by);
      prefix += part;
      if (ends != 0) break;
    }
    if (me == 0) {
      if (tile != 0) publish(prefix + of_tile, 2);
      before_tile = prefix;
    }
  }
  __syncthreads();
  before += before_tile;
  for (int k = 0; k < items; ++k) elements[me * (items + 1) + k] = values[k] + before;
  __syncthreads();
  for (int k = 0; k < items; ++k)
    if (full || first + k * 256 + me < n) out[first + k * 256 + me] = elements[place(k * 256 + me)];
}

// One warp per row.
__global__ void __launch_bounds__(256)
    spmv(const int* starts, const int* columns, const double* values, const double* x, double* y,
         int rows) {
  const int row = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32);
  if (row >= rows) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int end = starts[row + 1];
  double sum = 0;
  for (int k = starts[row] + lane; k < end; k += 32) sum += values[k] * x[columns[k]];
  for (int by = 16; by > 0; by >>= 1) sum += __shfl_down_sync(~0u, sum, by);
  if (lane == 0) y[row] = sum;
}

// One block per column.
__global__ void __launch_bounds__(256) team_rows(const double* in, double* out, int rows) {
  const double* const column = in + static_cast<index_t>(blockIdx.x) * rows;
  double sum = 0;
  for (int k = static_cast<int>(threadIdx.x); k < rows; k += 256) sum += column[k];
  sum = sum_of_block<8>(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(256) gemm(const double* a, const double* b, double* c, int n) {
  constexpr int width = 16;
  __shared__ double tile_of_a[width][width];
  __shared__ double tile_of_b[width][width];
  const int tx = static_cast<int>(threadIdx.x) % width;
  const int ty = static_cast<int>(threadIdx.x) / width;
  const int bi = static_cast<int>(blockIdx.x) % (n / width);
  const int bj = static_cast<int>(blockIdx.x) / (n / width);
  double sum = 0;
  for (int k = 0; k < n; k += width) {
    tile_of_a[ty][tx] = a[bi * width + tx + static_cast<index_t>(k + ty) * n];
    tile_of_b[ty][tx] = b[k + tx + static_cast<index_t>(bj * width + ty) * n];
    __syncthreads();
    for (int q = 0; q < width; ++q) sum += tile_of_a[q][tx] * tile_of_b[ty][q];
    __syncthreads();
  }
  c[bi * width + tx + static_cast<index_t>(bj * width + ty) * n] = sum;
}

// A table with linear probing, in two arrays.
__device__ key_type first_slot(key_type key) {
  return (key ^ key >> 32) * 0x9e3779b97f4a7c15ull >> 20;
}

__global__ void map_insert(const key_type* in, key_type* keys, double* values, unsigned mask,
                           index_t n) {
  const index_t i = own_index();
  if (i >= n) return;
  const key_type key = in[i];
  for (key_type slot = first_slot(key);; ++slot) {
    const key_type before = atomicCAS(&keys[slot & mask], ~0ull, key);
    if (before == ~0ull || before == key) {
      values[slot & mask] = 1.0;
      return;
    }
  }
}

__global__ void map_find(const key_type* in, const key_type* keys, std::size_t* out, unsigned mask,
                         index_t n) {
  const index_t i = own_index();
  if (i >= n) return;
  const key_type key = in[i];
  for (key_type slot = first_slot(key);; ++slot) {
    const key_type there = keys[slot & mask];
    if (there == key || there == ~0ull) {
      out[i] = there == key ? static_cast<std::size_t>(slot & mask) : ~std::size_t{0};
      return;
    }
  }
}

}  // namespace by_hand
