// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timer: seconds of the steady clock.
#pragma once

#include <hpk/base/timer.hpp>
