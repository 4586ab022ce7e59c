// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pair.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace bench {

namespace {

double now() {
  using clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

// A time that decides how often something is repeated.
double shared(double time) {
  const plan& p = current_plan();
  return p.shared == nullptr ? time : p.shared(time);
}
// Whether there is time left before `end`.
bool is_before(double end) { return shared(end - now()) > 0; }

// The value below which the share q of the values lies, interpolated.
double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

plan& current_plan() {
  static plan mine;
  return mine;
}

int& disagreements() {
  static int count = 0;
  return count;
}

void comparison::agree(bool same) {
  if (same) return;
  agreed_ = false;
  ++disagreements();
  state_->SkipWithError("hpk and the hand-written loop computed different values");
}

double comparison::seconds(const side& s, std::int64_t count) {
  const double start = now();
  s.repeat(s.object, count);
  return now() - start;
}

// How many calls make a sample.
std::int64_t comparison::calibrate(const side& s) {
  const double wanted = current_plan().sample;
  for (std::int64_t count = 1;;) {
    const double took = shared(seconds(s, count));
    if (took >= wanted) return count;
    const double factor = took > 0 ? 1.2 * wanted / took : 10;
    count =
        static_cast<std::int64_t>(static_cast<double>(count) * std::clamp(factor, 1.5, 10.0)) + 1;
  }
}

void comparison::settle(const side& s, std::int64_t count) {
  for (const double end = now() + current_plan().settle; is_before(end);) seconds(s, count);
}

// The first launches of a kernel may take a hundred times as long as later ones.
std::int64_t comparison::settle_and_calibrate(const side& s) {
  settle(s, calibrate(s));
  return calibrate(s);
}

// The median time of a call in one round.
double comparison::batch(const side& s, std::int64_t count) {
  const plan& p = current_plan();
  settle(s, count);
  std::vector<double> samples;
  for (const double end = now() + p.timed; samples.empty() || is_before(end);)
    samples.push_back(seconds(s, count) / static_cast<double>(count));
  return quantile(std::move(samples), 0.5);
}

void comparison::sample(const side& hpk, const side& hand) {
  const plan& p = current_plan();
  if (!agreed_) return;
  std::vector<double> hpk_times;
  std::vector<double> hand_times;
  std::vector<double> ratios;
  if (p.check_only) {
    hpk_times = {seconds(hpk, 1)};
    hand_times = {seconds(hand, 1)};
    ratios = {1};
  } else {
    const std::int64_t hpk_count = settle_and_calibrate(hpk);
    const std::int64_t hand_count = settle_and_calibrate(hand);
    const double end = now() + p.budget;
    for (int round = 0; round < p.least_rounds || is_before(end); ++round) {
      // Who goes first alternates, so that drift favours neither.
      if (round % 2 == 0) {
        hpk_times.push_back(batch(hpk, hpk_count));
        hand_times.push_back(batch(hand, hand_count));
      } else {
        hand_times.push_back(batch(hand, hand_count));
        hpk_times.push_back(batch(hpk, hpk_count));
      }
      ratios.push_back(hand_times.back() / hpk_times.back());
    }
  }
  const double hpk_median = quantile(hpk_times, 0.5);
  state_->counters["hpk_ns"] = hpk_median * 1e9;
  state_->counters["hand_ns"] = quantile(hand_times, 0.5) * 1e9;
  // Of the rounds' own ratios: the two batches of a round see the same clock rate and neighbours.
  state_->counters["ratio"] = quantile(ratios, 0.5);
  state_->counters["ratio_q1"] = quantile(ratios, 0.25);
  state_->counters["ratio_q3"] = quantile(ratios, 0.75);
  state_->counters["rounds"] = static_cast<double>(ratios.size());
  state_->SetIterationTime(hpk_median);
}

void add(std::string_view topic, std::string_view space, std::string_view variant, index_t n,
         std::function<void(comparison&)> setup) {
  std::string name;
  for (const std::string_view part : {topic, space, variant}) name.append(part).append("/");
  name += std::to_string(n);
  benchmark::RegisterBenchmark(name.c_str(),
                               [setup = std::move(setup)](benchmark::State& state) {
                                 for ([[maybe_unused]] auto _ : state) {
                                   comparison pair(state);
                                   setup(pair);
                                 }
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

array work_array(int which, index_t n) {
  constexpr index_t longest = index_t{1} << 25;
  // 17 cache lines apart, so that equal indices of two arrays never share the low bits of an
  // address.
  constexpr index_t step = index_t{17} * 8;
  static std::vector<hpk::View<double*, hpk::HostSpace>> blocks(4);
  auto& block = blocks[static_cast<std::size_t>(which)];
  if (block.size() == 0) {
    block = hpk::View<double*, hpk::HostSpace>(
        hpk::view_alloc("work array", hpk::WithoutInitializing), longest + 4 * step);
  }
  return array(block.data() + which * step, n);
}

void fill_integers(const array& a, int modulus) {
  hpk::parallel_for(hpk::RangePolicy<>(index_t{0}, static_cast<index_t>(a.size())),
                    [=](index_t i) { a(i) = static_cast<double>(i % modulus + 1); });
}

}  // namespace bench
