// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryPool: a fixed amount of memory from which kernels allocate blocks.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/structures/memory_pool.hpp>
