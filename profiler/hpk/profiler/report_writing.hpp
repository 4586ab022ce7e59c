// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the writers of reports share: their files, and names and numbers as text, HTML and JSON.
// Internal to runtime/.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace hpk::detail {

/// Closes a file, but never standard error.
struct close_file {
  void operator()(std::FILE* file) const {
    if (file != stderr) std::fclose(file);
  }
};
/// A report that is being written.
using file_handle = std::unique_ptr<std::FILE, close_file>;
/// Opens the file of a report; an empty path is standard error. Throws hpk::error naming a file
/// that can't be written.
file_handle open_report(const std::string& path);

/// As std::printf, into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);
/// A name with the signs of HTML replaced.
std::string escaped(std::string_view name);
/// A name as a string of JSON, with its quotes.
std::string in_quotes(std::string_view name);

}  // namespace hpk::detail
