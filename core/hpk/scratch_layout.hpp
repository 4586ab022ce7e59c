// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of teams by name: ScratchLayout, ScratchVariable, ScratchArray. core.hpp does not include
// it.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/parallel/scratch_layout.hpp>
