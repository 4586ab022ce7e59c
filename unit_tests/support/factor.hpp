// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value whose join does not commute, and a user-defined reducer for it: for tests that results
// are joined in order.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstdint>

namespace hpk_test {

/// A 2 x 2 matrix modulo a number.
struct factor {
  std::int64_t a, b, c, d;
  friend HPK_FUNCTION bool operator==(const factor& x, const factor& y) {
    return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
  }
};
HPK_FUNCTION inline factor times(const factor& x, const factor& y) {
  constexpr std::int64_t p = 10007;
  return {(x.a * y.a + x.b * y.c) % p, (x.a * y.b + x.b * y.d) % p, (x.c * y.a + x.d * y.c) % p,
          (x.c * y.b + x.d * y.d) % p};
}
/// Returns the factor of iteration i, or of point (i, j).
HPK_FUNCTION inline factor factor_of(std::int64_t i) {
  return {i % 5 + 1, i % 3, i % 7, i % 2 + 1};
}
HPK_FUNCTION inline factor factor_of(std::int64_t i, std::int64_t j) {
  return {i % 5 + 1, j % 3, (i + j) % 7, j % 2 + 1};
}

/// A reducer that multiplies factors.
struct product {
  using reducer = product;
  using value_type = factor;
  factor* result;
  HPK_FUNCTION void init(factor& value) const { value = {1, 0, 0, 1}; }
  HPK_FUNCTION void join(factor& to, const factor& from) const { to = times(to, from); }
  HPK_FUNCTION factor& reference() const { return *result; }
};

}  // namespace hpk_test
