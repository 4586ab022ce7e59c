// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_pair.hpp>

namespace hpk::detail {

// False until dynamic initialisation, which is correct but slower.
#if HPK_HAS_WIDE_EXCHANGE
const bool reads_pairs = __builtin_cpu_supports("avx") != 0;
#else
const bool reads_pairs = false;
#endif

}  // namespace hpk::detail
