// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// divide_work, WorkDivision: how many teams of how many threads do so much. core.hpp does not
// include it.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/parallel/work_division.hpp>
