// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The colours of temperatures.
#pragma once

#include "plate.hpp"
#include "png_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heat {

/// Black, purple, red, orange, pale yellow, each colour lighter than the previous one. Entry 0 is
/// grey.
inline std::array<colour, 256> make_palette() {
  constexpr double marks[][4] = {{0.00, 4, 3, 14},     {0.12, 34, 12, 66},   {0.30, 104, 22, 104},
                                 {0.50, 186, 48, 78},  {0.68, 236, 104, 36}, {0.85, 250, 180, 50},
                                 {1.00, 254, 250, 200}};
  std::array<colour, 256> palette{};
  palette[0] = {112, 120, 132};
  std::size_t upper = 1;
  for (std::size_t k = 1; k < palette.size(); ++k) {
    const double at = static_cast<double>(k - 1) / 254;
    while (at > marks[upper][0]) ++upper;
    const auto& low = marks[upper - 1];
    const auto& high = marks[upper];
    const double part = (at - low[0]) / (high[0] - low[0]);
    for (std::size_t c = 0; c < 3; ++c) {
      palette[k][c] =
          static_cast<std::uint8_t>(low[c + 1] + part * (high[c + 1] - low[c + 1]) + 0.5);
    }
  }
  return palette;
}

/// Returns the palette index of a cell's colour.
inline std::uint8_t place_in_palette(float temperature, float matter) {
  const float warmth = std::clamp(temperature, 0.0F, 1.0F);
  return matter == material::wall ? std::uint8_t{0}
                                  : static_cast<std::uint8_t>(1.5F + 254.0F * warmth);
}

}  // namespace heat
