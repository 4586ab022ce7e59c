// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/picture.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <vector>

namespace hpk::detail {

namespace {

// Colors at some places of a map; those between are interpolated.
struct mark {
  double place, red, green, blue;
};
constexpr mark heat[] = {{0.00, 4, 3, 14},     {0.12, 34, 12, 66},   {0.30, 104, 22, 104},
                         {0.50, 186, 48, 78},  {0.68, 236, 104, 36}, {0.85, 250, 180, 50},
                         {1.00, 254, 250, 200}};
constexpr mark diverging[] = {{0.00, 20, 40, 120},
                              {0.25, 80, 140, 210},
                              {0.50, 245, 245, 245},
                              {0.75, 215, 110, 80},
                              {1.00, 120, 15, 35}};

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}
Color to_color(double red, double green, double blue) {
  return {to_byte(red), to_byte(green), to_byte(blue)};
}

template <std::size_t N>
Color interpolated(const mark (&marks)[N], double place) {
  std::size_t upper = 1;
  while (place > marks[upper].place) ++upper;
  const mark& low = marks[upper - 1];
  const mark& high = marks[upper];
  const double part = (place - low.place) / (high.place - low.place);
  return to_color(std::lerp(low.red, high.red, part), std::lerp(low.green, high.green, part),
                  std::lerp(low.blue, high.blue, part));
}

// The cubehelix of D. A. Green (2011): a helix around the diagonal of the color cube, with start
// 0.5, -1.5 rotations and hue 1. The matrix makes its lightness proportional to the place.
Color cubehelix(double place) {
  constexpr double pi = 3.14159265358979323846;
  const double angle = 2 * pi * (0.5 / 3 + 1 - 1.5 * place);
  const double radius = place * (1 - place) / 2;
  const double x = radius * std::cos(angle);
  const double y = radius * std::sin(angle);
  return to_color(255 * (place - 0.14861 * x + 1.78277 * y),
                  255 * (place - 0.29227 * x - 0.90649 * y), 255 * (place + 1.97294 * x));
}

Color color_at(Colormap map, double place) {
  switch (map) {
    case Colormap::gray:
      break;
    case Colormap::heat:
      return interpolated(heat, place);
    case Colormap::cubehelix:
      return cubehelix(place);
    case Colormap::diverging:
      return interpolated(diverging, place);
  }
  return to_color(255 * place, 255 * place, 255 * place);
}

// The numbers of the first and last color.
struct range {
  double low, high;
  // 0 to `last`.
  double place(double value, double last) const {
    if (value <= low || !(high > low)) return value > high ? last : 0;
    // Halves, as high - low may be too large for a double.
    return value >= high ? last : last * ((value / 2 - low / 2) / (high / 2 - low / 2));
  }
};

// Calls take(values, i) with the numbers of each row of a picture, in the order of its channels.
template <class Take>
void for_rows(const elements& all, int channels, const Take& take) {
  const index_t width = all.extents[1];
  std::vector<double> channel(static_cast<std::size_t>(width));
  std::vector<double> values(static_cast<std::size_t>(width * channels));
  for (index_t i = 0; i < all.extents[0]; ++i) {
    for (int c = 0; c < channels; ++c) {
      const index_t first[max_rank] = {i, 0, c};
      if (all.rank == 2 || channels == 1) {
        read_numbers(all.kind, all.at(first), all.strides[1], width, values.data());
        continue;
      }
      read_numbers(all.kind, all.at(first), all.strides[1], width, channel.data());
      for (index_t j = 0; j < width; ++j)
        values[static_cast<std::size_t>(j * channels + c)] = channel[static_cast<std::size_t>(j)];
    }
    take(values, i);
  }
}

range range_of(const elements& all, const PictureOptions& options) {
  range found{0, 0};
  if (all.kind == number_kind::boolean) {
    found = {0, 1};
  } else if (all.rank == 3) {
    const bool is_real = all.kind >= number_kind::half;
    found = {0, is_real ? 1.0 : 255.0};
  } else if (!options.low || !options.high) {
    bool is_first = true;
    for_rows(all, 1, [&](const std::vector<double>& values, index_t) {
      for (const double value : values) {
        if (!std::isfinite(value)) continue;
        found = is_first ? range{value, value}
                         : range{std::min(found.low, value), std::max(found.high, value)};
        is_first = false;
      }
    });
  }
  return {options.low.value_or(found.low), options.high.value_or(found.high)};
}

// Rank, extents and range must fit the format.
int channels_for(picture_format format, const elements& all, const PictureOptions& options,
                 const file_place& place) {
  if (all.rank != 2 && (all.rank != 3 || format == picture_format::pgm)) {
    fail(place, format == picture_format::pgm
                    ? "a gray picture has rank 2"
                    : "a picture has rank 2, or rank 3 with the colors in the last dimension");
  }
  const index_t channels = all.rank == 2 ? 1 : all.extents[2];
  if (all.rank == 3 && channels != 3 && (channels != 4 || format == picture_format::ppm)) {
    fail(place, format == picture_format::ppm
                    ? "the last extent of a color picture is 3: red, green, blue"
                    : "the last extent of a color picture is 3 or 4: red, green, blue, opacity");
  }
  constexpr index_t most = 0x7fffffff;
  if (all.extents[0] > most || all.extents[1] > most)
    fail(place, "a picture has at most 2147483647 rows and columns");
  if (all.size() == 0) fail(place, "there are no pixels");
  if (all.data == nullptr) fail(place, "there is no memory");
  if (!std::isfinite(options.low.value_or(0)) || !std::isfinite(options.high.value_or(0)))
    fail(place, "the options low and high are finite numbers");
  if (options.low && options.high && !(*options.low < *options.high))
    fail(place, "the option low is not smaller than high");
  return static_cast<int>(channels);
}

picture paint(const elements& all, int channels, bool has_palette, const PictureOptions& options) {
  picture image{all.extents[1], all.extents[0], channels, has_palette, {}, {}};
  const std::size_t row = image.row_bytes();
  image.pixels.resize(row * static_cast<std::size_t>(image.height));
  const bool as_is = all.kind == number_kind::uint8 && !options.low && !options.high;
  const range scale = as_is ? range{0, 255} : range_of(all, options);
  if (has_palette) {
    image.palette[0] = options.nan;
    for (int k = 1; k < 256; ++k) image.palette[k] = color_at(options.colormap, (k - 1) / 254.0);
  }
  for_rows(all, channels, [&](const std::vector<double>& values, index_t i) {
    std::uint8_t* to = image.pixels.data() + static_cast<std::size_t>(i) * row;
    for (const double value : values) {
      if (std::isnan(value)) {
        *to++ = 0;
      } else if (has_palette) {
        *to++ = to_byte(1 + scale.place(value, 254));
      } else {
        *to++ = to_byte(scale.place(value, 255));
      }
    }
  });
  return image;
}

void write_pnm(output_file& file, picture_format format, const picture& image) {
  error_message head;
  head << (format == picture_format::pgm ? "P5\n" : "P6\n") << image.width << ' ' << image.height
       << "\n255\n";
  file.write(head.str());
  const std::size_t row = image.row_bytes();
  std::vector<std::uint8_t> colors;
  for (index_t i = 0; i < image.height; ++i) {
    const std::uint8_t* const pixels = image.pixels.data() + static_cast<std::size_t>(i) * row;
    if (format == picture_format::pgm || image.channels == 3) {
      file.write(pixels, row);
      continue;
    }
    colors.clear();
    for (std::size_t k = 0; k < row; ++k) {
      const std::uint8_t p = pixels[k];
      const Color c = image.has_palette ? image.palette[p] : Color{p, p, p};
      colors.insert(colors.end(), {c.red, c.green, c.blue});
    }
    file.write(colors.data(), colors.size());
  }
}

}  // namespace

void write_picture(picture_format format, const elements& all, const std::string& path,
                   const PictureOptions& options, const std::source_location& where) {
  static constexpr const char* names[] = {"hpk::write_pgm", "hpk::write_ppm", "hpk::write_png"};
  const file_place place{names[static_cast<int>(format)], path, all.name(), where};
  const int channels = channels_for(format, all, options, place);
  const bool has_palette =
      channels == 1 && format != picture_format::pgm && options.colormap != Colormap::gray;
  output_file file(place);
  picture image;
  try {
    image = paint(on_host(all), channels, has_palette, options);
  } catch (const std::bad_alloc&) {
    fail(place, "there is not enough memory for the pixels");
  } catch (const std::length_error&) {
    fail(place, "there is not enough memory for the pixels");
  }
  if (format == picture_format::png) {
    const std::string fault = write_png_file(file.temporary(), image);
    if (!fault.empty()) fail(place, fault);
  } else {
    write_pnm(file, format, image);
  }
  file.commit();
}

}  // namespace hpk::detail
