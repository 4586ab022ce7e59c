// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/call_stack.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <string_view>

#if HPK_HAS_EXECINFO
#include <execinfo.h>
#endif

namespace hpk::detail {

int find_calls([[maybe_unused]] void** calls, [[maybe_unused]] int most) noexcept {
#if HPK_HAS_EXECINFO
  const int count = backtrace(calls, most);
  return count < 0 ? 0 : count;
#else
  return 0;
#endif
}

std::string name_call(void* call) {
  Dl_info place{};
  if (dladdr(call, &place) == 0 || place.dli_fname == nullptr) return {};
  const std::string_view file = place.dli_fname;
  const auto offset = static_cast<unsigned long long>(static_cast<char*>(call) -
                                                      static_cast<char*>(place.dli_fbase));
  char text[24];
  // A return address points past the call; the address minus one is inside the call.
  std::snprintf(text, sizeof text, "+0x%llx", offset - 1);
  return std::string(file.substr(file.rfind('/') + 1)) + text;
}

}  // namespace hpk::detail
