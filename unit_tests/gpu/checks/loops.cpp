// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Basic launches, loops with more groups than a grid holds, and functors of every size: up to a few
// KB they are arguments of the kernel, larger ones are copied to the device.
#include <checks.hpp>

#include <cstdio>
#include <cstring>

namespace gpu_checks {

void device() { std::printf("%s\n", hpk::configuration().c_str()); }

void for_loop() {
  for (const int n : {1, 31, 255, 256, 257, on_gpu(1'000'003, 1003)}) {
    const array view("view", n);
    hpk::parallel_for(range(n), HPK_LAMBDA(int i) { view(i) = 3 * i; });
    const auto host = on_host(view);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += host(i) != 3 * i;
    expect_equal("the number of wrong elements", wrong, 0);
  }
}

void many_iterations() {
  using number = unsigned long long;
  const hpk::View<number*, space> seen("seen", 2);
  const hpk::index_t n = on_gpu((hpk::index_t{1} << 33) + 12345, (hpk::index_t{1} << 20) + 8);
  hpk::parallel_for(
      range(n), HPK_LAMBDA(hpk::index_t i) {
        if ((i & 0xfffff) != 7) return;
        hpk::atomic_inc(&seen(0));
        hpk::atomic_max(&seen(1), static_cast<number>(i));
      });
  const auto host = on_host(seen);
  const auto expected = static_cast<number>((n - 8) / 0x100000 + 1);
  expect_equal("the number of iterations that were seen", host(0), expected);
  expect_equal("the last iteration that was seen", host(1), ((expected - 1) << 20) + 7);
}

namespace {

template <int Words>
struct functor_of_words {
  hpk::View<long*, space> sums;
  int words[Words];
  HPK_FUNCTION void operator()(int i) const {
    long sum = 0;
    for (const int word : words) sum += word;
    sums(i) = sum;
  }
};

template <int Words>
void expect_sum_of_words() {
  functor_of_words<Words> body{hpk::View<long*, space>("sums", 3), {}};
  for (int k = 0; k < Words; ++k) body.words[k] = k;
  hpk::parallel_for(range(3), body);
  std::memset(body.words, 0x55, sizeof body.words);  // the functor has already been copied
  expect_equal("the sum of the words", on_host(body.sums)(2), long{Words} * (Words - 1) / 2);
}

}  // namespace

void large_functors() {
  expect_sum_of_words<10>();
  expect_sum_of_words<700>();
  expect_sum_of_words<745>();
  expect_sum_of_words<746>();
  expect_sum_of_words<760>();
  expect_sum_of_words<761>();
  expect_sum_of_words<1000>();
  expect_sum_of_words<25'000>();
}

}  // namespace gpu_checks
