// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies, parallel_for, parallel_reduce, parallel_scan, reducers, and the enabled spaces.
#pragma once

// First: what the compiler says of a mistake about spaces begins with the chain of includes that
// led to it, and here it is short.
#include <hpk/spaces/space.hpp>

#include <hpk/backends/backends.hpp>

// Policies and reducers first: what the compiler says of a mistake in one begins with the chain of
// includes that led there, and here it is short.
#include <hpk/parallel/policy.hpp>

#include <hpk/parallel/location_reducer.hpp>
#include <hpk/parallel/mdrange_policy.hpp>
#include <hpk/parallel/range_policy.hpp>
#include <hpk/parallel/reducer.hpp>
#include <hpk/parallel/require.hpp>
#include <hpk/parallel/team_policy.hpp>

// These for the same reason.
#include <hpk/parallel/diagnosis.hpp>
#include <hpk/parallel/team.hpp>

#include <hpk/parallel/for.hpp>
#include <hpk/parallel/reduce.hpp>
#include <hpk/parallel/scan.hpp>

#include <hpk/parallel/nested.hpp>
#include <hpk/parallel/nested_box.hpp>
#include <hpk/parallel/nested_results.hpp>
#include <hpk/parallel/nested_scan.hpp>
#include <hpk/parallel/partition_space.hpp>
#include <hpk/parallel/resolved.hpp>
#include <hpk/parallel/team_range.hpp>

// After what it needs, so that messages about these have fewer lines.
#include <hpk/parallel/league.hpp>
