// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of all functions of HPK_FORTRAN in this program.
#pragma once

#include <hpk/fortran/detail/kernel.hpp>

namespace hpk::detail::fortran {

/// The first kernel; null if there is none. The list ends with a null `next`.
const kernel* first_kernel();

}  // namespace hpk::detail::fortran
