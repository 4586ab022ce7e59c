// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about arithmetic types.
#pragma once

#include <hpk/base/numeric_traits.hpp>
