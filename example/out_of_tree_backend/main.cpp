// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for, reduce and scan on a backend outside of hpk, compared with Serial bit for bit: the patterns
// are hpk's, so the results are equal too. Exit code 0 if all are equal.
#include <hpk/core.hpp>

#include "tbb_backend.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

constexpr int n = 1'000'003;

/// Results of the three patterns on one space.
template <class Space>
struct answers {
  hpk::View<double*, Space> roots{"roots", n};
  hpk::View<double*, Space> sums{"sums", n};
  double total = 0;

  explicit answers(const Space& space) {
    const hpk::RangePolicy all(space, 0, n);
    hpk::parallel_for("roots", all, [r = roots](int i) { r(i) = std::sqrt(1.0 + i) - 500.0; });
    hpk::parallel_reduce("total", all, [r = roots](int i, double& sum) { sum += r(i); }, total);
    hpk::parallel_scan("sums", all, [r = roots, s = sums](int i, double& sum, bool final) {
      sum += r(i);
      if (final) s(i) = sum;
    });
  }
};

bool same(const char* what, const void* a, const void* b, std::size_t bytes) {
  const bool equal = std::memcmp(a, b, bytes) == 0;
  std::printf("  %-8s %s\n", what, equal ? "same bits as Serial" : "differs from Serial");
  return equal;
}

bool compare(const tbb_backend::TBB& tbb) {
  const answers<hpk::Serial> expected{hpk::Serial()};
  const answers<tbb_backend::TBB> found(tbb);
  std::printf("%s, %d workers\n", tbb.name(), tbb.concurrency());
  bool equal = same("for", expected.roots.data(), found.roots.data(), n * sizeof(double));
  equal &= same("reduce", &expected.total, &found.total, sizeof(double));
  equal &= same("scan", expected.sums.data(), found.sums.data(), n * sizeof(double));
  return equal;
}

/// A kernel throws in several iterations; the caller must get the exception of the lowest one.
bool reports_lowest_failure(const tbb_backend::TBB& tbb) {
  try {
    hpk::parallel_for("throws", hpk::RangePolicy(tbb, 0, n), [](int i) {
      if (i % 1000 == 999) throw std::runtime_error("iteration " + std::to_string(i));
    });
  } catch (const std::runtime_error& failure) {
    std::printf("  throw    %s\n", failure.what());
    return std::string(failure.what()) == "iteration 999";
  }
  return false;
}

}  // namespace

int main(int argc, char* argv[]) {
  const hpk::ScopeGuard scope(argc, argv);
  const tbb_backend::TBB five(5);
  bool good = compare(tbb_backend::TBB());
  good &= compare(five);
  good &= reports_lowest_failure(five);
  return good ? 0 : 1;
}
