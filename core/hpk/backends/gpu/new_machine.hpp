// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the .cpp of a GPU backend makes its machines: fences of the whole program reach the backend
// from its first instance on, the default one or another.
#pragma once

#include <hpk/seam/machine.hpp>
#include <hpk/tools/started_backends.hpp>

namespace hpk::gpu {

/// A machine of Exec, made of `from`, whose backend is registered.
template <class Exec, class... From>
seam::machine<Exec>* new_machine(const From&... from) {
  auto* const made = new seam::machine<Exec>(from...);
  seam::register_backend(&seam::machine<Exec>::fence_all, made->tool_id());
  return made;
}

}  // namespace hpk::gpu
