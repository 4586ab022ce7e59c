// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of the tuner: one line per context, "<inputs> TAB <output>=<value>,...".
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/profiler/tuner.hpp>

#include <algorithm>
#include <charconv>

namespace hpk::detail {

namespace {

constexpr std::string_view first_line = "hpk tuning 1";
constexpr std::string_view special = "\t\n\r,=%";

// Escapes the separators of a line by their codes: "%09".
std::string escaped(std::string_view part) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const char c : part) {
    if (special.find(c) == std::string_view::npos) {
      out += c;
    } else {
      const auto code = static_cast<unsigned char>(c);
      ((out += '%') += digits[code >> 4]) += digits[code & 15];
    }
  }
  return out;
}
bool unescape(std::string_view part, std::string& into) {
  into.clear();
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (part[k] != '%') {
      into += part[k];
      continue;
    }
    unsigned code = 0;
    if (k + 2 >= part.size() ||
        std::from_chars(part.data() + k + 1, part.data() + k + 3, code, 16).ptr !=
            part.data() + k + 3)
      return false;
    into += static_cast<char>(code);
    k += 2;
  }
  return true;
}

bool read_number(std::string_view part, std::int64_t& into) {
  const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), into);
  return failure == std::errc() && end == part.data() + part.size() && !part.empty();
}

bool read_line(std::string_view line, tuned_contexts& into) {
  const auto tab = line.find('\t');
  std::string key;
  if (tab == std::string_view::npos || !unescape(line.substr(0, tab), key)) return false;
  tuned_context found;
  for (std::string_view rest = line.substr(tab + 1); !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find(','));
    rest.remove_prefix(pair.size() < rest.size() ? pair.size() + 1 : rest.size());
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos) return false;
    found.names.emplace_back();
    found.values.emplace_back();
    if (!unescape(pair.substr(0, equals), found.names.back()) ||
        !read_number(pair.substr(equals + 1), found.values.back()))
      return false;
  }
  if (found.names.empty()) return false;
  return into.insert_or_assign(std::move(key), std::move(found)).second;
}

}  // namespace

std::string text_of(const tuned_contexts& found) {
  text out;
  out << first_line << '\n';
  std::vector<std::string_view> keys;
  for (const auto& [key, context] : found) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  for (const std::string_view key : keys) {
    const tuned_context& context = found.at(std::string(key));
    out << escaped(key) << '\t';
    for (std::size_t k = 0; k != context.names.size(); ++k)
      out << (k == 0 ? "" : ",") << escaped(context.names[k]) << '=' << context.values[k];
    out << '\n';
  }
  out << "end " << found.size() << '\n';
  return out.str();
}

tuned_contexts read_tuned(std::string_view content, std::string_view option,
                          std::string_view path) {
  tuned_contexts found;
  int number = 0;
  const auto reject = [&](std::string_view what) {
    raise((text() << option << ": the file '" << path << "', line " << number << ": " << what
                  << "; name another, or remove it and tune again with HPK_TUNE=<path>")
              .str());
  };
  while (!content.empty()) {
    ++number;
    const auto end = content.find('\n');
    const std::string_view line = content.substr(0, end);
    if (number == 1 && line != first_line) reject("this is not a file of the tuner of hpk");
    if (end == std::string_view::npos) reject("the line has no end, the file is incomplete");
    content.remove_prefix(end + 1);
    if (number == 1) continue;
    if (line.starts_with("end ")) {
      std::int64_t count = 0;
      if (!read_number(line.substr(4), count) || count != static_cast<std::int64_t>(found.size()))
        reject("the number of contexts is wrong, the file is incomplete");
      if (!content.empty()) reject("there is text after the end");
      return found;
    }
    if (!read_line(line, found)) reject("this is not a context with its values");
  }
  ++number;
  reject(number == 1 ? "the file is empty" : "the end is missing, the file is incomplete");
  return found;
}

}  // namespace hpk::detail
