// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything in core; the one include of most programs.
#pragma once

// First, as in parallel.hpp: the chain of includes in messages about spaces is short here.
#include <hpk/seam/space.hpp>

#include <hpk/atomic.hpp>
#include <hpk/parallel.hpp>
#include <hpk/runtime.hpp>
#include <hpk/version.hpp>
#include <hpk/view.hpp>

// After Views, so that messages about these begin with a short chain of includes.
#include <hpk/unique_token.hpp>
