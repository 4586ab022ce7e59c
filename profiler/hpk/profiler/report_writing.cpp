// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/profiler/report_writing.hpp>

#include <cstdarg>

namespace hpk::detail {

file_handle open_report(const std::string& path) {
  file_handle file(path.empty() ? stderr : std::fopen(path.c_str(), "w"));
  if (file == nullptr) {
    raise((text() << "HPK_PROFILE: the file '" << path
                  << "' can't be written; name another, as in HPK_PROFILE=trace=<path>")
              .str());
  }
  return file;
}

std::string format(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string line(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(line.data(), line.size() + 1, pattern, again);
  va_end(again);
  return line;
}

std::string in_quotes(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result.push_back('\\');
    result.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
  result.push_back('"');
  return result;
}

}  // namespace hpk::detail
