// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team barriers with a vote: team_barrier_count, team_barrier_and, team_barrier_or. Not included by
// core.hpp.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/parallel/team/team_votes.hpp>
