// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// initialize, finalize, settings, print_configuration, for_each_space, fence, Timer.
#pragma once

#include <hpk/base/timer.hpp>
#include <hpk/runtime/configuration.hpp>
#include <hpk/runtime/for_each_space.hpp>
#include <hpk/runtime/initialize.hpp>
#include <hpk/runtime/shared_space.hpp>
#include <hpk/runtime/tools.hpp>
#include <hpk/spaces/space.hpp>
