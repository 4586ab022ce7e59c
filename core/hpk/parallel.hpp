// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies, parallel_for, parallel_reduce, parallel_scan, reducers, and the enabled spaces.
#pragma once

// First, so that compiler messages about spaces begin with a short chain of includes.
#include <hpk/spaces/space.hpp>

#include <hpk/backends/backends.hpp>

// Policies and reducers come first, so that compiler messages about them begin with a short chain
// of includes.
#include <hpk/parallel/policies/policy.hpp>

#include <hpk/parallel/operations/location_reducer.hpp>
#include <hpk/parallel/operations/reducer.hpp>
#include <hpk/parallel/policies/mdrange_policy.hpp>
#include <hpk/parallel/policies/range_policy.hpp>
#include <hpk/parallel/policies/require.hpp>
#include <hpk/parallel/policies/team_policy.hpp>

// Placed here for the same reason.
#include <hpk/parallel/launch/diagnosis.hpp>
#include <hpk/parallel/team/team.hpp>

#include <hpk/parallel/patterns/for.hpp>
#include <hpk/parallel/patterns/reduce.hpp>
#include <hpk/parallel/patterns/scan.hpp>

#include <hpk/parallel/nested/nested.hpp>
#include <hpk/parallel/nested/nested_mdrange.hpp>
#include <hpk/parallel/nested/nested_results.hpp>
#include <hpk/parallel/nested/nested_scan.hpp>
#include <hpk/parallel/nested/team_range.hpp>
#include <hpk/parallel/patterns/resolved.hpp>
#include <hpk/parallel/patterns/single.hpp>
#include <hpk/parallel/policies/partition_space.hpp>

// After the headers that they need, so that compiler messages about them are shorter.
#include <hpk/parallel/nested/league.hpp>
