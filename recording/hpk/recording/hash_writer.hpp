// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two files of HPK_HASH: text, and the values of elements. Internal to recording/.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// Writes the text to `path` and the values to "`path`.values", at most `limit` bytes in all. If a
/// file can't be written any more, prints one warning on stderr and writes nothing from then on.
/// One thread at a time.
class hash_writer {
 public:
  /// Throws hpk::error with the name of the file if a file can't be opened.
  hash_writer(const std::string& path, std::uint64_t limit);
  /// Appends whole lines. If they exceed the limit, appends a line that reports this instead.
  void put(std::string_view lines);
  /// Appends lines regardless of the limit, for the begin and end of the file. Flushes.
  void put_ignoring_limit(std::string_view lines);
  /// Whether `bytes` bytes of values are within the limit.
  bool has_room(std::size_t bytes) const { return bytes <= left_; }
  /// Appends values and returns their offset in the file.
  std::uint64_t put_values(const std::vector<std::byte>& bytes);
  /// Writes everything appended to the files.
  void flush();
  /// Whether recording has stopped: the limit is reached, or a file can't be written.
  bool is_full() const { return is_full_; }

 private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using file = std::unique_ptr<std::FILE, closer>;
  static file open(const std::string& path);
  void stop();
  void fail();

  std::string path_;
  file text_;
  file values_;
  std::uint64_t left_;
  std::uint64_t values_bytes_ = 0;
  bool is_full_ = false;
  bool has_failed_ = false;
  std::string pending_;
  std::chrono::steady_clock::time_point written_at_ = std::chrono::steady_clock::now();
};

}  // namespace hpk::detail
