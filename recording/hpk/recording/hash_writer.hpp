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

/// Writes the text to `path` and the values to "`path`.values", `limit` bytes in all. If a file
/// can't be written any more, says so once on stderr, and writes nothing from then on. One thread
/// at a time.
class hash_writer {
 public:
  /// Throws hpk::error naming a file that can't be opened.
  hash_writer(const std::string& path, std::uint64_t limit);
  /// Appends whole lines. If they exceed the limit, appends the line that says so instead.
  void put(std::string_view lines);
  /// Appends lines that are there whatever the limit is: the first ones, and the last. Flushes.
  void put_in_any_case(std::string_view lines);
  /// Whether there is room for so many bytes of values.
  bool has_room(std::size_t bytes) const { return bytes <= left_; }
  /// Appends values; returns where they begin.
  std::uint64_t put_values(const std::vector<std::byte>& bytes);
  /// Writes what has been appended.
  void flush();
  /// Whether nothing more is to be recorded: the limit is reached, or a file can't be written.
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
