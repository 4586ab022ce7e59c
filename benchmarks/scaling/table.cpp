// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A time is taken in two phases: the work runs untimed for a while, so that clock rates settle and
// the workers of the previous work become idle; then samples of at least 5 ms are taken for up to a
// fifth of a second, and their median counts.
#include "table.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace scaling {
namespace {

using timer = std::chrono::steady_clock;

double since(timer::time_point start) {
  return std::chrono::duration<double>(timer::now() - start).count();
}

double median_seconds(const std::function<void()>& work) {
  const auto start = timer::now();
  int calls = 0;
  do {
    work();
    ++calls;
  } while (since(start) < 0.02);
  const int per_sample = std::max(1, static_cast<int>(calls * 0.005 / since(start)));
  std::vector<double> samples;
  for (const auto begin = timer::now(); samples.size() < 3 || since(begin) < 0.2;) {
    const auto one = timer::now();
    for (int k = 0; k < per_sample; ++k) work();
    samples.push_back(since(one) / per_sample);
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

}  // namespace

table::table(std::vector<int> workers, bool check_only)
    : workers_(std::move(workers)), check_only_(check_only) {}

void table::add(const std::string& what, const std::string& by, const std::function<void()>& work,
                const std::function<bool()>& right) {
  work();
  if (!right()) {
    ++wrong_;
    std::printf("%s, %s, %d workers: the result is wrong\n", what.c_str(), by.c_str(), now_);
  }
  const auto same = [&](const row& r) { return r.what == what && r.by == by; };
  auto place = std::find_if(rows_.begin(), rows_.end(), same);
  if (place == rows_.end()) {
    rows_.push_back({what, by, std::vector<double>(workers_.size())});
    place = rows_.end() - 1;
  }
  const auto column = std::find(workers_.begin(), workers_.end(), now_) - workers_.begin();
  place->seconds[static_cast<std::size_t>(column)] = check_only_ ? 0 : median_seconds(work);
}

void table::print() const {
  std::printf("| us (times faster than one worker) | by |");
  for (const int count : workers_) std::printf(" %d |", count);
  std::printf("\n| --- | --- |");
  for (std::size_t k = 0; k < workers_.size(); ++k) std::printf(" --- |");
  std::printf("\n");
  for (const row& r : rows_) {
    std::printf("| %s | %s |", r.what.c_str(), r.by.c_str());
    for (const double time : r.seconds) {
      const double faster = r.seconds.front() / time;
      std::printf(" %.*f (%.2f) |", time < 1e-4 ? 1 : 0, time * 1e6, faster);
    }
    std::printf("\n");
  }
}

}  // namespace scaling
