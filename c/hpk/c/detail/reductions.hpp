// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of views without gaps, one function for each operation.
#pragma once

#include <hpk/c/hpk.h>

#include <cstdint>

namespace hpk::detail::c {

hpk_scalar sum_of(const char* function, const hpk_view& view, const hpk_instance* on);
hpk_scalar product_of(const char* function, const hpk_view& view, const hpk_instance* on);
std::int64_t count_of_nonzero(const char* function, const hpk_view& view, const hpk_instance* on);
hpk_scalar dot_of(const char* function, const hpk_view& x, const hpk_view& y,
                  const hpk_instance* on);
/// Throw for complex numbers.
///@{
hpk_scalar minimum_of(const char* function, const hpk_view& view, const hpk_instance* on);
hpk_scalar maximum_of(const char* function, const hpk_view& view, const hpk_instance* on);
///@}

}  // namespace hpk::detail::c
