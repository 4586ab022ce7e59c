// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers: fill_random; counter-based, compared with a loop over blocks of the same
// generator; from pools, compared with a loop with a xorshift state per thread, and with Philox by
// hand. Also kernels that take a generator from a pool for every 1024 elements, or for each
// element, compared with the loop with a state per thread.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/algorithms/random.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace bench {

namespace {

// Hides the seed from the compiler, which would precompute the schedule of a constant key.
std::uint64_t seed() {
  std::uint64_t value = 0x5eed;
  benchmark::DoNotOptimize(value);
  return value;
}

double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

struct two_numbers {
  double first;
  double second;
};

// Philox4x32-10, written in the obvious way.
inline __attribute__((always_inline)) two_numbers philox(std::uint64_t key, std::uint64_t index) {
  auto c0 = static_cast<std::uint32_t>(index);
  auto c1 = static_cast<std::uint32_t>(index >> 32);
  std::uint32_t c2 = 0;
  std::uint32_t c3 = 0;
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {unit(c0 | std::uint64_t{c1} << 32), unit(c2 | std::uint64_t{c3} << 32)};
}

template <bool Serial>
__attribute__((noinline)) void philox_by_hand(double* out, index_t n) {
  const std::uint64_t key = seed();
  const auto two = [out, key](index_t b) {
    const two_numbers x = philox(key, static_cast<std::uint64_t>(b));
    out[2 * b] = x.first;
    out[2 * b + 1] = x.second;
  };
  if (Serial) {
    for (index_t b = 0; b < n / 2; ++b) two(b);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t b = 0; b < n / 2; ++b) two(b);
  }
  if (n % 2 != 0) out[n - 1] = philox(key, static_cast<std::uint64_t>(n / 2)).first;
}

template <bool Serial>
__attribute__((noinline)) void threefry_by_hand(double* out, index_t n) {
  const std::uint64_t key = seed();
  const auto four = [out, key](index_t b) {
    const auto x = hpk::Threefry::block({key, 0, 0, 0}, {static_cast<std::uint64_t>(b), 0, 0, 0});
    for (int k = 0; k < 4; ++k) out[4 * b + k] = unit(x[k]);
  };
  if (Serial) {
    for (index_t b = 0; b < n / 4; ++b) four(b);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t b = 0; b < n / 4; ++b) four(b);
  }
  const auto last =
      hpk::Threefry::block({key, 0, 0, 0}, {static_cast<std::uint64_t>(n / 4), 0, 0, 0});
  for (index_t k = 0; k < n % 4; ++k) out[n / 4 * 4 + k] = unit(last[k]);
}

struct xorshift64 {
  std::uint64_t state;
  std::uint64_t operator()() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
  }
};

struct xorshift1024 {
  std::uint64_t state[16];
  int place = 0;
  explicit xorshift1024(std::uint64_t first) {
    for (auto& word : state) word = first = xorshift64{first}();
  }
  std::uint64_t operator()() {
    const std::uint64_t s0 = state[place];
    place = (place + 1) & 15;
    std::uint64_t s1 = state[place];
    s1 ^= s1 << 31;
    return (state[place] = s1 ^ s0 ^ (s1 >> 11) ^ (s0 >> 30)) * 1181783497276652981u;
  }
};

template <bool Serial, class Generator>
__attribute__((noinline)) void xorshift_by_hand(double* out, index_t n) {
  if (Serial) {
    Generator generator{seed()};
    for (index_t i = 0; i < n; ++i) out[i] = unit(generator());
  } else {
#pragma omp parallel
    {
      Generator generator{seed() + reinterpret_cast<std::uintptr_t>(&generator)};
#pragma omp for schedule(static)
      for (index_t i = 0; i < n; ++i) out[i] = unit(generator());
    }
  }
}

// Whether all written numbers are in [0, 1) and have the right mean.
template <class Run>
bool fills(const array& out, const Run& run) {
  hpk::deep_copy(out, -1);
  run();
  double sum = 0;
  int outside = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<>(index_t{0}, static_cast<index_t>(out.size())),
      [=](index_t i, double& s, int& wrong) {
        s += out(i);
        wrong += out(i) >= 0 && out(i) < 1 ? 0 : 1;
      },
      sum, outside);
  const double mean = sum / static_cast<double>(out.size());
  return outside == 0 && mean > 0.4 && mean < 0.6;
}

