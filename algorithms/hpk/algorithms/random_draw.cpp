// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/random_draw.hpp>

namespace hpk::detail {

namespace {

template <class I>
[[noreturn]] void reject_range(const char* function, I begin, I end) {
  hpk::raise(
      error_message() << "hpk random generator: " << function << "(" << begin << ", " << end
                      << "): the range contains no integer; write an end above the begin, and a "
                         "range of at least 1");
}

}  // namespace

void reject_integer_range(const char* function, long long begin, long long end) {
  reject_range(function, begin, end);
}
void reject_unsigned_range(const char* function, unsigned long long begin, unsigned long long end) {
  reject_range(function, begin, end);
}

}  // namespace hpk::detail
