// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace bench {

namespace {

// A time that determines a number of repetitions.
double shared(double time) {
  const plan& p = current_plan();
  return p.shared == nullptr ? time : p.shared(time);
}

}  // namespace

plan& current_plan() {
  static plan mine;
  return mine;
}

double now() {
  using clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

bool is_before(double end) { return shared(end - now()) > 0; }

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

double side::seconds(std::int64_t count) const {
  const double start = now();
  repeat_(object_, count);
  return now() - start;
}

std::int64_t side::count_calls() const {
  const double wanted = current_plan().sample;
  for (std::int64_t count = 1;;) {
    const double took = shared(seconds(count));
    if (took >= wanted) return count;
    const double factor = took > 0 ? 1.2 * wanted / took : 10;
    count =
        static_cast<std::int64_t>(static_cast<double>(count) * std::clamp(factor, 1.5, 10.0)) + 1;
  }
}

void side::settle(std::int64_t count) const {
  for (const double end = now() + current_plan().settle; is_before(end);) seconds(count);
}

std::int64_t side::calibrate() const {
  settle(count_calls());
  return count_calls();
}

double side::batch(std::int64_t count) const {
  const plan& p = current_plan();
  settle(count);
  std::vector<double> samples;
  for (const double end = now() + p.timed; samples.empty() || is_before(end);)
    samples.push_back(seconds(count) / static_cast<double>(count));
  return quantile(std::move(samples), 0.5);
}

}  // namespace bench
