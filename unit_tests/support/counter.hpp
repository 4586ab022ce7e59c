// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that kernels of any space add to and host code reads. Kernels capture it by value:
//   const counter<Exec> calls;
//   hpk::parallel_for(policy, HPK_LAMBDA(int) { calls.add(1); });
//   EXPECT_EQ(calls.get(), n);
#pragma once

#include <support/spaces.hpp>

namespace hpk_test {

/// The copies of a counter count together.
template <class Exec, class T = long>
class counter {
 public:
  explicit counter(T first = T()) { set(first); }
  /// In a kernel.
  HPK_FUNCTION void add(T x) const { hpk::atomic_add(&value_(), x); }
  /// In a kernel, what has been added so far.
  HPK_FUNCTION T now() const { return hpk::atomic_load(&value_()); }
  /// The number when all work before is done.
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
