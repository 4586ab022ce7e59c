// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All containers; each has a header of its own too.
#pragma once

#include <hpk/containers/functional.hpp>
