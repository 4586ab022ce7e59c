// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG files by libpng. The build compiles this file or none.cpp.
#include <hpk/io/picture.hpp>

#include <png.h>

namespace hpk {

bool has_png() noexcept { return true; }

namespace detail {

std::string write_png_file(const std::string& path, const picture& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = image.channels == 4   ? PNG_FORMAT_RGBA
               : image.channels == 3 ? PNG_FORMAT_RGB
               : image.has_palette   ? PNG_FORMAT_RGB_COLORMAP
                                     : PNG_FORMAT_GRAY;
  std::uint8_t palette[256 * 3];
  if (image.has_palette) {
    png.colormap_entries = 256;
    for (int k = 0; k < 256; ++k) {
      palette[3 * k] = image.palette[k].red;
      palette[3 * k + 1] = image.palette[k].green;
      palette[3 * k + 2] = image.palette[k].blue;
    }
  }
  const bool is_written =
      png_image_write_to_file(&png, path.c_str(), 0, image.pixels.data(), 0, palette) != 0;
  return is_written ? std::string() : std::string("libpng: ") + png.message;
}

}  // namespace detail

}  // namespace hpk
