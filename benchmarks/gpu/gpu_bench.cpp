// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk on a GPU beside what one writes by hand for it: STREAM triad and copies against a kernel and
// the vendor's memcpy, the launch of an empty kernel against a bare launch, sum and prefix sum
// against the vendor's library of primitives. Both sides take turns, so that clocks and neighbours
// hit both; the table holds medians. Needs no library of benchmarks, which such machines lack.
#include <hpk/core.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#if HPK_ENABLE_CUDA
#include <cub/cub.cuh>
#define GPU(name) cuda##name
#define HPK_BENCH_PRIMITIVES 1
namespace primitives = cub;
using space = hpk::Cuda;
#elif HPK_ENABLE_HIP
#define GPU(name) hip##name
#if __has_include(<hipcub/hipcub.hpp>)
#include <hipcub/hipcub.hpp>
#define HPK_BENCH_PRIMITIVES 1
namespace primitives = hipcub;
#else
#define HPK_BENCH_PRIMITIVES 0
#endif
using space = hpk::HIP;
#endif

namespace {

using hpk::index_t;
using array = hpk::View<double*, space>;
using clock_type = std::chrono::steady_clock;

void check(GPU(Error_t) error, const char* call) {
  if (error == GPU(Success)) return;
  std::fprintf(stderr, "gpu_bench: %s: %s\n", call, GPU(GetErrorString)(error));
  std::exit(1);
}

GPU(Stream_t) stream() { return static_cast<GPU(Stream_t)>(space().instance().stream()->native); }

// Seconds of one call, of `calls` in a row.
template <class Work>
double seconds(int calls, const Work& work) {
  check(GPU(StreamSynchronize)(stream()), "StreamSynchronize");
  const auto start = clock_type::now();
  for (int k = 0; k < calls; ++k) work();
  check(GPU(StreamSynchronize)(stream()), "StreamSynchronize");
  return std::chrono::duration<double>(clock_type::now() - start).count() / calls;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool all_met = true;

// Runs both sides in turns and prints a row. The ratio is time by hand over time of hpk.
template <class Hand, class Ours>
void row(const char* name, const char* hand_name, double bytes, int calls, double limit,
         const Hand& hand, const Ours& ours) {
  constexpr int rounds = 21;
  std::vector<double> by_hand;
  std::vector<double> by_hpk;
  std::vector<double> ratios;
  seconds(1, hand);
  seconds(1, ours);
  for (int k = 0; k < rounds; ++k) {
    by_hand.push_back(seconds(calls, hand));
    by_hpk.push_back(seconds(calls, ours));
    ratios.push_back(by_hand.back() / by_hpk.back());
  }
  const double ratio = median(ratios);
  const bool met = ratio >= limit;
  all_met = all_met && met;
  std::printf("| %-16s | %-22s | %10.2f | %10.2f | %8.1f | %5.3f | %5.3f | %-3s |\n", name,
              hand_name, median(by_hand) * 1e6, median(by_hpk) * 1e6, bytes / median(by_hpk) / 1e9,
              ratio, limit, met ? "yes" : "NO");
  std::fflush(stdout);
}

__global__ void triad_by_hand(double* a, const double* b, const double* c, double s, index_t n) {
  const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
__global__ void nothing_by_hand(int) {}

struct nothing {
  HPK_FUNCTION void operator()(int) const {}
};
struct triad {
  array a, b, c;
  double s;
  HPK_FUNCTION void operator()(index_t i) const { a(i) = b(i) + s * c(i); }
};
struct sum {
  array a;
  HPK_FUNCTION void operator()(index_t i, double& s) const { s += a(i); }
};
struct prefix_sum {
  array a, b;
  HPK_FUNCTION void operator()(index_t i, double& s, bool final) const {
    s += a(i);
    if (final) b(i) = s;
  }
};
struct fill_with_index {
  array a;
  HPK_FUNCTION void operator()(index_t i) const { a(i) = static_cast<double>(i % 7); }
};

unsigned blocks(index_t n) { return static_cast<unsigned>((n + 255) / 256); }

void expect_near(const char* what, double found, double wanted) {
  if (std::abs(found - wanted) <= 1e-9 * std::abs(wanted)) return;
  std::fprintf(stderr, "gpu_bench: %s gives %.17g, not %.17g\n", what, found, wanted);
  std::exit(1);
}

double element(const array& a, index_t i) {
  double value = 0;
  space().instance().copy(&value, a.data() + i, sizeof value);
  space().fence();
  return value;
}

void streams(index_t n) {
  const array a("a", static_cast<std::size_t>(n));
  const array b("b", static_cast<std::size_t>(n));
  const array c("c", static_cast<std::size_t>(n));
  hpk::parallel_for(n, fill_with_index{b});
  hpk::parallel_for(n, fill_with_index{c});
  const double bytes = static_cast<double>(n) * sizeof(double);
  const std::string size = " " + std::to_string(n);
  row(("triad" + size).c_str(), "kernel", 3 * bytes, 10, 0.95,
      [&] { triad_by_hand<<<blocks(n), 256, 0, stream()>>>(a.data(), b.data(), c.data(), 3.0, n); },
      [&] { hpk::parallel_for("triad", n, triad{a, b, c, 3.0}); });
  expect_near("triad", element(a, n - 2), 4.0 * static_cast<double>((n - 2) % 7));
  row(("copy" + size).c_str(), "memcpy", 2 * bytes, 10, 0.95,
      [&] {
        check(GPU(MemcpyAsync)(a.data(), b.data(), static_cast<std::size_t>(n) * sizeof(double),
                               GPU(MemcpyDeviceToDevice), stream()),
              "MemcpyAsync");
      },
      [&] { hpk::deep_copy(space(), a, b); });
}

#if HPK_BENCH_PRIMITIVES
void folds(index_t n) {
  const array a("a", static_cast<std::size_t>(n));
  const array b("b", static_cast<std::size_t>(n));
  const hpk::View<double, space> ours("ours");
  const hpk::View<double, space> hand("hand");
  hpk::parallel_for(n, fill_with_index{a});
  const double bytes = static_cast<double>(n) * sizeof(double);
  const std::string size = " " + std::to_string(n);
  const auto count = static_cast<int>(n);
  std::size_t needed = 0;
  check(primitives::DeviceReduce::Sum(nullptr, needed, a.data(), hand.data(), count, stream()),
        "DeviceReduce::Sum");
  std::size_t needed_by_scan = 0;
  check(primitives::DeviceScan::InclusiveSum(nullptr, needed_by_scan, a.data(), b.data(), count,
                                             stream()),
        "DeviceScan::InclusiveSum");
  needed = std::max(needed, needed_by_scan);
  const hpk::View<char*, space> work("work", needed);
  row(("reduce" + size).c_str(), "DeviceReduce::Sum", bytes, 10, 0.8,
      [&] {
        std::size_t have = needed;
        check(primitives::DeviceReduce::Sum(work.data(), have, a.data(), hand.data(), count,
                                            stream()),
              "DeviceReduce::Sum");
      },
      [&] { hpk::parallel_reduce("sum", n, sum{a}, ours); });
  double by_hpk = 0;
  double by_hand = 0;
  hpk::deep_copy(by_hpk, ours);
  hpk::deep_copy(by_hand, hand);
  expect_near("reduce", by_hpk, by_hand);
  row(("scan" + size).c_str(), "DeviceScan::Inclusive", 2 * bytes, 10, 0.8,
      [&] {
        std::size_t have = needed;
        check(primitives::DeviceScan::InclusiveSum(work.data(), have, a.data(), b.data(), count,
                                                   stream()),
              "DeviceScan::InclusiveSum");
      },
      [&] { hpk::parallel_scan("prefix sum", n, prefix_sum{a, b}); });
  expect_near("scan", element(b, n - 1), by_hand);
}
#endif

}  // namespace

int main() {
  try {
    std::printf("%s\n", hpk::configuration().c_str());
    std::printf("| what and size | by hand | by hand us | hpk us | GB/s | ratio | limit | met |\n");
    std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    row(
        "launch", "bare launch", 0, 1000, 1 / 1.15,
        [] { nothing_by_hand<<<1, 256, 0, stream()>>>(0); },
        [] { hpk::parallel_for("nothing", 1, nothing{}); });
    for (const index_t n : {index_t{1} << 20, index_t{1} << 24, index_t{1} << 27}) streams(n);
#if HPK_BENCH_PRIMITIVES
    for (const index_t n : {index_t{1} << 20, index_t{1} << 24, index_t{1} << 27}) folds(n);
#else
    std::printf("(reduce and scan are left out: hipCUB was not found)\n");
#endif
  } catch (const std::exception& caught) {
    std::fprintf(stderr, "gpu_bench: %s\n", caught.what());
    return 1;
  }
  std::printf(all_met ? "all limits are met\n" : "a limit is not met\n");
  return 0;
}
