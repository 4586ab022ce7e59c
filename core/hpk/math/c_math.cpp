// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/math/c_math.hpp>

#include <cmath>

namespace hpk::detail {

static_assert(fp_nan == FP_NAN);
static_assert(fp_infinite == FP_INFINITE);
static_assert(fp_zero == FP_ZERO);
static_assert(fp_subnormal == FP_SUBNORMAL);
static_assert(fp_normal == FP_NORMAL);

}  // namespace hpk::detail
