// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triad, fill and copy of arrays, in memory and in cache.
#include <rows.hpp>

namespace gpu_bench {
namespace {

template <class T>
__global__ void triad_by_hand(T* a, const T* b, const T* c, T s, index_t n) {
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
template <class T>
__global__ void fill_by_hand(T* a, T value, index_t n) {
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = value;
}

template <class T>
void streams_of(const std::string& type, int exponent, double limit) {
  const index_t n = index_t{1} << exponent;
  const std::string size = " of 2^" + std::to_string(exponent) + " " + type;
  const int calls = exponent > 25 ? 5 : 20;
  const array<T> hand("hand", n);
  const array<T> ours("ours", n);
  const array<T> b("b", n);
  const array<T> c("c", n);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(index_t i) {
        b(i) = static_cast<T>(i % 7);
        c(i) = static_cast<T>(i % 3);
      });
  const auto agree = [=] { return same(hand, ours); };
  compare(
      {"triad" + size, limit, calls},
      [=] {
        triad_by_hand<<<blocks(n), 256, 0, stream()>>>(hand.data(), b.data(), c.data(), T(3), n);
      },
      [=] {
        hpk::parallel_for(
            "triad", range(n), HPK_LAMBDA(index_t i) { ours(i) = b(i) + T(3) * c(i); });
      },
      agree);
  compare(
      {"fill" + size, limit, calls},
      [=] { fill_by_hand<<<blocks(n), 256, 0, stream()>>>(hand.data(), T(3), n); },
      [=] { hpk::deep_copy(space(), ours, T(3)); }, agree);
  compare(
      {"copy" + size + ", by hand: MemcpyAsync", limit, calls},
      [=] {
        check(GPU(MemcpyAsync)(hand.data(), b.data(), static_cast<std::size_t>(n) * sizeof(T),
                               GPU(MemcpyDeviceToDevice), stream()),
              "MemcpyAsync");
      },
      [=] { hpk::deep_copy(space(), ours, b); }, agree);
}

}  // namespace

void streams() {
  streams_of<double>("doubles", 27, 0.95);
  streams_of<float>("floats", 27, 0.95);
  streams_of<double>("doubles", 20, 0.75);
  streams_of<int>("ints", 24, 0.95);
}

}  // namespace gpu_bench
