// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One access to a View with 32-bit indices, and one to a View with 64-bit indices, for each layout.
// index_types.py counts their 64-bit multiplications. Host compilers compile it as C++.
#include <hpk/core.hpp>

namespace {
template <class Layout, class I>
using cube = hpk::View<double, hpk::dextents<I, 3>, Layout, hpk::HostSpace, hpk::MemoryUnmanaged>;
template <class I>
using fixed = hpk::View<double, hpk::extents<I, 5, hpk::dynamic_extent, 7>, hpk::LayoutLeft,
                        hpk::HostSpace, hpk::MemoryUnmanaged>;
}  // namespace

#define HPK_TEST_ACCESS(name, bits, ...)                                                      \
  extern "C" HPK_TEST_ENTRY void access_##name##_##bits(const __VA_ARGS__ view, int i, int j, \
                                                        int k, double* out) {                 \
    *out = view(i, j, k);                                                                     \
  }
#define HPK_TEST_ACCESSES(bits, index)                          \
  HPK_TEST_ACCESS(left, bits, cube<hpk::LayoutLeft, index>)     \
  HPK_TEST_ACCESS(right, bits, cube<hpk::LayoutRight, index>)   \
  HPK_TEST_ACCESS(stride, bits, cube<hpk::LayoutStride, index>) \
  HPK_TEST_ACCESS(fixed, bits, fixed<index>)
HPK_TEST_ACCESSES(32, int)
HPK_TEST_ACCESSES(64, long)
