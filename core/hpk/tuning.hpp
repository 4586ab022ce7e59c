// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of a program whose values a tool chooses; usable without the rest of hpk.
#pragma once

#include <hpk/runtime/tuning.hpp>
