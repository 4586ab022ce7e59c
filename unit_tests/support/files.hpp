// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for tests of files: a temporary folder, and the bytes of files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace io_test {

namespace fs = std::filesystem;

/// A folder that is removed at the end.
class folder {
 public:
  folder() {
    std::string name = (fs::temp_directory_path() / "hpk-io-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
    path_ = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }
  auto count() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  fs::path path_;
};
inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace io_test
