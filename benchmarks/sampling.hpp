// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times a callable: batches of samples, each long enough for the clock. Uses neither hpk nor Google
// Benchmark. README.md explains the method.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// Makes the compiler assume that `value` is read. (DoNotOptimize of Google Benchmark 1.7 on a
/// variable that the loop assigns loses the value with g++ 12; to be dropped with that version.)
template <class T>
inline __attribute__((always_inline)) void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// Parameters of sampling.
struct plan {
  double sample = 0.5e-3;   ///< least seconds of a sample; the call is repeated
  double settle = 25e-3;    ///< seconds that a side runs before its samples count
  double timed = 10e-3;     ///< seconds of samples of a side per round
  double budget = 1.2;      ///< seconds for all rounds of a pair
  int least_rounds = 9;     ///< even if the budget is spent
  bool check_only = false;  ///< compares results and times nothing
  /// If the sides of a pair run on several processes: makes a measured time equal on all of them,
  /// so that all repeat everything equally often.
  double (*shared)(double) = nullptr;

  /// Samples less, for quick results.
  void be_quick() {
    timed = 4e-3;
    budget = 0.1;
    least_rounds = 3;
  }
};
/// The plan in force; main() sets it before the first pair runs.
plan& current_plan();

/// Returns the seconds of a monotonic clock.
double now();
/// Whether there is time left before `end`; all processes of a pair get the same answer.
bool is_before(double end);
/// Returns the interpolated value below which the fraction q of the values is.
double quantile(std::vector<double> values, double q);

/// A callable that can be called often. The callable must outlive the side.
class side {
 public:
  /// A side that calls f().
  template <class F>
  explicit side(const F& f) : object_(&f), repeat_(&repeat<F>) {}

  /// Returns the time of `count` calls.
  double seconds(std::int64_t count) const;
  /// Lets the side settle, because the first launches of a kernel may take a hundred times as long
  /// as later ones, and returns the number of calls per sample.
  std::int64_t calibrate() const;
  /// Returns the median time of a call in one round of samples of `count` calls.
  double batch(std::int64_t count) const;

 private:
  std::int64_t count_calls() const;
  void settle(std::int64_t count) const;
  // Not inlined, for both sides alike: memory counts as changed between two calls.
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
