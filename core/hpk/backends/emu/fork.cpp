// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/fork.hpp>

#include <hpk/base/assert.hpp>
#include <hpk/seam/fork.hpp>

namespace hpk::emu {

namespace {
constinit bool forked = false;  // set while the process has one thread
}  // namespace

void watch_forks() noexcept {
  static const bool watched = (seam::on_fork([] { forked = true; }), true);
  static_cast<void>(watched);
}

bool is_forked() noexcept { return forked; }

void expect_not_forked() {
  if (forked) {
    detail::raise(
        "hpk::Emu: the process is the child of a fork() and its parent has used Emu, whose queues "
        "and memory stay with the parent, as those of a GPU; fork before the first use of Emu, or "
        "call exec in the child");
  }
}

}  // namespace hpk::emu
