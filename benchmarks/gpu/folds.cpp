// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and prefix sums of arrays of numbers and objects, compared with the vendor's primitives.
#include <primitives.hpp>
#include <rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>

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
  // Few elements are 1, so that sums of floats are exact in any order.
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

// Three sums at a time, as in programs that sum forces and moments.
struct vector3 {
  double x, y, z;
  HPK_FUNCTION vector3& operator+=(const vector3& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
  }
  friend HPK_FUNCTION vector3 operator+(vector3 a, const vector3& b) { return a += b; }
  friend bool operator==(const vector3& a, const vector3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

// An iterator with which CUB reads a View of numbers as values with locations.
using located = hpk::ValLocScalar<double, int>;
struct locations {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = located;
  using difference_type = std::ptrdiff_t;
  using pointer = const located*;
  using reference = located;
  const double* data;
  std::ptrdiff_t at;
  HPK_FUNCTION located operator*() const { return {data[at], static_cast<int>(at)}; }
  HPK_FUNCTION located operator[](std::ptrdiff_t k) const { return *(*this + k); }
  HPK_FUNCTION locations operator+(std::ptrdiff_t k) const { return {data, at + k}; }
};
struct lesser {
  HPK_FUNCTION located operator()(const located& a, const located& b) const {
    return b.val < a.val || (b.val == a.val && b.loc < a.loc) ? b : a;
  }
};

/// Compares a reduction of `n` values of `in` by CUB with reduce(result), a reduction by hpk.
template <class T, class In, class Join, class Reduce>
void object_row(const std::string& name, double limit, index_t n, const In& in, const Join& join,
                const T& none, const Reduce& reduce) {
  const int count = static_cast<int>(n);
  const array<T> hand("hand", 1);
  const hpk::View<T, space> ours("ours");
  std::size_t bytes = 0;
  check(primitives::DeviceReduce::Reduce(nullptr, bytes, in, hand.data(), count, join, none,
                                         stream()),
        "DeviceReduce::Reduce");
  const array<char> scratch("scratch", bytes);
  compare(
      {name + " into a View, by hand: " + primitives_name, limit, 5},
      [=] {
        std::size_t have = bytes;
        check(primitives::DeviceReduce::Reduce(scratch.data(), have, in, hand.data(), count, join,
                                               none, stream()),
              "DeviceReduce::Reduce");
      },
      [=] { reduce(ours); },
      [=] {
        T a, b;
        hpk::deep_copy(a, ours);
        hpk::deep_copy(b, hpk::subview(hand, 0));
        return a == b;
      });
}

struct plus {
  template <class T>
  HPK_FUNCTION T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

void folds_of_objects() {
  using complex = hpk::complex<double>;
  const index_t n = index_t{1} << 26;
  const array<complex> numbers("numbers", n);
  const array<vector3> vectors("vectors", n);
  const array<double> values("values", n);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(index_t i) {
        const auto few = static_cast<double>(i % 64 == 0);
        numbers(i) = complex(few, 2 * few);
        vectors(i) = {few, 1, -few};
        values(i) = static_cast<double>((i * 7919 + 12345) % 1000003);
      });
  object_row("sum of 2^26 complex numbers", 0.9, n, numbers.data(), plus(), complex(),
             [=](const hpk::View<complex, space>& sum) {
               hpk::parallel_reduce(
                   "sum", range(n), HPK_LAMBDA(index_t i, complex & s) { s += numbers(i); }, sum);
             });
  object_row("sum of 2^26 structs of 3 doubles", 0.9, n, vectors.data(), plus(), vector3{0, 0, 0},
             [=](const hpk::View<vector3, space>& sum) {
               hpk::parallel_reduce(
                   "sum", range(n), HPK_LAMBDA(index_t i, vector3 & s) { s += vectors(i); }, sum);
             });
  object_row("least of 2^26 doubles and its location", 0.9, n, locations{values.data(), 0},
             lesser(), located{1e300, 0}, [=](const hpk::View<located, space>& least) {
               hpk::parallel_reduce(
                   "least", range(n),
                   HPK_LAMBDA(index_t i, located & u) {
                     if (values(i) < u.val) u = {values(i), static_cast<int>(i)};
                   },
                   hpk::MinLoc(least));
             });
}

// Eight sums of a functor whose number of sums is known only at run time. The hand-written kernel
// holds them in registers and makes one atomic addition per sum and warp.
__global__ void moments_by_hand(const double* in, double* out, index_t n) {
  double sums[8] = {};
  const index_t step = index_t{gridDim.x} * blockDim.x;
  for (index_t i = index_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    for (int k = 0; k < 8; ++k) sums[k] += in[i] * (k + 1);
  }
  for (int k = 0; k < 8; ++k) {
    for (int by = 16; by > 0; by >>= 1) sums[k] += shuffle_down(sums[k], by, 32);
    if (threadIdx.x % 32 == 0) atomicAdd(out + k, sums[k]);
  }
}

struct moments {
  using value_type = double[];
  int value_count;
  array<double> in;
  HPK_FUNCTION void operator()(index_t i, double* sums) const {
    for (int k = 0; k < value_count; ++k) sums[k] += in(i) * (k + 1);
  }
};

void folds_of_arrays() {
  const index_t n = index_t{1} << 26;
  const array<double> in("in", n);
  const array<double> hand("hand", 8);
  const array<double> ours("ours", 8);
  hpk::parallel_for(range(n), HPK_LAMBDA(index_t i) { in(i) = i % 64 == 0 ? 1 : 0; });
  compare(
      {"8 sums of 2^26 doubles, their number known at run time", 0.55, 3},
      [=] {
        check(GPU(MemsetAsync)(hand.data(), 0, 64, stream()), "MemsetAsync");
        moments_by_hand<<<1024, 256, 0, stream()>>>(in.data(), hand.data(), n);
      },
      [=] { hpk::parallel_reduce("moments", range(n), moments{8, in}, ours); },
      [=] { return same(hand, ours); });
}

}  // namespace

void folds() {
  folds_of_objects();
  folds_of_arrays();
  folds_of<double>("doubles", 27, {0.95, 0.95, 0.85});
  folds_of<float>("floats", 27, {0.9, 0.95, 0.7});
  folds_of<double>("doubles", 20, {0.95, 1.0, 0.7});
  folds_of<int>("ints", 24, {0.85, 1.0, 0.65});
}
#else
void folds() { std::printf("(sums and scans are left out: hipCUB was not found)\n"); }
#endif

}  // namespace gpu_bench
