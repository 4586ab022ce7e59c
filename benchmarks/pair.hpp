// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair is a benchmark that times two callables of the same work, hpk's and a hand-written one, in
// alternating batches within one run, so that both see the same machine. README.md explains the
// sampling. This file also defines the spaces of the pairs, and the memory that both sides use.
#pragma once

#include <hpk/core.hpp>

#include "sampling.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <string_view>

namespace bench {

using hpk::index_t;

/// Reads the options that all binaries of pairs have: --quick and --check, which set the plan, and
/// the options of Google Benchmark; with `numbers`, also --numbers. Adds the facts of the run to
/// the report. Returns false, after a message, if there are other options.
bool take_options(int argc, char** argv, bool* numbers = nullptr);

/// Runs the added pairs and returns the exit code of the binary: 1 if the sides of a pair
/// disagreed, 2 if no pair ran. `reporter` replaces the default reporter.
int run_pairs(benchmark::BenchmarkReporter* reporter = nullptr);

/// Number of pairs whose sides disagreed.
int& disagreements();

/// The object that the setup of a pair uses to compare the two sides and then to time them.
class comparison {
 public:
  explicit comparison(benchmark::State& state) : state_(&state) {}

  /// Reports whether both sides computed the same. A pair with different results is not timed.
  void agree(bool same);

  /// Times both sides. Each is called without arguments, as often as a sample needs.
  template <class Hpk, class Hand>
  void time(const Hpk& hpk, const Hand& hand) {
    sample(side(hpk), side(hand));
  }

 private:
  void sample(const side& hpk, const side& hand);

  benchmark::State* state_;
  bool agreed_ = true;
};

/// Registers the pair "topic/space/variant/n"; setup(comparison&) runs when the pair is run.
void add(std::string_view topic, std::string_view space, std::string_view variant, index_t n,
         std::function<void(comparison&)> setup);

/// True for the space that is compared with a plain loop; other spaces are compared with an OpenMP
/// loop.
template <class Space>
inline constexpr bool is_serial = std::string_view(Space::name()) == "Serial";

/// Calls make(space) for every enabled host space that has a hand-written counterpart in this
/// build. Emu is left out: it is not meant to be fast.
template <class Make>
void for_each_space(const Make& make) {
  hpk::for_each_space([&](auto space) {
    using type = decltype(space);
    if constexpr (hpk::SpaceAccessibility<type, hpk::HostSpace>::accessible &&
                  (is_serial<type> || HPK_BENCH_WITH_OPENMP != 0))
      make(space);
  });
}

/// Calls make for the sizes of a topic; on Serial also for 100 and 1000.
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