template <class Space, class Algorithm>
void compare_counter(comparison& pair, index_t n) {
  const array out = work_array(0, n);
  const Space exec;
  const hpk::CounterRandom<Algorithm> random(seed());
  const auto hpk = [&] { hpk::fill_random(exec, out, random, 1.0); };
  const auto hand = [&] {
    if constexpr (std::is_same_v<Algorithm, hpk::Philox>) {
      philox_by_hand<is_serial<Space>>(out.data(), n);
    } else {
      threefry_by_hand<is_serial<Space>>(out.data(), n);
    }
  };
  pair.agree(same_effect(out, hpk, hand));
  pair.time(hpk, hand);
}

template <class Space, class Pool, class Generator>
void compare_pool(comparison& pair, index_t n) {
  const array out = work_array(0, n);
  const Space exec;
  const Pool pool(exec, seed());
  const auto hpk = [&] { hpk::fill_random(exec, out, pool, 1.0); };
  const auto hand = [&] { xorshift_by_hand<is_serial<Space>, Generator>(out.data(), n); };
  pair.agree(fills(out, hpk) && fills(out, hand));
  pair.time(hpk, hand);
}

// As above, compared with Philox, where no number depends on the previous one.
template <class Space, class Pool>
void compare_pool_to_philox(comparison& pair, index_t n) {
  const array out = work_array(0, n);
  const Space exec;
  const Pool pool(exec, seed());
  const auto hpk = [&] { hpk::fill_random(exec, out, pool, 1.0); };
  const auto hand = [&] { philox_by_hand<is_serial<Space>>(out.data(), n); };
  pair.agree(fills(out, hpk) && fills(out, hand));
  pair.time(hpk, hand);
}

// Takes a generator and returns it for each element.
template <class Space, class Pool, class Generator>
void compare_element(comparison& pair, index_t n) {
  const array out = work_array(0, n);
  const Pool pool(Space(), seed());
  const hpk::RangePolicy<Space> policy(index_t{0}, n);
  const auto hpk = [&] {
    hpk::parallel_for(policy, [=](index_t i) {
      auto generator = pool.get_state();
      out(i) = generator.drand();
      pool.free_state(generator);
    });
  };
  const auto hand = [&] { xorshift_by_hand<is_serial<Space>, Generator>(out.data(), n); };
  pair.agree(fills(out, hpk) && fills(out, hand));
  pair.time(hpk, hand);
}

template <class Space>
void compare_kernel(comparison& pair, index_t n) {
  const array out = work_array(0, n);
  const hpk::Random_XorShift64_Pool<Space> pool(Space(), seed());
  const hpk::RangePolicy<Space> policy(index_t{0}, (n + 1023) / 1024);
  const auto hpk = [&] {
    hpk::parallel_for(policy, [=](index_t piece) {
      auto generator = pool.get_state();
      const index_t end = piece * 1024 + 1024 < n ? piece * 1024 + 1024 : n;
      for (index_t i = piece * 1024; i < end; ++i) out(i) = generator.drand();
      pool.free_state(generator);
    });
  };
  const auto hand = [&] { xorshift_by_hand<is_serial<Space>, xorshift64>(out.data(), n); };
  pair.agree(fills(out, hpk) && fills(out, hand));
  pair.time(hpk, hand);
}

}  // namespace

void add_random() {
  for_each_space([](auto space) {
    using type = decltype(space);
    using pool64 = hpk::Random_XorShift64_Pool<type>;
    using pool1024 = hpk::Random_XorShift1024_Pool<type>;
    for_each_size<type>({32768, 1 << 24}, [](index_t n) {
      const auto pair = [n](const std::string& variant, auto compare) {
        add("random", type::name(), variant, n, [=](comparison& c) { compare(c, n); });
      };
      pair("philox", compare_counter<type, hpk::Philox>);
      pair("threefry", compare_counter<type, hpk::Threefry>);
      pair("pool64", compare_pool<type, pool64, xorshift64>);
      pair("pool1024", compare_pool<type, pool1024, xorshift1024>);
      pair("pool64_philox", compare_pool_to_philox<type, pool64>);
      pair("pool1024_philox", compare_pool_to_philox<type, pool1024>);
      pair("kernel64", compare_kernel<type>);
      pair("element64", compare_element<type, pool64, xorshift64>);
      pair("element1024", compare_element<type, pool1024, xorshift1024>);
    });
  });
}

}  // namespace bench
