// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

namespace hpk::detail {

namespace {
template <class... Args>
std::string_view print(std::array<char, 48>& buffer, const char* format, Args... args) {
  const int written = std::snprintf(buffer.data(), buffer.size(), format, args...);
  return {buffer.data(), written > 0 ? static_cast<std::size_t>(written) : 0};
}
}  // namespace

text& text::operator<<(std::string_view piece) {
  content_.append(piece);
  return *this;
}

text& text::operator<<(double value) {
  std::array<char, 48> buffer;
  return *this << print(buffer, "%.6g", value);
}

text& text::operator<<(const void* address) {
  std::array<char, 48> buffer;
  return *this << print(buffer, "%p", address);
}

text& text::append_signed(long long value) {
  std::array<char, 48> buffer;
  return *this << print(buffer, "%lld", value);
}

text& text::append_unsigned(unsigned long long value) {
  std::array<char, 48> buffer;
  return *this << print(buffer, "%llu", value);
}

text& text::bytes(double count) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (count >= 1024.0 && unit + 1 < units.size()) {
    count /= 1024.0;
    ++unit;
  }
  std::array<char, 48> buffer;
  return *this << print(buffer, unit == 0 ? "%.0f %s" : "%.1f %s", count, units[unit]);
}

std::string escaped_markup(std::string_view raw) {
  std::string result;
  for (const char c : raw) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

}  // namespace hpk::detail
