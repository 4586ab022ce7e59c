// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks: host_task, a host function in the queue of an instance, and TaskScheduler, which runs
// tasks that spawn tasks and wait for each other. Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/tasks/host_task.hpp>
#include <hpk/tasks/spawn.hpp>
