// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few number types that every layer uses. Index arithmetic in hpk is 64-bit and signed: sizes
// are never limited by a 32-bit index, and a difference of two indices is an index.
#pragma once

#include <hpk/base/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk {

/// The type of an index, an extent or an iteration number.
using index_t = std::int64_t;

/// The largest rank a View may have.
inline constexpr int max_rank = 8;

}  // namespace hpk
