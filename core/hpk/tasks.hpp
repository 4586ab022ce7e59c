// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks: host_task, a host function in the order of an instance.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/tasks/host_task.hpp>
