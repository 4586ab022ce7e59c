// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// record_timed, elapsed_seconds: how long work took where it ran. core.hpp does not include it.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/spaces/timed_event.hpp>
