// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common base of the execution spaces of all host backends: they use HostSpace and prefer
// LayoutRight.
#pragma once

#include <hpk/backends/host/memory.hpp>
#include <hpk/base/classes.hpp>
#include <hpk/spaces/instance.hpp>

namespace hpk::classes {
/// Base of a host execution space Exec. A regular value: copies refer to the same instance.
template <class Exec>
class space : public seam::space_base<Exec, HostSpace, LayoutRight>,
              public compat_host_space<Exec> {
 public:
  using shared_memory_space = HostSpace;  ///< memory that host code and kernels can access
  using pinned_memory_space = HostSpace;  ///< host memory that kernels can access too

 protected:
  /// @cond internal
  using seam::space_base<Exec, HostSpace, LayoutRight>::space_base;
  /// @endcond
};
}  // namespace hpk::classes

namespace hpk::host {
using classes::space;

}  // namespace hpk::host
