// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter that kernels of any space increment and host code reads. Kernels capture it by value:
//   const counter<Exec> calls;
//   hpk::parallel_for(policy, HPK_LAMBDA(int) { calls.add(1); });
//   EXPECT_EQ(calls.get(), n);
#pragma once

#include <support/spaces.hpp>

namespace hpk_test {

/// A counter. Its copies share the count.
template <class Exec, class T = long>
class counter {
 public:
  explicit counter(T first = T()) { set(first); }
  /// Adds x. Called in a kernel.
  HPK_FUNCTION void add(T x) const { hpk::atomic_add(&value_(), x); }
  /// Returns the current count. Called in a kernel.
  HPK_FUNCTION T now() const { return hpk::atomic_load(&value_()); }
  /// Returns the count when all earlier work is done.
  T get() const {
    hpk::fence();
    return value_();
  }
  void set(T x) const {
    hpk::fence();
    value_() = x;
  }

 private:
  hpk::View<T, shared_device<Exec>> value_{"counter"};
};

}  // namespace hpk_test
