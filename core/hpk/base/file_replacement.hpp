// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FileReplacement: replaces a file as a whole or not at all. A reader of the path sees the old file
// or the new one, never a part, even after a crash of the program or the machine. All files that
// hpk replaces go through it.
#pragma once

#include <hpk/base/compiler.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hpk {

/// Returns the file that a path leads to through symbolic links in its last component, or the path
/// itself. A link that can't be followed stays in the result: opening it gives the reason.
std::string follow_links(std::string path);

/// A file that is written next to its target and then renamed:
///
///     hpk::FileReplacement file;
///     std::string fault = file.begin("table.txt");
///     if (fault.empty()) fault = file.write(text.data(), text.size());
///     if (fault.empty()) fault = file.commit();
///     if (!fault.empty()) hpk::raise(hpk::error_message() << "file \"table.txt\": " << fault);
///
/// The functions return an error text with the system's reason, or nothing. Without commit(), or if
/// commit() fails, the old file is unchanged and the new one is removed. A program that is killed
/// leaves the new file under a name that no other writer uses.
///
/// A symbolic link stays, and the file that it leads to is replaced. The new file gets the mode,
/// owner and group of the old one, as far as this process may set them; without an old file it gets
/// the defaults of umask and process. Folders, pipes, devices and sockets are not replaced. If a
/// file has several names (hard links), the other names keep the old content.
///
/// Threads: one at a time. Several writers may replace the same path at once; the last one wins.
class FileReplacement {
 public:
  /// Part of the temporary name between the name of the target and number().
  static constexpr std::string_view mark = ".writing-";

  FileReplacement() = default;
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;
  ~FileReplacement() { give_up(); }

  /// Creates an empty file next to the target of the path. If there is an old file, only the user
  /// of this process may read the new one until commit(). Calls give_up() first.
  [[nodiscard]] std::string begin(const std::string& path);
  /// Appends bytes to the new file. Call begin() first.
  [[nodiscard]] std::string write(const void* bytes, std::size_t count);
  /// Syncs the new file to disk and renames it to the target. Afterwards, also after an error, the
  /// object is in the same state as before begin().
  [[nodiscard]] std::string commit();
  /// Removes the new file, if there is one.
  void give_up() noexcept;

  /// The file that is replaced: the path, or the file that its links lead to.
  const std::string& target() const noexcept { return target_; }
  /// Path of the new file until commit(), for libraries that write files by name; else empty.
  const std::string& temporary() const noexcept { return temporary_; }
  /// The 16 random hexadecimal digits at the end of its name.
  std::string number() const;

 private:
  // Properties that the new file takes from the old one.
  struct facts {
    unsigned mode, owner, group;
  };
  std::string look();
  std::string make_temporary();
  std::string keep_facts();
  std::string sync_folder() const;
  std::string by_system(const char* what) const;
  std::string about_target(std::string_view why) const;

  std::string path_, target_, temporary_;
  std::optional<facts> old_;
  int file_ = -1;
};

}  // namespace hpk
