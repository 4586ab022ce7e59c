// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep model: a kernel is a sequence of loops over fixed domains. Its context variables
// keep their value for each index from loop to loop, and the result is the same with any number of
// workers. docs/lockstep.md describes it. Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

// Included one by one, so that compiler messages begin with a short chain of includes.
#include <hpk/lockstep/config.hpp>
#include <hpk/lockstep/index.hpp>

#include <hpk/lockstep/variable.hpp>
#include <hpk/lockstep/worker.hpp>

#include <hpk/lockstep/loop.hpp>

#include <hpk/lockstep/launch.hpp>
