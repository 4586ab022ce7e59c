// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: CUDA. Two signals are smoothed, each in a separate stream; when both are done, their
// scalar product is summed. Tests compile this file if nvcc is available; it has not run on a GPU
// yet. cuda_after.cpp is the same program in hpk.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                          \
  if (const cudaError_t error = (call); error != cudaSuccess) {              \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));      \
    std::exit(1);                                                            \
  }

constexpr int samples = 100'003;  // not a multiple of the block
constexpr int threads = 256;
constexpr int radius = 4;

__global__ void smooth(const double* x, double* y, int n) {
  __shared__ double tile[threads + 2 * radius];
  const int t = threadIdx.x, first = blockIdx.x * threads;
  for (int k = t; k < threads + 2 * radius; k += threads) {
    const int i = first + k - radius;
    tile[k] = i >= 0 && i < n ? x[i] : 0;
  }
  __syncthreads();
  const int i = first + t;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k <= 2 * radius; ++k) sum += tile[t + k];
  y[i] = sum;
}

__global__ void multiply(const double* a, const double* b, double* result, int n) {
  __shared__ double part[threads];
  const int t = threadIdx.x;
  double mine = 0;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) mine += a[i] * b[i];
  part[t] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(result, part[0]);
}

int main() {
  const std::size_t bytes = samples * sizeof(double);
  const int blocks = (samples + threads - 1) / threads;
  double *host[2], *x[2], *y[2], *product;
  cudaStream_t stream[2];
  cudaEvent_t smoothed;
  CHECK(cudaEventCreateWithFlags(&smoothed, cudaEventDisableTiming));
  CHECK(cudaMalloc(&product, sizeof(double)));
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaMallocHost(&host[s], bytes));
    CHECK(cudaMalloc(&x[s], bytes));
    CHECK(cudaMalloc(&y[s], bytes));
    CHECK(cudaStreamCreate(&stream[s]));
    for (int i = 0; i < samples; ++i) host[s][i] = i % (17 + s);

    CHECK(cudaMemcpyAsync(x[s], host[s], bytes, cudaMemcpyHostToDevice, stream[s]));
    smooth<<<blocks, threads, 0, stream[s]>>>(x[s], y[s], samples);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(smoothed, stream[1]));
  CHECK(cudaStreamWaitEvent(stream[0], smoothed, 0));
  CHECK(cudaMemsetAsync(product, 0, sizeof(double), stream[0]));
  multiply<<<64, threads, 0, stream[0]>>>(y[0], y[1], product, samples);
  CHECK(cudaGetLastError());
  double result = 0;
  CHECK(cudaMemcpyAsync(&result, product, sizeof(double), cudaMemcpyDeviceToHost, stream[0]));
  CHECK(cudaStreamSynchronize(stream[0]));

  // The expected result, by loops: values are integers, so sums are exact in any order.
  double expected = 0;
  for (int i = 0; i < samples; ++i) {
    double sum[2] = {};
    for (int s = 0; s < 2; ++s)
      for (int k = i - radius; k <= i + radius; ++k)
        if (k >= 0 && k < samples) sum[s] += host[s][k];
    expected += sum[0] * sum[1];
  }
  std::printf("Cuda: product %.0f, by loops %.0f\n", result, expected);

  for (int s = 0; s < 2; ++s) {
    CHECK(cudaFreeHost(host[s]));
    CHECK(cudaFree(x[s]));
    CHECK(cudaFree(y[s]));
    CHECK(cudaStreamDestroy(stream[s]));
  }
  CHECK(cudaFree(product));
  CHECK(cudaEventDestroy(smoothed));
  return result == expected ? 0 : 1;
}
