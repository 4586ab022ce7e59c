// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/verify.hpp>

#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace hpk::detail {

void reject_verification(const char* condition, const char* file, int line, const char* format,
                         ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string words(length < 0 ? 0 : static_cast<std::size_t>(length) + 1, '\0');
  std::vsnprintf(words.data(), words.size(), format, again);
  va_end(again);
  if (!words.empty()) words.pop_back();
  std::string_view name = file;
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  text message;
  message << "HPK_KERNEL_VERIFY: not true: " << condition << " (at " << name << ':' << line
          << "): " << words;
  hpk::raise(std::move(message));
}

}  // namespace hpk::detail
