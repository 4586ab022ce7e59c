// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers: generators and pools of generators, counter-based numbers that are the same on
// every space, distributions, fill_random.
#pragma once

// First, so that compiler messages about types without random numbers begin with a short chain of
// includes.
#include <hpk/algorithms/random_draw.hpp>

#include <hpk/algorithms/fill_random.hpp>
#include <hpk/algorithms/random_counter.hpp>
#include <hpk/algorithms/random_distributions.hpp>
#include <hpk/algorithms/random_engine.hpp>
#include <hpk/algorithms/random_pool.hpp>
