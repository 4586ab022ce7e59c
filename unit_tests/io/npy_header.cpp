// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of NumPy files: formatted headers can be read, elements begin at the stated offset, and
// unreadable files are errors.
#include <hpk/io/npy_header.hpp>

#include <hpk/core.hpp>

#include <support/test.hpp>

#include <support/files.hpp>

#include <string>
#include <vector>

namespace io_npy_header_test {
namespace {

using extents = std::vector<hpk::index_t>;

class NpyHeader : public testing::Test {
 protected:
  std::string put(const std::string& bytes) const {
    io_test::put(folder_ / "x.npy", bytes);
    return folder_ / "x.npy";
  }

 private:
  io_test::folder folder_;
};

TEST_F(NpyHeader, is_read_as_it_was_formatted) {
  const std::string head =
      hpk::format_npy_header({.type = "i2", .is_left = true, .extents = {3, 1, 2}});
  EXPECT_EQ(head.size() % 64, 0u);
  const hpk::npy_header read = hpk::read_npy_header(put(head + std::string(12, 'x')));
  EXPECT_EQ(read.type, "i2");
  EXPECT_TRUE(read.is_left);
  EXPECT_EQ(read.extents, (extents{3, 1, 2}));
  EXPECT_EQ(read.begin, head.size());
  const hpk::npy_header number =
      hpk::read_npy_header(put(hpk::format_npy_header({.type = "V3"}) + "abc"));
  EXPECT_TRUE(number.extents.empty() && !number.is_left);
  EXPECT_EQ(hpk::npy_type<hpk::complex<float>>(), "c8");
  EXPECT_EQ(hpk::npy_type<bool>(), "b1");
}

TEST_F(NpyHeader, of_files_that_cannot_be_read_is_an_error) {
  hpk::npy_header kept{.type = "f8", .extents = {7}};
  EXPECT_EQ(hpk::read_npy_header(put("PNG"), kept), "is no .npy file");
  const std::string head = hpk::format_npy_header({.type = "i2", .extents = {3}});
  EXPECT_EQ(hpk::read_npy_header(put(head + "12345"), kept),
            "is torn: its header announces 6 bytes of elements, but there are 5");
  EXPECT_EQ(hpk::read_npy_header(put(head.substr(0, 30)), kept), "is torn: it ends in its header");
  EXPECT_EQ(kept.extents, extents{7});
  try {
    static_cast<void>(hpk::read_npy_header("/none.npy"));
    ADD_FAILURE() << "no error";
  } catch (const hpk::error& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "hpk::read_npy_header: file \"/none.npy\": cannot be read: No such file"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace io_npy_header_test
