// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix sorts of the libraries that belong to the enabled GPUs, for algorithms on Views
// (seam::library_sort). In files that a GPU's compiler compiles it includes CUB or rocPRIM, which
// takes seconds; other files get the declaration alone.
#pragma once

#include <hpk/backends/library_sorts.hpp>
#include <hpk/core.hpp>
#include <hpk/seam/library_sort.hpp>
