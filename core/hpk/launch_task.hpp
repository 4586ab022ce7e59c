// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches as objects: make_task and related functions, whose result can be submitted any number of
// times; with_args, which binds the first arguments of a kernel. Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <hpk/parallel/kernel/bound_kernel.hpp>
#include <hpk/parallel/patterns/launch_task.hpp>
