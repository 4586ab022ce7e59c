// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All algorithms. Each family also has its own header.
#pragma once

// These headers come first to keep the chain of includes in compiler messages short.
#include <hpk/algorithms/iterator.hpp>

#include <hpk/algorithms/detail/sort_checks.hpp>

#include <hpk/algorithms/detail/element_range.hpp>

#include <hpk/algorithms/detail/arguments.hpp>

#include <hpk/algorithms/bin_sort.hpp>
#include <hpk/algorithms/compact.hpp>
#include <hpk/algorithms/elementwise.hpp>
#include <hpk/algorithms/extrema.hpp>
#include <hpk/algorithms/merge.hpp>
#include <hpk/algorithms/nested_sort.hpp>
#include <hpk/algorithms/numeric.hpp>
#include <hpk/algorithms/partial_sort.hpp>
#include <hpk/algorithms/query.hpp>
#include <hpk/algorithms/random.hpp>
#include <hpk/algorithms/reorder.hpp>
#include <hpk/algorithms/search.hpp>
#include <hpk/algorithms/segmented_sort.hpp>
#include <hpk/algorithms/set_operations.hpp>
#include <hpk/algorithms/sort.hpp>
#include <hpk/algorithms/sort_by_key.hpp>
