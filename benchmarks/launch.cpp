// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch latency: a parallel_for whose body does nothing but stay, beside a bare parallel loop
// (Serial: a plain loop) with the same body.
#include "pair.hpp"
#include "topics.hpp"

namespace bench {

namespace {

// Keeps the loop and nothing else.
inline void stay(int i) { asm volatile("" : : "r"(i) : "memory"); }

void bare_loop(int n) {
  for (int i = 0; i < n; ++i) stay(i);
}

void bare_parallel_loop(int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) stay(i);
}

template <class Space>
void compare(comparison& pair, int n) {
  const auto kernel = [](int i) { stay(i); };
  pair.time([&] { hpk::parallel_for("empty", hpk::RangePolicy<Space>(0, n), kernel); },
            [&] {
              if constexpr (is_serial<Space>) {
                bare_loop(n);
              } else {
                bare_parallel_loop(n);
              }
            });
}

}  // namespace

void add_launch() {
  for_each_space([](auto space) {
    using type = decltype(space);
    for (const int n : {0, 1, 1000})
      add("launch", type::name(), "empty", n, [n](comparison& pair) { compare<type>(pair, n); });
  });
}

}  // namespace bench
