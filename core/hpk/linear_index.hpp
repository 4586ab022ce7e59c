// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linearize, delinearize: convert between multi-dimensional indices and single numbers. Not
// included by core.hpp.
#pragma once

#include <hpk/parallel/policies/linear_index.hpp>
