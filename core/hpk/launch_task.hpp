// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches as objects: make_task and its kin, submitted any number of times; with_args, a kernel
// with its first arguments bound. core.hpp does not include it.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <hpk/parallel/bound_kernel.hpp>
#include <hpk/parallel/launch_task.hpp>
