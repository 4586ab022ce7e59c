// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of a compiled kernel text: what the Python module hands to the function that it
// compiled.
#pragma once

#include <hpk/c/hpk.h>

#include <cstdint>

namespace hpk::python {

/// The arguments of one call. All pointers are valid until the function returns.
struct kernel_call {
  const hpk_view* const* views;  ///< the arrays, in the order of the source
  const hpk_scalar* scalars;     ///< the numbers, in the order of the source
  const std::int64_t* ranges;    ///< begin and end of each index
  const hpk_instance* instance;  ///< null: the default instance
  const char* label;             ///< the name of the kernel
  hpk_scalar* result;            ///< of a reduction; otherwise null
  int waits;                     ///< whether the function fences the instance
};

/// The compiled function.
using kernel_function = hpk_status (*)(const kernel_call*);

/// The name of the function in each compiled file.
inline constexpr const char* kernel_symbol = "hpk_python_kernel";

}  // namespace hpk::python
