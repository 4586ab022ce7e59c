// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies, parallel_for, parallel_reduce, parallel_scan, reducers, and the enabled spaces.
#pragma once

#include <hpk/backends/backends.hpp>
#include <hpk/parallel/for.hpp>
#include <hpk/parallel/reduce.hpp>
#include <hpk/parallel/scan.hpp>
