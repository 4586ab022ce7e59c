// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/backends.md, where they belong; blocks.py compiles this file.
#include <hpk/backends/host/pooled_machine.hpp>
#include <hpk/backends/host/space.hpp>
#include <hpk/core.hpp>

#include "1-the-space.block"

#include "2-the-machine.block"

// The members in a machine of their own, since the block above closes its class.
class Other : public hpk::host::space<Other> {
 public:
  static constexpr const char* name() noexcept { return "Other"; }
};

namespace hpk::seam {
template <>
class machine<Other> : public host::pooled_machine<Other> {
#include "2-the-machine-2.block"
};
}  // namespace hpk::seam
