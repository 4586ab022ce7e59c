// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies, parallel_for, parallel_reduce, parallel_scan, reducers, and the enabled spaces.
#pragma once

// First: compiler messages about spaces then begin with a short chain of includes.
#include <hpk/spaces/space.hpp>

#include <hpk/backends/backends.hpp>

// Policies and reducers first: compiler messages about them then begin with a short chain of
// includes.
#include <hpk/parallel/policy.hpp>

#include <hpk/parallel/location_reducer.hpp>
#include <hpk/parallel/mdrange_policy.hpp>
#include <hpk/parallel/range_policy.hpp>
#include <hpk/parallel/reducer.hpp>
#include <hpk/parallel/require.hpp>
#include <hpk/parallel/team_policy.hpp>

// Here for the same reason.
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
#include <hpk/parallel/single.hpp>
#include <hpk/parallel/team_range.hpp>

// After the headers that they need, so that compiler messages about them are shorter.
#include <hpk/parallel/league.hpp>
