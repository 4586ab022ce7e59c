// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects behind type(hpk_view) and type(hpk_instance). A Fortran variable holds a handle: a
// cell, and the number that the cell had when the handle was made. Releasing a handle changes the
// number, so a second release has no effect, and a handle that was released is recognised: gfortran
// finalizes a temporary copy of a derived type with such components after it has copied its bytes
// (known of gfortran 12).
#pragma once

#include <hpk/c/hpk.h>

#include <cstdint>
#include <memory>

/// What the components of type(hpk_handle) in hpk_c.f90 are.
extern "C" struct hpk_fortran_handle {
  void* cell;            ///< null: the variable is empty
  std::uint64_t number;  ///< the number of the cell
};
/// Makes a handle empty. The last handle of an object destroys it.
extern "C" void hpk_fortran_release(hpk_fortran_handle* handle);

namespace hpk::detail::fortran {

/// Makes a handle of an object. The object lives until all its handles are released.
void make_handle(std::shared_ptr<void> object, hpk_fortran_handle& handle);
/// The object of a handle. Throws argument_error, which names `what`, if it is empty or released.
void* object_of(const hpk_fortran_handle& handle, const char* what);

}  // namespace hpk::detail::fortran
