// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that all report writers share: files, and names and numbers as text and JSON.
// Internal to profiler/.
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
/// The file of a report that is being written.
using file_handle = std::unique_ptr<std::FILE, close_file>;
/// Opens the file of a report; an empty path is standard error. Throws hpk::error with the name of
/// a file that can't be written.
file_handle open_report(const std::string& path);

/// Formats like std::printf and returns a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);
/// Returns a name as a JSON string, with quotes.
std::string in_quotes(std::string_view name);

}  // namespace hpk::detail
