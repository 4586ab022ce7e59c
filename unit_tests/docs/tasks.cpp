// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/tasks.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/tasks.hpp>

using Exec = hpk::DefaultExecutionSpace;

void write_file(const hpk::View<double*>::HostMirror& view);

void host_task(Exec exec, int n, hpk::View<double*> device, hpk::View<double*>::HostMirror host) {
  const auto kernel = HPK_LAMBDA(int i) { device(i) = 1; };
  const auto next = kernel;
#include "a-host-function-in-the-order-of-an-instance.block"
}

#include "tasks-that-spawn-tasks.block"

void task_spawn() {
#include "tasks-that-spawn-tasks-2.block"
}
