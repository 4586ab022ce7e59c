// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything in core; the only include that most programs need. Each part also has a separate
// header.
#pragma once

// First, as in parallel.hpp, so that error messages about spaces begin with a short chain of
// includes.
#include <hpk/spaces/space.hpp>

#include <hpk/atomic.hpp>
#include <hpk/parallel.hpp>
#include <hpk/runtime.hpp>
#include <hpk/version.hpp>
#include <hpk/view.hpp>

// After Views, so that error messages about Views begin with a short chain of includes.
#include <hpk/array.hpp>
#include <hpk/assert.hpp>
#include <hpk/bit.hpp>
#include <hpk/complex.hpp>
#include <hpk/detection.hpp>
#include <hpk/error.hpp>
#include <hpk/half.hpp>
#include <hpk/math.hpp>
#include <hpk/mdspan.hpp>
#include <hpk/memory_pool.hpp>
#include <hpk/min_max.hpp>
#include <hpk/numbers.hpp>
#include <hpk/numeric_traits.hpp>
#include <hpk/pair.hpp>
#include <hpk/printf.hpp>
#include <hpk/special_functions.hpp>
#include <hpk/swap.hpp>
#include <hpk/timer.hpp>
#include <hpk/type_name.hpp>
#include <hpk/unique_token.hpp>
#include <hpk/work_graph.hpp>

/// @namespace hpk
/// Views, memory and execution spaces, parallel patterns, and the other parts of the library.

/// @namespace hpk::Experimental
/// Algorithms, 16-bit numbers, unique tokens and other features, in the namespace where programs
/// written for Kokkos expect them.
