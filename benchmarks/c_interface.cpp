// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms of the C interface, whose element type is a value, compared with the same algorithms
// of C++, whose element type is known when they are compiled.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/algorithms.hpp>

#include <hpk/c/view.hpp>

#include <cstdint>
#include <memory>

namespace bench {

namespace {

using row = hpk::View<double*, hpk::LayoutRight, hpk::HostSpace>;

// The same elements as a View and as a view.
struct both {
  explicit both(index_t n) : view("x", n), c(hpk::to_c(view), hpk_view_release) {
    hpk::fill_random(view, hpk::CounterRandom<>(1), -1.0, 1.0);
  }
  row view;
  std::shared_ptr<hpk_view> c;
};

void sum(comparison& pair, index_t n) {
  const both x(n);
  const auto by_c = [=] {
    hpk_scalar result;
    hpk_reduce(x.c.get(), "sum", nullptr, &result);
    return result.f;
  };
  const auto by_cpp = [=] {
    double result = 0;
    const row v = x.view;
    hpk::parallel_reduce(n, HPK_LAMBDA(index_t i, double& part) { part += v(i); }, result);
    return result;
  };
  pair.agree(std::abs(by_c() - by_cpp()) < 1e-6);
  pair.time(by_c, by_cpp);
}

void scan(comparison& pair, index_t n) {
  const both x(n), to(n);
  const auto by_c = [=] { return hpk_scan(to.c.get(), x.c.get(), "sum", 0, nullptr); };
  const auto by_cpp = [=] {
    const hpk::DefaultHostExecutionSpace exec;
    hpk::Experimental::inclusive_scan("scan", exec, x.view, to.view);
    return 0;
  };
  by_c();
  const double last = to.view(n - 1);
  by_cpp();
  hpk::fence();
  pair.agree(std::abs(last - to.view(n - 1)) < 1e-6);
  pair.time(by_c, by_cpp);
}

void sort(comparison& pair, index_t n) {
  const both x(n), sorted(n);
  const auto by_c = [=] {
    hpk::deep_copy(sorted.view, x.view);
    return hpk_sort(sorted.c.get(), 0, nullptr);
  };
  const auto by_cpp = [=] {
    hpk::deep_copy(sorted.view, x.view);
    hpk::sort(hpk::DefaultHostExecutionSpace(), sorted.view);
    return 0;
  };
  by_c();
  const double least = sorted.view(0);
  by_cpp();
  pair.agree(least == sorted.view(0));
  pair.time(by_c, by_cpp);
}

void fill(comparison& pair, index_t n) {
  const both x(n);
  const hpk_scalar three{HPK_TYPE_INT64, 3, 3, 3, 0};
  const auto by_c = [=] { return hpk_view_fill(x.c.get(), &three, nullptr); };
  const auto by_cpp = [=] {
    hpk::deep_copy(hpk::DefaultHostExecutionSpace(), x.view, 3.0);
    return 0;
  };
  by_c();
  pair.agree(x.view(n - 1) == 3);
  pair.time(by_c, by_cpp);
}

}  // namespace

void add_c_interface() {
  const char* const space = hpk::DefaultHostExecutionSpace::name();
  for (const index_t n : {100, 100000, 4000000}) {
    add("c interface", space, "sum", n, [=](comparison& pair) { sum(pair, n); });
    add("c interface", space, "scan", n, [=](comparison& pair) { scan(pair, n); });
    add("c interface", space, "sort", n, [=](comparison& pair) { sort(pair, n); });
    add("c interface", space, "fill", n, [=](comparison& pair) { fill(pair, n); });
  }
}

}  // namespace bench
