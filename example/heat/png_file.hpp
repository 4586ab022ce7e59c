// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a picture of up to 256 colours as a PNG with libpng. The file appears as a whole or not at
// all: it is written under another name in the same folder and then renamed.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heat {

/// A file can't be written; what() is one line that begins with its name.
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Red, green, blue.
using colour = std::array<std::uint8_t, 3>;

/// A picture, row by row from the top; each pixel is an index into the palette.
struct picture {
  int width = 0;
  int height = 0;
  std::array<colour, 256> palette{};
  std::vector<std::uint8_t> pixels;
};

/// Throws file_error if a file with this name can't be written; leaves no file. Call it before long
/// work.
void expect_writable(const std::string& file);

/// Writes the picture and replaces a file with this name. Throws file_error; an old file is then
/// unchanged.
void write_png(const std::string& file, const picture& image);

}  // namespace heat
