// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: launches and their dependencies, defined once and submitted many times by one call. Not
// included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <hpk/graph/graph.hpp>
