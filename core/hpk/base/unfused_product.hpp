// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product that is rounded before it is added to anything. Formulas that compute the rounding
// error of a product need such products: device compilers replace x * y + z by one operation
// without that error, even if the program stores the product in a variable.
#pragma once

#include <hpk/base/macros.hpp>

#include <type_traits>

namespace hpk::detail {

/// Returns the rounded product x * y of floats or doubles. Host compilers need no instruction,
/// because they fuse only a product without other uses.
template <class T>
HPK_INLINE_FUNCTION T unfused_product(T x, T y) {
  HPK_DETAIL_KEEP_PRODUCTS
  HPK_IF_ON_DEVICE((if constexpr (HPK_HAS_CUDA_COMPILER != 0) {
    if constexpr (std::is_same_v<T, float>) {
      return __fmul_rn(x, y);
    } else {
      return __dmul_rn(x, y);
    }
  }))
  return x * y;
}

}  // namespace hpk::detail
