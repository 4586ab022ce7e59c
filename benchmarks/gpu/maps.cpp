// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hash map, compared with a table with linear probing in two arrays, and a histogram.
#include <rows.hpp>

#include <hpk/containers/unordered_map.hpp>

namespace gpu_bench {
namespace {

using key_type = unsigned long long;

__device__ key_type first_slot(key_type key) {
  return (key ^ key >> 32) * 0x9e3779b97f4a7c15ull >> 20;
}

__global__ void insert_by_hand(const key_type* in, key_type* keys, double* values, unsigned mask,
                               int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
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

__global__ void find_by_hand(const key_type* in, const key_type* keys, std::size_t* out,
                             unsigned mask, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
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

__global__ void count_by_hand(const int* bins, double* counts, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) atomicAdd(&counts[bins[i]], 1.0);
}

void map_and_table(int n) {
  const unsigned slots = 2 * static_cast<unsigned>(n);
  const array<key_type> in("in", n);
  const array<key_type> keys("keys", slots);
  const array<double> values("values", slots);
  const array<std::size_t> found_by_hand("found by hand", n);
  const array<std::size_t> found("found", n);
  hpk::UnorderedMap<key_type, double, space> map(static_cast<std::size_t>(n));
  hpk::parallel_for(
      range(n),
      HPK_LAMBDA(index_t i) { in(i) = static_cast<key_type>(i + 1) * 0xbf58476d1ce4e5b9ull; });
  compare(
      {"clear and insert 2^22 keys", 0.8, 1},
      [=] {
        check(GPU(MemsetAsync)(keys.data(), 0xff, slots * sizeof(key_type), stream()),
              "MemsetAsync");
        insert_by_hand<<<blocks(n), 256, 0, stream()>>>(in.data(), keys.data(), values.data(),
                                                        slots - 1, n);
      },
      [=, &map] {
        map.clear(space());
        hpk::parallel_for("insert", range(n), HPK_LAMBDA(index_t i) { map.insert(in(i), 1.0); });
      },
      [=, &map] {
        int in_table = 0;
        hpk::parallel_reduce(
            range(slots), HPK_LAMBDA(index_t i, int& sum) { sum += keys(i) != ~0ull; }, in_table);
        return in_table == n && map.size() == static_cast<std::size_t>(n);
      });
  compare(
      {"find 2^22 keys", 0.5, 3},
      [=] {
        find_by_hand<<<blocks(n), 256, 0, stream()>>>(in.data(), keys.data(), found_by_hand.data(),
                                                      slots - 1, n);
      },
      [=] {
        hpk::parallel_for("find", range(n), HPK_LAMBDA(index_t i) { found(i) = map.find(in(i)); });
      },
      [=] {
        int both = 0;
        hpk::parallel_reduce(
            range(n),
            HPK_LAMBDA(index_t i, int& sum) {
              sum += found_by_hand(i) != ~std::size_t{0} && map.valid_at(found(i)) &&
                     map.key_at(found(i)) == in(i);
            },
            both);
        return both == n;
      });
}

void histogram(int n, int bins) {
  const array<int> in("in", n);
  const array<double> hand("hand", bins);
  const array<double> ours("ours", bins);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(index_t i) {
        in(i) = static_cast<int>((static_cast<unsigned>(i) * 2654435761u) >> 16);
      });
  compare(
      {"atomic histogram, 2^22 in 2^16", 0.95, 3},
      [=] { count_by_hand<<<blocks(n), 256, 0, stream()>>>(in.data(), hand.data(), n); },
      [=] {
        hpk::parallel_for(
            "histogram", range(n), HPK_LAMBDA(index_t i) { hpk::atomic_add(&ours(in(i)), 1.0); });
      },
      [=] { return same(hand, ours); });
}

}  // namespace

void maps() {
  map_and_table(1 << 22);
  histogram(1 << 22, 1 << 16);
}

}  // namespace gpu_bench
