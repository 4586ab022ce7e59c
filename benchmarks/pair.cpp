// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pair.hpp"

#include <utility>
#include <vector>

namespace bench {

bool take_options(int argc, char** argv, bool* numbers) {
  int kept = 1;
  for (int k = 1; k < argc; ++k) {
    const std::string_view option = argv[k];
    if (option == "--quick") {
      current_plan().be_quick();
    } else if (option == "--check") {
      current_plan().check_only = true;
    } else if (option == "--numbers" && numbers != nullptr) {
      *numbers = true;
    } else {
      argv[kept++] = argv[k];
    }
  }
  benchmark::Initialize(&kept, argv);
  if (benchmark::ReportUnrecognizedArguments(kept, argv)) return false;
  benchmark::AddCustomContext("compiler", HPK_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", HPK_BENCH_FLAGS);
  benchmark::AddCustomContext("configuration", hpk::configuration(hpk::configuration_format::json));
  return true;
}

int run_pairs(benchmark::BenchmarkReporter* reporter) {
  const std::size_t pairs = benchmark::RunSpecifiedBenchmarks(reporter);
  benchmark::Shutdown();
  if (pairs == 0) return 2;
  return disagreements() == 0 ? 0 : 1;
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

void comparison::sample(const side& hpk, const side& hand) {
  const plan& p = current_plan();
  if (!agreed_) return;
  std::vector<double> hpk_times;
  std::vector<double> hand_times;
  std::vector<double> ratios;
  if (p.check_only) {
    hpk_times = {hpk.seconds(1)};
    hand_times = {hand.seconds(1)};
    ratios = {1};
  } else {
    const std::int64_t hpk_count = hpk.calibrate();
    const std::int64_t hand_count = hand.calibrate();
    const double end = now() + p.budget;
    for (int round = 0; round < p.least_rounds || is_before(end); ++round) {
      // The first side alternates, so that drift favours neither.
      if (round % 2 == 0) {
        hpk_times.push_back(hpk.batch(hpk_count));
        hand_times.push_back(hand.batch(hand_count));
      } else {
        hand_times.push_back(hand.batch(hand_count));
        hpk_times.push_back(hpk.batch(hpk_count));
      }
      ratios.push_back(hand_times.back() / hpk_times.back());
    }
  }
  const double hpk_median = quantile(hpk_times, 0.5);
  state_->counters["hpk_ns"] = hpk_median * 1e9;
  state_->counters["hand_ns"] = quantile(hand_times, 0.5) * 1e9;
  // Computed from the ratio of each round: its two batches see the same clock rate and other
  // programs.
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
