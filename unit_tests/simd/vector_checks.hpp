// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the operators of vectors of all types against a model, for the files vector*.cpp.
#pragma once

#include "lanes.hpp"

namespace simd_test {

// Calls check with both operands as vectors and as arrays, in several rounds.
template <class V, class F>
void rounds(const F& check) {
  using T = typename V::value_type;
  random_bits random;
  numbers<T, V::size()> a, b;
  for (int round = 0; round < 24; ++round) {
    a.fill(random, round);
    b.fill(random, round);
    check(a.of, b.of, V(a.of), V(b.of));
  }
}

#define BINARY(op)                                                                           \
  expect(#op, va op vb,                                                                      \
         [&](int i) { return model(a[i], b[i], [](auto x, auto y) { return x op y; }); });   \
  {                                                                                          \
    V changed = va;                                                                          \
    changed op## = vb;                                                                       \
    expect(#op "=", changed,                                                                 \
           [&](int i) { return model(a[i], b[i], [](auto x, auto y) { return x op y; }); }); \
  }
#define COMPARE(op) expect(#op, va op vb, [&](int i) { return a[i] op b[i]; });

struct arithmetic {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    rounds<V>([](const T* a, const T* b, V va, V vb) {
      BINARY(+)
      BINARY(-)
      BINARY(*)
      COMPARE(==)
      COMPARE(!=)
      COMPARE(<)
      COMPARE(<=)
      COMPARE(>)
      COMPARE(>=)
      expect("+v", +va, [&](int i) { return a[i]; });
      expect("-v", -va, [&](int i) {
        if constexpr (std::is_integral_v<T>)
          return static_cast<T>(0u - static_cast<std::uint64_t>(a[i]));
        else
          return -a[i];
      });
      expect("!v", !va, [&](int i) { return a[i] == T(0); });
      V next = va;
      expect("v++", next++, [&](int i) { return a[i]; });
      expect("++", next,
             [&](int i) { return model(a[i], T(1), [](auto x, auto y) { return x + y; }); });
      expect("v--", next--,
             [&](int i) { return model(a[i], T(1), [](auto x, auto y) { return x + y; }); });
      next = va;
      expect("--", --next,
             [&](int i) { return model(a[i], T(1), [](auto x, auto y) { return x - y; }); });
      expect("with a number", va * 3,
             [&](int i) { return model(a[i], T(3), [](auto x, auto y) { return x * y; }); });
      expect("a number first", T(7) - va,
             [&](int i) { return model(T(7), a[i], [](auto x, auto y) { return x - y; }); });
    });
  }
};

}  // namespace simd_test
