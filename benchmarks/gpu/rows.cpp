// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples and prints a row.
#include <report.hpp>
#include <rows.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace gpu_bench {
namespace {

using timer = std::chrono::steady_clock;

double since(timer::time_point start) {
  return std::chrono::duration<double>(timer::now() - start).count();
}

// Returns the seconds per call of `calls` consecutive calls.
double seconds(int calls, const std::function<void()>& work) {
  check(GPU(StreamSynchronize)(stream()), "StreamSynchronize");
  const auto start = timer::now();
  for (int k = 0; k < calls; ++k) work();
  check(GPU(StreamSynchronize)(stream()), "StreamSynchronize");
  return since(start) / calls;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

report& results() {
  static report all_rows;
  return all_rows;
}

void check(GPU(Error_t) error, const char* call) {
  if (error == GPU(Success)) return;
  std::fprintf(stderr, "gpu_bench: %s: %s\n", call, GPU(GetErrorString)(error));
  std::exit(1);
}

GPU(Stream_t) stream() { return static_cast<GPU(Stream_t)>(space().instance().stream()->native); }

void compare(const row& row, const std::function<void()>& by_hand,
             const std::function<void()>& by_hpk, const std::function<bool()>& agree) {
  if (row.what.find(results().filter) == row.what.npos) return;
  ++results().rows;
  seconds(1, by_hand);
  seconds(1, by_hpk);
  check(GPU(GetLastError)(), row.what.c_str());
  if (!agree()) {
    ++results().wrong;
    std::printf("| %s | the results differ | | | |\n", row.what.c_str());
    std::fflush(stdout);
    return;
  }
  std::vector<double> hand;
  std::vector<double> hpk;
  std::vector<double> ratios;
  const auto start = timer::now();
  for (int k = 0; k < 3 || (k < 15 && since(start) < 1.2); ++k) {
    hand.push_back(seconds(row.calls, by_hand));
    hpk.push_back(seconds(row.calls, by_hpk));
    ratios.push_back(hand.back() / hpk.back());
  }
  const double ratio = median(ratios);
  const bool missed = ratio < row.limit;
  results().missed += missed ? 1 : 0;
  std::printf("| %s | %.1f | %.1f | %.2f | %.2f%s |\n", row.what.c_str(), median(hand) * 1e6,
              median(hpk) * 1e6, ratio, row.limit, missed ? ", missed" : "");
  std::fflush(stdout);
}

}  // namespace gpu_bench
