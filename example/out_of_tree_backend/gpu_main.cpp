// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU backend outside of hpk: passes all levels of the conformance tests, and runs the patterns
// with the same results as Serial. Exit code 0 if all tests pass and all results are equal.
#include "inline_gpu.hpp"

#include <hpk/core.hpp>

#include <conformance/conformance.hpp>

#include <cstdio>

namespace {

constexpr int n = 100'003;

template <class Space>
struct answers {
  hpk::View<long*, Space> squares{"squares", n};
  hpk::View<long*, Space> sums{"sums", n};
  long total = 0;

  answers() {
    const hpk::RangePolicy<Space> all(0, n);
    hpk::parallel_for("squares", all, [s = squares](int i) { s(i) = long{i} * i % 1009; });
    hpk::parallel_reduce("total", all, [s = squares](int i, long& sum) { sum += s(i); }, total);
    hpk::parallel_scan("sums", all, [s = squares, out = sums](int i, long& sum, bool final) {
      sum += s(i);
      if (final) out(i) = sum;
    });
    hpk::fence();
    Space().fence();
  }
};

}  // namespace

int main() {
  bool good = true;
  for (const std::string& broken : hpk_conformance::run_all<inline_gpu::InlineGpu>()) {
    std::printf("InlineGpu: %s\n", broken.c_str());
    good = false;
  }
  const answers<hpk::Serial> expected;
  const answers<inline_gpu::InlineGpu> found;
  good = good && expected.total == found.total;
  for (int i = 0; i < n; ++i)
    good = good && expected.squares(i) == found.squares(i) && expected.sums(i) == found.sums(i);
  std::printf("InlineGpu: %s\n", good ? "the ladder is climbed, results as on Serial" : "wrong");
  return good ? 0 : 1;
}
