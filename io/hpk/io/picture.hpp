// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views as pictures: write_png, write_pgm and write_ppm. Each call writes one file, through a
// FileReplacement: a reader sees the old picture or the new one.
#pragma once

#include <hpk/io/detail/elements.hpp>

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace hpk {

/// The colors of numbers, from low to high.
enum class Colormap {
  gray,       ///< black to white
  heat,       ///< black, purple, red, orange, pale yellow
  cubehelix,  ///< black to white through all hues; as lightness grows evenly, it prints well in
              ///< gray
  diverging   ///< blue, white, red: for numbers around zero with `low` = -`high`
};

/// A color of the screen; each part is 0 to 255.
struct Color {
  std::uint8_t red = 0;    ///< 255: as red as the screen can be
  std::uint8_t green = 0;  ///< 255: as green as the screen can be
  std::uint8_t blue = 0;   ///< 255: as blue as the screen can be
};

/// How numbers become colors.
struct PictureOptions {
  /// The number that gets the first color, as all smaller numbers do. Default of gray pictures:
  /// the smallest finite element; of color pictures: 0. Of bools: false.
  std::optional<double> low = {};
  /// The number that gets the last color, as all larger numbers do. Default of gray pictures: the
  /// largest finite element; of color pictures: 1, or 255 for integers. Of bools: true.
  std::optional<double> high = {};
  Colormap colormap = Colormap::gray;  ///< of Views of rank 2
  /// The color of NaN in Views of rank 2, unless the picture is gray: there NaN is black.
  Color nan = {112, 120, 132};
};

namespace detail {

/// A picture, row by row from the top.
struct picture {
  index_t width = 0;
  index_t height = 0;
  int channels = 0;          ///< 1: gray, 3: color, 4: color and opacity
  bool has_palette = false;  ///< one channel, which is an index in the palette
  Color palette[256] = {};
  std::vector<std::uint8_t> pixels;
  std::size_t row_bytes() const { return static_cast<std::size_t>(width * channels); }
};

enum class picture_format { pgm, ppm, png };
void write_picture(picture_format format, const elements& all, const std::string& path,
                   const PictureOptions& options, const std::source_location& where);
/// Writes a PNG to a file that exists. Returns an error text, or nothing. With libpng, or without
/// it (io/png).
std::string write_png_file(const std::string& path, const picture& image);

template <class V>
void write_picture_of(picture_format format, const V& view, const std::string& path,
                      const PictureOptions& options, const std::source_location& where) {
  static_assert(number_kind_of<value_of_elements<V>>() != number_kind::none,
                "hpk::write_png, write_pgm, write_ppm: the elements are no numbers; copy the part "
                "to show to a View of numbers");
  write_picture(format, elements_of(view), path, options, where);
}

}  // namespace detail

/// Whether this hpk was built with libpng, which write_png needs.
bool has_png() noexcept;

/// Writes a View as a PNG: `hpk::write_png("t.png", temperature)`. The pixel in row i from the top
/// and column j is view(i, j), or the color in view(i, j, ...).
///
/// A View of rank 2 is a gray picture, or with options.colormap a colored one. A View of rank 3,
/// such as View<T**[3]>, is a color picture: the last extent is 3 (red, green, blue) or 4 (and
/// opacity). Elements of type unsigned char and std::uint8_t are written as they are, unless the
/// options name a range; all other numbers are scaled as PictureOptions says. Infinities get the
/// first and last color.
///
/// Throws hpk::error with path, label, extents and call site if there are no pixels, the rank or
/// last extent is another, or the file can't be written; the old file is then unchanged. Without
/// libpng (hpk_WITH_PNG) each call throws.
template <detail::printable V>
void write_png(const std::string& path, const V& view, const PictureOptions& options = {},
               const std::source_location& where = std::source_location::current()) {
  detail::write_picture_of(detail::picture_format::png, view, path, options, where);
}
/// Writes a View of rank 2 as a gray picture in the format PGM. Otherwise as write_png.
template <detail::printable V>
void write_pgm(const std::string& path, const V& view, const PictureOptions& options = {},
               const std::source_location& where = std::source_location::current()) {
  detail::write_picture_of(detail::picture_format::pgm, view, path, options, where);
}
/// Writes a View as a color picture in the format PPM, which knows no opacity. Otherwise as
/// write_png.
template <detail::printable V>
void write_ppm(const std::string& path, const V& view, const PictureOptions& options = {},
               const std::source_location& where = std::source_location::current()) {
  detail::write_picture_of(detail::picture_format::ppm, view, path, options, where);
}

}  // namespace hpk
