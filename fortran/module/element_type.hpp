// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of descriptors, for files that include the header of the Fortran compiler.
#pragma once

#include <ISO_Fortran_binding.h>
#include <cstddef>

namespace hpk::detail::fortran {

/// An element type: an hpk_type, or 0 for types that Views do not have; and its size in bytes.
struct element_type {
  int number;
  std::size_t size;
};
element_type element_type_of(const CFI_cdesc_t& from) noexcept;

}  // namespace hpk::detail::fortran
