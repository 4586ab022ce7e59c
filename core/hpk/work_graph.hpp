// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkGraphPolicy, whose work items depend on each other, and Crs, the graphs of these
// dependencies.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/structures/crs.hpp>
#include <hpk/structures/work_graph.hpp>
