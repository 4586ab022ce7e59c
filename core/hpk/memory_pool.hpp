// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryPool: fixed memory of which kernels take pieces; not part of <hpk/core.hpp>, because few
// programs do.
#pragma once

#include <hpk/backends/backends.hpp>

#include <hpk/view/memory_pool.hpp>
