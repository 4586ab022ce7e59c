// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers: generators and pools of generators, counter-based numbers that are the same on
// every space, distributions, fill_random.
#pragma once

// First: what the compiler says of a type without random numbers begins with the chain of includes
// that led to it, and here it is short.
#include <hpk/algorithms/random_draw.hpp>

#include <hpk/algorithms/fill_random.hpp>
#include <hpk/algorithms/random_counter.hpp>
#include <hpk/algorithms/random_distributions.hpp>
#include <hpk/algorithms/random_engine.hpp>
#include <hpk/algorithms/random_pool.hpp>
