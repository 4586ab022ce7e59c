// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Team scratch by name: ScratchLayout, ScratchVariable, ScratchArray. Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/parallel/team/scratch_layout.hpp>
