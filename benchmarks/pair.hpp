// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair is one benchmark that times two callables of the same work, hpk's and a hand-written one,
// in batches that alternate within one run, so that both see the same machine. README.md says how
// it is sampled and why. Also here: over which spaces pairs are made, and the memory that both
// sides use.
#pragma once

#include <hpk/core.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace bench {

using hpk::index_t;

/// Makes the compiler believe that somebody reads `value`. (DoNotOptimize of Google Benchmark 1.7
/// on a variable that the loop assigns loses the value with g++ 12; to be dropped with that
/// version.)
template <class T>
inline __attribute__((always_inline)) void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// How long to sample.
struct plan {
  double sample = 0.5e-3;   ///< s that one sample lasts at least, by repeating the call
  double settle = 25e-3;    ///< s of running a side before its samples count
  double timed = 10e-3;     ///< s of samples of a side per round
  double budget = 1.2;      ///< s for all rounds of a pair
  int least_rounds = 9;     ///< even when the budget is spent
  bool check_only = false;  ///< compare results, time nothing
  /// Where the sides of a pair run on several processes at once: makes a measured time the same on
  /// all of them, so that they repeat everything equally often.
  double (*shared)(double) = nullptr;
};
/// The plan in force; main() sets it before the first pair runs.
plan& current_plan();

/// How many pairs have been found to differ.
int& disagreements();

/// What the setup of a pair is given: it checks the two sides, then times them.
class comparison {
 public:
  explicit comparison(benchmark::State& state) : state_(&state) {}

  /// Reports whether both sides computed the same; a pair that did not is not timed.
  void agree(bool same);

  /// Times both. Each is called with no arguments, as often as a sample needs.
  template <class Hpk, class Hand>
  void time(const Hpk& hpk, const Hand& hand) {
    sample({&hpk, &repeat<Hpk>}, {&hand, &repeat<Hand>});
  }

 private:
  struct side {
    const void* object;
    void (*repeat)(const void*, std::int64_t);
  };

  // Out of line for both alike; memory counts as changed between two calls.
  template <class F>
  static __attribute__((noinline)) void repeat(const void* object, std::int64_t count) {
    const F& f = *static_cast<const F*>(object);
    for (std::int64_t k = 0; k < count; ++k) {
      f();
      benchmark::ClobberMemory();
    }
  }
  static double seconds(const side& s, std::int64_t count);
  static std::int64_t calibrate(const side& s);
  static void settle(const side& s, std::int64_t count);
  static std::int64_t settle_and_calibrate(const side& s);
  static double batch(const side& s, std::int64_t count);
  void sample(const side& hpk, const side& hand);

  benchmark::State* state_;
  bool agreed_ = true;
};

/// Registers the pair "topic/space/variant/n"; setup(comparison&) runs when its turn comes.
void add(std::string_view topic, std::string_view space, std::string_view variant, index_t n,
         std::function<void(comparison&)> setup);

/// True for the space that is compared with a plain loop; the others with an OpenMP loop.
template <class Space>
inline constexpr bool is_serial = std::string_view(Space::name()) == "Serial";

/// Calls make(space) for every enabled space that has a hand-written counterpart in this build:
/// those of the host. Emu is not there to be fast.
template <class Make>
void for_each_space(const Make& make) {
  hpk::for_each_space([&](auto space) {
    using type = decltype(space);
    if constexpr (hpk::SpaceAccessibility<type, hpk::HostSpace>::accessible &&
                  (is_serial<type> || HPK_BENCH_WITH_OPENMP != 0))
      make(space);
  });
}

/// The sizes of a topic: Serial is also compared at 100 and 1000.
template <class Space, class Make>
void for_each_size(std::initializer_list<index_t> sizes, const Make& make) {
  if constexpr (is_serial<Space>) {
    make(index_t{100});
    make(index_t{1000});
  }
  for (const index_t n : sizes) make(n);
}

/// A View of the first n doubles of work array `which` (0 to 3). The arrays stay allocated, so both
/// sides and all pairs see the same pages, and they start at different offsets within a page.
using array = hpk::View<double*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>;
array work_array(int which, index_t n);

/// Fills an array with small integers, so that sums are exact in any order.
void fill_integers(const array& a, int modulus);

/// Runs both sides on the same `out`, which is filled with integers before each, and compares bits.
template <class Hpk, class Hand>
bool same_effect(const array& out, const Hpk& hpk, const Hand& hand) {
  const array kept = work_array(3, out.extent_int(0));
  fill_integers(out, 5);
  hpk();
  hpk::deep_copy(kept, out);
  fill_integers(out, 5);
  hand();
  index_t different = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<>(index_t{0}, static_cast<index_t>(out.size())),
      [=](index_t i, index_t& sum) { sum += kept(i) == out(i) ? 0 : 1; }, different);
  return different == 0;
}

}  // namespace bench
