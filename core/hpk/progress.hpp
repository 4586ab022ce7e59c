// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress, a line on the terminal that shows how far a long loop is. Not part of core.hpp.
#pragma once

#include <hpk/runtime/progress.hpp>
