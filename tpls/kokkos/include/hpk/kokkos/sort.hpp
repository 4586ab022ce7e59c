// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sorts of Kokkos, which hpk has under the same names: sort, sort_by_key, BinSort with its bin
// operations, and the sorts inside of kernels.
#pragma once

#include <Kokkos_Core.hpp>

#include <hpk/algorithms/bin_sort.hpp>
#include <hpk/algorithms/nested_sort.hpp>
#include <hpk/algorithms/sort.hpp>
#include <hpk/algorithms/sort_by_key.hpp>
