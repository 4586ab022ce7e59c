// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/random_counter.hpp>

namespace hpk::detail {

void reject_stream(const char* algorithm, std::uint64_t stream) {
  hpk::raise(error_message() << "hpk::CounterRandom: " << algorithm << " has no stream " << stream
                             << "; its streams are 0 to 4294967295, those of hpk::Threefry 0 to "
                                "2^64 - 1");
}

}  // namespace hpk::detail
