// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of HPK_HASH: they contain all appended data up to the limit, and a full disk is
// reported once.
#include <hpk/recording/hash_writer.hpp>

#include <hpk/core.hpp>

#include <support/test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace hash_writer_test {
namespace {

using hpk::detail::hash_writer;

class HashWriter : public testing::Test {
 protected:
  HashWriter() {
    folder_ =
        std::filesystem::temp_directory_path() / ("hpk_hash_writer_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~HashWriter() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name = "run") const { return (folder_ / name).string(); }
  std::string content(const std::string& name = "run") const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(HashWriter, writes_text_and_values) {
  hash_writer file(path(), 1000);
  file.put("one\n");
  file.put("two\n");
  EXPECT_EQ(file.put_values({std::byte{'a'}, std::byte{'b'}}), 0u);
  EXPECT_EQ(file.put_values({std::byte{'c'}}), 2u);
  file.flush();
  EXPECT_EQ(content(), "one\ntwo\n");
  EXPECT_EQ(content("run.values"), "abc");
  EXPECT_FALSE(file.is_full());
}

TEST_F(HashWriter, stops_at_the_limit) {
  hash_writer file(path(), 10);
  file.put("12345\n");
  EXPECT_TRUE(file.has_room(4));
  EXPECT_FALSE(file.has_room(5));
  testing::internal::CaptureStderr();
  file.put("67890\n");
  file.put("x\n");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("have reached their limit"),
            std::string::npos);
  EXPECT_TRUE(file.is_full());
  EXPECT_FALSE(file.has_room(1));
  file.put_ignoring_limit("end\n");
  EXPECT_EQ(content(),
            "12345\nm\tthe limit of the files is reached; write limit=BYTES, or every=N or "
            "label=TEXT\nend\n");
}

TEST_F(HashWriter, names_a_file_that_cannot_be_opened) {
  try {
    hash_writer("/nowhere/run", 10);
    ADD_FAILURE() << "no error";
  } catch (const hpk::error& wrong) {
    EXPECT_STREQ(wrong.what(),
                 "hpk::initialize: HPK_HASH can't write the file '/nowhere/run': No such file or "
                 "directory");
  }
}

TEST_F(HashWriter, says_once_that_the_disk_is_full) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "the system has no /dev/full";
  for (const char* const full : {"run", "run.values"}) {
    std::filesystem::create_symlink("/dev/full", path(full));
    testing::internal::CaptureStderr();
    {
      hash_writer file(path(), 1'000'000);
      file.put_values(std::vector<std::byte>(100'000));
      file.put_ignoring_limit("line\n");
      file.put("line\n");
      file.flush();
      EXPECT_TRUE(file.is_full());
      EXPECT_FALSE(file.has_room(1));
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "hpk: HPK_HASH can't write '" + path() +
                  "': No space left on device; what follows is not recorded\n");
    for (const char* const each : {"run", "run.values"}) std::filesystem::remove(path(each));
  }
}

}  // namespace
}  // namespace hash_writer_test
