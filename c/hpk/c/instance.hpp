// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of the C interface as instances of execution spaces.
#pragma once

#include <hpk/c/hpk.h>

namespace hpk {

namespace detail::c {
/// The execution space object of an instance. Throws unless its space has this name.
const void* expect_instance(const hpk_instance* instance, const char* space);
}  // namespace detail::c

/// The instance of an execution space Exec that a C program or another language made; the default
/// instance for null. Throws if the instance is one of another space. The result shares the
/// instance.
template <class Exec>
Exec from_c(const hpk_instance* instance) {
  if (instance == nullptr) return Exec();
  return *static_cast<const Exec*>(detail::c::expect_instance(instance, Exec::name()));
}

}  // namespace hpk
