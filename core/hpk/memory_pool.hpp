// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryPool: fixed memory of which kernels take pieces.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/structures/memory_pool.hpp>
