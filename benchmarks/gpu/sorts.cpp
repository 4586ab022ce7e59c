// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts of keys, compared with the vendor's radix sort, which leaves its input unchanged; hpk
// therefore sorts a copy.
#include <primitives.hpp>
#include <rows.hpp>

#include <hpk/algorithms/sort.hpp>

#include <cstdint>
#include <cstdio>

namespace gpu_bench {

#if GPU_BENCH_HAS_PRIMITIVES
namespace {

template <class Key>
void sort_of(const std::string& type, int exponent, double limit) {
  const int n = 1 << exponent;
  const int bits = static_cast<int>(sizeof(Key)) * 8;
  const array<Key> in("in", n);
  const array<Key> hand("hand", n);
  const array<Key> ours("ours", n);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(index_t i) {
        std::uint64_t x = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15ull;
        x ^= x >> 29;
        x *= 0xbf58476d1ce4e5b9ull;
        in(i) = static_cast<Key>(x ^ x >> 32);
      });
  std::size_t bytes = 0;
  check(primitives::DeviceRadixSort::SortKeys(nullptr, bytes, in.data(), hand.data(), n, 0, bits,
                                              stream()),
        "DeviceRadixSort::SortKeys");
  const array<char> scratch("scratch", bytes);
  compare(
      {"sort of 2^" + std::to_string(exponent) + " keys " + type + ", by hand: " + primitives_name,
       limit, 1},
      [=] {
        std::size_t have = bytes;
        check(primitives::DeviceRadixSort::SortKeys(scratch.data(), have, in.data(), hand.data(), n,
                                                    0, bits, stream()),
              "DeviceRadixSort::SortKeys");
      },
      [=] {
        hpk::deep_copy(space(), ours, in);
        hpk::sort(space(), ours);
      },
      [=] { return same(hand, ours); });
}

}  // namespace

void sorts() {
  sort_of<std::uint32_t>("u32", 22, 0.85);
  sort_of<std::uint64_t>("u64", 24, 0.85);
}
#else
void sorts() { std::printf("(sorts are left out: hipCUB was not found)\n"); }
#endif

}  // namespace gpu_bench
