// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// record_timed, elapsed_seconds: the time that work took on its device. Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/spaces/timed_event.hpp>
