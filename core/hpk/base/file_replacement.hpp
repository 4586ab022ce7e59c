// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FileReplacement: puts a new file in the place of an old one, as a whole or not at all. A reader
// of the path sees the old file or the new one, never a part, also after a crash of the program or
// the machine. All files that hpk replaces go through it.
#pragma once

#include <hpk/base/compiler.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hpk {

/// The path that a path leads to through symbolic links in its last part, or itself. A link that
/// cannot be followed stays in it: opening the path tells why.
std::string follow_links(std::string path);

/// A file that is written beside its place and then renamed:
///
///     hpk::FileReplacement file;
///     std::string fault = file.begin("table.txt");
///     if (fault.empty()) fault = file.write(text.data(), text.size());
///     if (fault.empty()) fault = file.commit();
///     if (!fault.empty()) hpk::raise(hpk::error_message() << "file \"table.txt\": " << fault);
///
/// Its functions return what is wrong with the file, with the system's reason, or nothing. Without
/// commit(), or if that fails, the old file is as it was, and the new one is removed; a program
/// that is killed leaves it, under a name that no other writer uses.
///
/// A symbolic link stays, and the file that it leads to is replaced. The new file has the mode,
/// owner and group of the old one, as far as this process may give them, and without an old one
/// what umask and process say. Folders, pipes, devices and sockets are not replaced. Of a file with
/// several names (hard links), the others keep the old content.
///
/// Threads: one at a time; several writers of one path may run at once, and the last stays.
class FileReplacement {
 public:
  /// The part of the temporary's name between the name of the target and number().
  static constexpr std::string_view mark = ".writing-";

  FileReplacement() = default;
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;
  ~FileReplacement() { give_up(); }

  /// Creates an empty file beside the target of the path. If there is an old file, only the user of
  /// this process may read the new one until commit(). Calls give_up() first.
  [[nodiscard]] std::string begin(const std::string& path);
  /// Appends bytes to the new file. Call begin() first.
  [[nodiscard]] std::string write(const void* bytes, std::size_t count);
  /// Writes the new file to the disk and puts it in place. Afterwards the object is as before
  /// begin(), whether this succeeds or not.
  [[nodiscard]] std::string commit();
  /// Removes the new file, if there is one.
  void give_up() noexcept;

  /// What is replaced: the path, or where its links lead.
  const std::string& target() const noexcept { return target_; }
  /// The new file until commit(), for libraries that write files by name; empty if there is none.
  const std::string& temporary() const noexcept { return temporary_; }
  /// The 16 random hexadecimal digits at the end of its name.
  std::string number() const;

 private:
  // What the new file takes from the old one.
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
