// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/schedule_shuffler.hpp>
#include <hpk/backends/emu/options.hpp>

#include <numeric>
#include <utility>

namespace hpk::emu {

namespace {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Stores the numbers 0, 1, 2 ... size - 1, in an order that depends on the seed.
template <class T>
void shuffle(std::vector<T>& order, std::size_t size, std::uint64_t seed) {
  order.resize(size);
  std::iota(order.begin(), order.end(), T{0});
  for (std::size_t k = size; k > 1; --k) std::swap(order[k - 1], order[next_random(seed) % k]);
}

}  // namespace

std::vector<index_t> shuffled_groups(const kernel_call& kernel) {
  std::vector<index_t> order;
  const std::uint64_t seed = current_options().seed;
  if (seed != 0)
    shuffle(order, static_cast<std::size_t>(kernel.shape.groups), seed + kernel.number);
  return order;
}

const int* shuffle_lanes(const kernel_call& kernel, index_t group, std::vector<int>& order) {
  const std::uint64_t seed = current_options().seed;
  if (seed == 0) return nullptr;
  shuffle(order, static_cast<std::size_t>(kernel.shape.lanes),
          seed ^ kernel.number << 40 ^ static_cast<std::uint64_t>(group));
  return order.data();
}

}  // namespace hpk::emu
