// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/views.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/device_global.hpp>

#include <utility>
#include <vector>

using Exec = hpk::DefaultExecutionSpace;

#include "variables-of-devices.block"

void variables_of_devices(Exec exec, hpk::View<double*> values, hpk::View<long*> filled) {
#include "variables-of-devices-2.block"
}

std::vector<double> read_values();

void memory_that_hpk_did_not_allocate() {
#include "memory-that-hpk-did-not-allocate.block"
}
