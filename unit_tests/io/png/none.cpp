// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write_png of an hpk without libpng: an error that says what to do.
#include <hpk/io/picture.hpp>

#include <hpk/core.hpp>

#include <support/test.hpp>

#include <support/errors.hpp>
#include <support/files.hpp>

namespace io_no_png_test {
namespace {

TEST(NoPng, is_an_error_that_says_what_to_do) {
  EXPECT_FALSE(hpk::has_png());
  const io_test::folder place;
  const hpk::View<float**, hpk::HostSpace> t("t", 2, 3);
  hpk_test::expect_error(
      [&] { hpk::write_png(place / "t.png", t); },
      {"hpk::write_png: file \"", "t.png\", View \"t\" [2, 3]: this hpk was built without libpng",
       "-Dhpk_WITH_PNG=on", "hpk::write_ppm", "none.cpp"});
  EXPECT_EQ(place.count(), 0);
}

}  // namespace
}  // namespace io_no_png_test
