// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of few launches that is built in several ways. Its argument changes it: longer Views
// ("shape"), elements of another type ("type"), an additional View ("views"), another policy
// ("policy"), another pattern ("pattern"), fewer launches ("fewer"), a signal that kills it
// ("killed"), a kernel that fails ("throws"), another pattern that fails ("pattern throws"),
// another thread that launches ("threads").
#include <hpk/core.hpp>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <thread>

// check.py sets a breakpoint here.
extern "C" __attribute__((noinline)) void stop_here(int i) { asm volatile("" : : "r"(i)); }

#ifndef HPK_TEST_FACTOR
#define HPK_TEST_FACTOR 1
#endif
// In read-only memory.
extern const double factors[100];
const double factors[100] = {HPK_TEST_FACTOR, 2, 3};

namespace {

template <class T>
void run(std::string_view change) {
  const int n = change == "shape" ? 200 : 100;
  const hpk::View<T*> x("x", n), y("y", n);
  for (int k = 0; k < (change == "fewer" ? 2 : 3); ++k) {
    if (change == "views") {
      hpk::parallel_for("fill", 100, HPK_LAMBDA(int i) { y(i) = x(i) = T(i * k); });
    } else if (change == "policy") {
      hpk::parallel_for(
          "fill", hpk::RangePolicy<>(10, 100), HPK_LAMBDA(hpk::index_t i) { x(i) += T(i * k); });
    } else if (change.starts_with("pattern")) {
      T sum = 0;
      const bool fails = change != "pattern" && k == 2;
      try {
        hpk::parallel_reduce(
            "fill", 100,
            HPK_LAMBDA(int i, T& u) {
              u += x(i);
              if (fails) throw std::runtime_error("no");
            },
            sum);
      } catch (const std::runtime_error&) {
      }
    } else if (change == "throws") {
      try {
        hpk::parallel_for(
            "fill", 100, HPK_LAMBDA(int i) {
              x(i) += T(i * k);
              if (k == 2) throw std::runtime_error("no");
            });
      } catch (const std::runtime_error&) {
      }
    } else {
      hpk::parallel_for(
          "fill", 100, HPK_LAMBDA(int i) {
            if (i == 17) stop_here(i);
            x(i) += T(i * k);
          });
    }
    if (change == "killed" && k == 1) std::raise(SIGKILL);
  }
  const hpk::View<const double*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>> table(factors,
                                                                                          100);
  hpk::parallel_for("table", 100, HPK_LAMBDA(int i) { y(i) = T(table(i)); });
  // Two patterns with one label.
  T sum = 0;
  for (int k = 0; k < 2; ++k) {
    hpk::parallel_for("both", 100, HPK_LAMBDA(int i) { x(i) += T(i); });
    hpk::parallel_reduce("both", 100, HPK_LAMBDA(int i, T& u) { u += x(i); }, sum);
  }
  std::printf("sum %g\n", double(sum));
}

}  // namespace

// Another thread reduces while this one launches, until one of them replays and ends the program.
[[noreturn]] void run_beside_another() {
  std::thread([] {
    for (double sum = 0;;)
      hpk::parallel_reduce(
          "beside", hpk::RangePolicy<hpk::Serial>(0, 10), [](int i, double& u) { u += i; }, sum);
  }).detach();
  for (;;) run<double>("");
}

int main(int argc, char** argv) try {
  if (argc > 1 && std::string_view(argv[1]) == "threads") run_beside_another();
  const hpk::ScopeGuard guard(argc, argv);
  const std::string_view change = argc > 1 ? argv[1] : "";
  if (change == "type") {
    run<float>(change);
  } else {
    run<double>(change);
  }
} catch (const hpk::error& wrong) {
  std::fprintf(stderr, "error: %s\n", wrong.what());
  return 2;
}
