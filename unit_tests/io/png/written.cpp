// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG files, which libpng reads back.
#include <hpk/io/picture.hpp>

#include <hpk/core.hpp>

#include <support/test.hpp>

#include <support/errors.hpp>
#include <support/files.hpp>

#include <png.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace io_png_test {
namespace {

using namespace io_test;
using host = hpk::HostSpace;

struct image {
  unsigned width = 0;
  unsigned height = 0;
  std::vector<int> rgba;
};
image read(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << png.message;
  png.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png));
  EXPECT_NE(png_image_finish_read(&png, nullptr, bytes.data(), 0, nullptr), 0) << png.message;
  return {png.width, png.height, {bytes.begin(), bytes.end()}};
}
template <class V>
std::vector<int> written(const V& view, const hpk::PictureOptions& options = {}) {
  const folder place;
  hpk::write_png(place / "x.png", view, options);
  EXPECT_EQ(place.count(), 1);
  const image found = read(place / "x.png");
  EXPECT_EQ(found.width, view.extent(1));
  EXPECT_EQ(found.height, view.extent(0));
  return found.rgba;
}

TEST(PngFiles, are_those_that_were_written) {
  ASSERT_TRUE(hpk::has_png());
  const hpk::View<std::uint8_t**, hpk::LayoutLeft, host> gray("gray", 2, 3);
  for (int k = 0; k < 6; ++k) gray(k / 3, k % 3) = static_cast<std::uint8_t>(40 * k);
  std::vector<int> expected;
  for (int k = 0; k < 6; ++k) expected.insert(expected.end(), {40 * k, 40 * k, 40 * k, 255});
  EXPECT_EQ(written(gray), expected);
  const hpk::View<std::uint8_t** [4], host> colors("colors", 2, 1);
  for (int k = 0; k < 8; ++k) colors(k / 4, 0, k % 4) = static_cast<std::uint8_t>(30 * k + 1);
  EXPECT_EQ(written(colors), (std::vector<int>{1, 31, 61, 91, 121, 151, 181, 211}));
  EXPECT_EQ(written(hpk::subview(colors, hpk::ALL, hpk::ALL, hpk::make_pair(0, 3))),
            (std::vector<int>{1, 31, 61, 255, 121, 151, 181, 255}));
  const hpk::View<double[1][3], host> mapped("mapped");
  mapped(0, 1) = 1;
  mapped(0, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(written(mapped, {.colormap = hpk::Colormap::heat, .nan = {1, 2, 3}}),
            (std::vector<int>{4, 3, 14, 255, 254, 250, 200, 255, 1, 2, 3, 255}));
}

TEST(PngFiles, that_libpng_refuses_leave_the_old_file) {
  const folder place;
  put(place / "x.png", "old");
  // libpng takes at most a million columns.
  const hpk::View<std::uint8_t**, host> wide("wide", 1, 1000001);
  hpk_test::expect_error([&] { hpk::write_png(place / "x.png", wide); },
                         {"hpk::write_png", "x.png", "\"wide\" [1, 1000001]", "libpng: "});
  EXPECT_EQ(content(place / "x.png"), "old");
  EXPECT_EQ(place.count(), 1);
}

}  // namespace
}  // namespace io_png_test
