// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// initialize, finalize and ScopeGuard of the drop-in.
#pragma once

#include <hpk/kokkos/layer.hpp>
#include <hpk/runtime/initialize.hpp>
