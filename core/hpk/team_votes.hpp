// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of teams with a vote: team_barrier_count, team_barrier_and, team_barrier_or. core.hpp
// does not include it.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/parallel/team_votes.hpp>
