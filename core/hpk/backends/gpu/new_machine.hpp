// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates the machines of a GPU backend, for its .cpp. The first instance, default or not,
// registers the backend for global fences.
#pragma once

#include <hpk/seam/machine.hpp>
#include <hpk/tools/started_backends.hpp>

namespace hpk::gpu {

/// Creates a machine of Exec from `from` and registers the backend.
template <class Exec, class... From>
seam::machine<Exec>* new_machine(const From&... from) {
  auto* const made = new seam::machine<Exec>(from...);
  seam::register_backend(&seam::machine<Exec>::fence_all, made->tool_id());
  return made;
}

}  // namespace hpk::gpu
