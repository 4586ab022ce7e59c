// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix sorts of the vendor libraries for the enabled GPUs, for algorithms on Views
// (seam::library_sort). Files that a GPU compiler compiles include CUB or rocPRIM, which takes
// seconds; other files only get the declaration.
#pragma once

#include <hpk/backends/library_sorts.hpp>
#include <hpk/core.hpp>
#include <hpk/seam/library_sort.hpp>
