// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: launches written down once, with what waits for what, and run many times by one call.
// core.hpp does not include it.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/view.hpp>

#include <hpk/graph/graph.hpp>
