// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions, sections and events that a program marks for tools, and what it lets them tune: those of
// hpk.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/profiling.hpp>
#include <hpk/tuning.hpp>
