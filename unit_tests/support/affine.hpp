// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine maps x -> a x + b. Their composition is associative but not commutative, so tests can
// check that joins are in order.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstdint>

namespace hpk_test {

struct affine {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  friend HPK_FUNCTION bool operator==(const affine& x, const affine& y) {
    return x.a == y.a && x.b == y.b;
  }
};
/// The map that applies `first`, then `second`.
HPK_FUNCTION inline affine then(const affine& first, const affine& second) {
  return {second.a * first.a, second.a * first.b + second.b};
}
/// An affine map that composes by += and declares that its joins do not commute.
struct ordered_affine : affine {
  static constexpr bool commutes = false;
  HPK_FUNCTION ordered_affine& operator+=(const affine& next) {
    static_cast<affine&>(*this) = then(*this, next);
    return *this;
  }
};
/// The map of iteration i.
HPK_FUNCTION inline affine map_of(std::int64_t i) {
  return {2 * static_cast<std::uint64_t>(i) + 3, static_cast<std::uint64_t>(i * i + 1)};
}

}  // namespace hpk_test
