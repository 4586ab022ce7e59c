// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linearize, delinearize: points of a box as single numbers and back. core.hpp does not include it.
#pragma once

#include <hpk/parallel/linear_index.hpp>
