// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/file_replacement.hpp>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hpk {

namespace {

// "runs/" for "runs/x.npy", "" for "x.npy".
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// Names the kind of a file that must not be replaced; null for a regular file.
const char* special_kind(mode_t mode) {
  if (S_ISREG(mode)) return nullptr;
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISLNK(mode)) return "a symbolic link by now";
  return "a device";
}

constexpr std::size_t digits = 16;

// Returns 16 random digits, so that no process, not even one with the same id in another container,
// chooses the same ones.
bool random_number(std::array<char, digits + 1>& text) {
  std::uint64_t number = 0;
  if (getentropy(&number, sizeof number) != 0) return false;
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return true;
}

}  // namespace

std::string follow_links(std::string path) {
  constexpr int most = 40;  // as Linux
  for (int k = 0; k < most; ++k) {
    std::error_code none;
    const std::filesystem::path to = std::filesystem::read_symlink(path, none);
    if (none) break;
    path = to.is_absolute() ? to.string() : folder_of(path) + to.string();
  }
  return path;
}

std::string FileReplacement::about_target(std::string_view why) const {
  std::string text;
  if (target_ != path_) text = "leads to \"" + target_ + "\", which ";
  return text.append(why);
}
std::string FileReplacement::by_system(const char* what) const {
  const int reason = errno;
  return about_target(std::string(what) + ": " + std::generic_category().message(reason));
}

// Reads mode and owner of the file to be replaced, and checks that it may be replaced.
std::string FileReplacement::look() {
  const auto refuse = [this](const char* kind) {
    return about_target(std::string("is ") + kind + "; only regular files are replaced");
  };
  struct stat found{};
  // Looks at the path itself first: the system may forbid following a link, and links in /proc may
  // lead to a file without a name.
  const bool exists = stat(path_.c_str(), &found) == 0;
  if (!exists && (errno != ENOENT || path_.empty())) return by_system("cannot be written");
  if (exists && special_kind(found.st_mode) != nullptr) return refuse(special_kind(found.st_mode));
  if (lstat(target_.c_str(), &found) != 0) {
    if (errno != ENOENT || (exists && target_ != path_)) return by_system("cannot be written");
    return {};
  }
  // A special file may have been created there in the meantime.
  if (special_kind(found.st_mode) != nullptr) return refuse(special_kind(found.st_mode));
  old_ = {found.st_mode & 0777, found.st_uid, found.st_gid};
  return {};
}

std::string FileReplacement::make_temporary() {
  constexpr int tries = 100;
  for (int k = 0; k < tries; ++k) {
    std::array<char, digits + 1> text{};
    if (!random_number(text)) return by_system("can't get a random name");
    std::string name = target_;
    name.append(mark).append(text.data(), digits);
    file_ =
        open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, old_ ? 0600 : 0666);
    if (file_ >= 0) {
      temporary_ = std::move(name);
      return {};
    }
    if (errno != EEXIST) break;
  }
  return by_system("cannot be written");
}

std::string FileReplacement::begin(const std::string& path) {
  give_up();
  path_ = path;
  target_ = follow_links(path);
  old_.reset();
  std::string fault = look();
  return fault.empty() ? make_temporary() : fault;
}

std::string FileReplacement::write(const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    const auto n = ::write(file_, at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return by_system("cannot be written");
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return {};
}

std::string FileReplacement::keep_facts() {
  struct stat now{};
  if (fstat(file_, &now) != 0) return by_system("cannot be written");
  constexpr auto same = static_cast<unsigned>(-1);
  unsigned mode = old_->mode;
  // If the group can't be set, the group gets only the permissions of all other users.
  if (now.st_gid != old_->group && fchown(file_, same, old_->group) != 0)
    mode &= 0707 | (mode & 07) << 3;
  // Only root may change the owner. Without it the file belongs to the current user.
  [[maybe_unused]] const bool has_old_owner =
      now.st_uid == old_->owner || fchown(file_, old_->owner, same) == 0;
  if ((now.st_mode & 0777) != mode && fchmod(file_, mode) != 0)
    return by_system("cannot be given its mode");
  return {};
}

std::string FileReplacement::sync_folder() const {
  const std::string folder = folder_of(target_);
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A folder may be writable but not readable.
  if (file < 0) return errno == EACCES ? std::string() : by_system("cannot be written");
  std::string fault;
  if (fsync(file) != 0 && errno != EINVAL) fault = by_system("cannot be written");
  close(file);
  return fault;
}

std::string FileReplacement::commit() {
  std::string fault = look();
  if (fault.empty() && old_) fault = keep_facts();
  if (fault.empty() && fsync(file_) != 0 && errno != EINVAL) fault = by_system("cannot be written");
  if (close(file_) != 0 && fault.empty() && errno != EINTR) fault = by_system("cannot be written");
  file_ = -1;
  // Syncs the folder first: this file may list other files there, which must be on disk before it.
  if (fault.empty()) fault = sync_folder();
  if (fault.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0)
    fault = by_system("cannot be replaced");
  if (fault.empty()) {
    temporary_.clear();
    // The new file is in place, so an error here would change nothing.
    static_cast<void>(sync_folder());
  }
  give_up();
  return fault;
}

void FileReplacement::give_up() noexcept {
  if (file_ >= 0) close(file_);
  file_ = -1;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

std::string FileReplacement::number() const {
  return temporary_.empty() ? std::string() : temporary_.substr(temporary_.size() - digits);
}

}  // namespace hpk
