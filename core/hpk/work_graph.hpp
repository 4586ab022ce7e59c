// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkGraphPolicy, items that come before others, and Crs, the graphs that say so.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/structures/crs.hpp>
#include <hpk/structures/work_graph.hpp>
