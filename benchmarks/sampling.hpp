// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a callable is timed: batches of samples, of which each lasts long enough for the clock. Knows
// neither hpk nor Google Benchmark. README.md says why it is sampled so.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

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

  /// Samples less, for a first look.
  void be_quick() {
    timed = 4e-3;
    budget = 0.1;
    least_rounds = 3;
  }
};
/// The plan in force; main() sets it before the first pair runs.
plan& current_plan();

/// Seconds of a clock that goes on.
double now();
/// Whether there is time left before `end`; all processes of a pair get the same answer.
bool is_before(double end);
/// The value below which the share q of the values lies, interpolated.
double quantile(std::vector<double> values, double q);

/// One callable, to be called often. It has to outlive the side.
class side {
 public:
  /// A side that calls f().
  template <class F>
  explicit side(const F& f) : object_(&f), repeat_(&repeat<F>) {}

  /// How long `count` calls take.
  double seconds(std::int64_t count) const;
  /// How many calls make a sample, once the side has settled: the first launches of a kernel may
  /// take a hundred times as long as later ones.
  std::int64_t calibrate() const;
  /// The median time of a call in one round of samples of `count` calls.
  double batch(std::int64_t count) const;

 private:
  std::int64_t count_calls() const;
  void settle(std::int64_t count) const;
  // Out of line for all alike; memory counts as changed between two calls.
  template <class F>
  static __attribute__((noinline)) void repeat(const void* object, std::int64_t count) {
    const F& f = *static_cast<const F*>(object);
    for (std::int64_t k = 0; k < count; ++k) {
      f();
      asm volatile("" : : : "memory");
    }
  }

  const void* object_;
  void (*repeat_)(const void*, std::int64_t);
};

}  // namespace bench
