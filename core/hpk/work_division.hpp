// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// divide_work, WorkDivision: the numbers of teams and threads for a given amount of work. Not
// included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/parallel/patterns/work_division.hpp>
