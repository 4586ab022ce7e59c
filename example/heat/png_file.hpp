// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a picture of up to 256 colours as a PNG, through libpng. The file appears whole or not at
// all: it is written under another name in the same folder and then renamed.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace heat {

/// A file could not be written; what() is one line that begins with its name.
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Red, green, blue.
using colour = std::array<std::uint8_t, 3>;

/// A picture, row by row from the top: each pixel is a place in the palette.
struct picture {
  int width = 0;
  int height = 0;
  std::array<colour, 256> palette{};
  std::vector<std::uint8_t> pixels;
};

/// Throws file_error if a file of this name could not be written; leaves nothing behind. To be
/// asked before long work.
void expect_writable(const std::string& file);

/// Writes the picture, replacing a file of this name. Throws file_error; then the old file, if
/// there was one, is as it was.
void write_png(const std::string& file, const picture& image);

}  // namespace heat
