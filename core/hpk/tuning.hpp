// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of a program whose values a tool chooses; needs no other part of hpk.
#pragma once

#include <hpk/runtime/tuning.hpp>
