// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lockstep model: kernels as a sequence of loops over fixed domains of indices, in which
// variables keep their value for each index from loop to loop, and which give the same result with
// any number of workers. docs/lockstep.md describes it. core.hpp does not include it.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

// Each by itself, so that messages of compilers begin with a short chain of includes.
#include <hpk/lockstep/config.hpp>
#include <hpk/lockstep/index.hpp>

#include <hpk/lockstep/variable.hpp>
#include <hpk/lockstep/worker.hpp>

#include <hpk/lockstep/loop.hpp>

#include <hpk/lockstep/launch.hpp>
