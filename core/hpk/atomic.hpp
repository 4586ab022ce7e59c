// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations: atomic_add, atomic_fetch_add, atomic_compare_exchange, ...
#pragma once

#include <hpk/atomic/atomic.hpp>
