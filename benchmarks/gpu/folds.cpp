// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and prefix sums of arrays, beside the vendor's primitives.
#include <primitives.hpp>
#include <rows.hpp>

#include <algorithm>
#include <cstdio>

namespace gpu_bench {

#if GPU_BENCH_HAS_PRIMITIVES
namespace {

struct fold_limits {
  double into_view, into_variable, scan;
};

template <class T>
void folds_of(const std::string& type, int exponent, fold_limits limits) {
  const index_t n = index_t{1} << exponent;
  const std::string size = " of 2^" + std::to_string(exponent) + " " + type;
  const std::string by_hand = std::string(", by hand: ") + primitives_name;
  const int count = static_cast<int>(n);
  const int calls = exponent > 25 ? 5 : 20;
  const array<T> in("in", n);
  const array<T> hand("hand", n);
  const array<T> ours("ours", n);
  const array<T> sum_by_hand("sum by hand", 1);
  const hpk::View<T, space> sum("sum");
  // Few ones, so that sums of floats are exact in any order.
  hpk::parallel_for(
      range(n), HPK_LAMBDA(index_t i) { in(i) = static_cast<T>(i % 64 == 0 ? 1 : 0); });

  std::size_t bytes = 0;
  check(
      primitives::DeviceReduce::Sum(nullptr, bytes, in.data(), sum_by_hand.data(), count, stream()),
      "DeviceReduce::Sum");
  std::size_t bytes_of_scan = 0;
  check(primitives::DeviceScan::InclusiveSum(nullptr, bytes_of_scan, in.data(), hand.data(), count,
                                             stream()),
        "DeviceScan::InclusiveSum");
  const array<char> scratch("scratch", std::max(bytes, bytes_of_scan));
  const auto reduce_by_hand = [=] {
    std::size_t have = bytes;
    check(primitives::DeviceReduce::Sum(scratch.data(), have, in.data(), sum_by_hand.data(), count,
                                        stream()),
          "DeviceReduce::Sum");
  };
  const auto copied = [=] {
    T value = 0;
    hpk::deep_copy(value, hpk::subview(sum_by_hand, 0));
    return value;
  };

  compare(
      {"sum" + size + " into a View" + by_hand, limits.into_view, calls}, reduce_by_hand,
      [=] {
        hpk::parallel_reduce("sum", range(n), HPK_LAMBDA(index_t i, T & s) { s += in(i); }, sum);
      },
      [=] {
        T value = 0;
        hpk::deep_copy(value, sum);
        return value == copied();
      });
  T variable_by_hand = 0;
  T variable = 0;
  compare(
      {"sum" + size + " into a variable" + by_hand + " and a copy", limits.into_variable, calls},
      [&] {
        reduce_by_hand();
        check(GPU(MemcpyAsync)(&variable_by_hand, sum_by_hand.data(), sizeof(T),
                               GPU(MemcpyDeviceToHost), stream()),
              "MemcpyAsync");
        check(GPU(StreamSynchronize)(stream()), "StreamSynchronize");
      },
      [&] {
        hpk::parallel_reduce(
            "sum", range(n), HPK_LAMBDA(index_t i, T & s) { s += in(i); }, variable);
      },
      [&] { return variable == variable_by_hand; });
  compare(
      {"scan" + size + by_hand, limits.scan, calls},
      [=] {
        std::size_t have = bytes_of_scan;
        check(primitives::DeviceScan::InclusiveSum(scratch.data(), have, in.data(), hand.data(),
                                                   count, stream()),
              "DeviceScan::InclusiveSum");
      },
      [=] {
        hpk::parallel_scan(
            "scan", range(n), HPK_LAMBDA(index_t i, T & s, bool final) {
              s += in(i);
              if (final) ours(i) = s;
            });
      },
      [=] { return same(hand, ours); });
}

}  // namespace

void folds() {
  folds_of<double>("doubles", 27, {0.95, 0.95, 0.85});
  folds_of<float>("floats", 27, {0.9, 0.95, 0.7});
  folds_of<double>("doubles", 20, {0.95, 1.0, 0.7});
  folds_of<int>("ints", 24, {0.85, 1.0, 0.65});
}
#else
void folds() { std::printf("(sums and scans are left out: hipCUB was not found)\n"); }
#endif

}  // namespace gpu_bench
