// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row compares hpk with hand-written code. Both run once, and their results must agree; then they
// are timed in turns, so that clock rates and other programs affect both. A row is printed as soon
// as it is done.
#pragma once

#include <vendor.hpp>

#include <functional>
#include <string>

namespace gpu_bench {

using hpk::index_t;
using hpk::RangePolicy;
using team_policy = hpk::TeamPolicy<space>;
using team = team_policy::member_type;
template <class T>
using array = hpk::View<T*, space>;

/// The name of a row, and how it is sampled.
struct row {
  std::string what;
  double limit;    ///< least time by hand / time of hpk; 0: no limit yet
  int calls = 10;  ///< calls of each side per sample
};

/// Compares and prints a row if its name contains the filter.
void compare(const row& row, const std::function<void()>& by_hand,
             const std::function<void()>& by_hpk, const std::function<bool()>& agree);

/// Ends the program if a call of the vendor's library failed.
void check(GPU(Error_t) error, const char* call);

/// The stream of the default instance, in which both sides run.
GPU(Stream_t) stream();

/// The indices [0, n).
inline RangePolicy<space> range(index_t n) { return {index_t{0}, n}; }

/// Returns the number of blocks of `threads` threads that a grid of n needs.
inline unsigned blocks(index_t n, int threads = 256) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

/// Whether the memory of two Views without gaps is equal.
template <class View>
bool same(const View& a, const View& b) {
  const auto* first = a.data();
  const auto* second = b.data();
  index_t different = 0;
  hpk::parallel_reduce(
      range(static_cast<index_t>(a.size())),
      HPK_LAMBDA(index_t i, index_t & count) { count += first[i] != second[i]; }, different);
  return different == 0;
}

// The topics, in the order of the table.
void launches();
void allocations();
void streams();
void folds();
void stencils();
void teams();
void sparse_products();
void maps();
void sorts();

}  // namespace gpu_bench
