// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything in core; the one include of most programs.
#pragma once

#include <hpk/atomic.hpp>
#include <hpk/parallel.hpp>
#include <hpk/runtime.hpp>
#include <hpk/version.hpp>
#include <hpk/view.hpp>
