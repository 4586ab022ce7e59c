// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of a plate: temperatures from black to pale yellow, walls gray.
#pragma once

#include <hpk/core.hpp>
#include <hpk/io.hpp>

#include "plate.hpp"

#include <limits>
#include <string>

namespace heat {

/// The cells of a plate on the host.
using cells = hpk::View<float**, hpk::LayoutRight, hpk::HostSpace>;

inline void write_picture(const std::string& file, const cells& temperature, const cells& matter) {
  const cells shown("plate", temperature.extent(0), temperature.extent(1));
  hpk::parallel_for("paint",
                    hpk::MDRangePolicy<hpk::DefaultHostExecutionSpace, hpk::Rank<2>>(
                        {0, 0}, {shown.extent(0), shown.extent(1)}),
                    [=](hpk::index_t i, hpk::index_t j) {
                      shown(i, j) = matter(i, j) == material::wall
                                        ? std::numeric_limits<float>::quiet_NaN()
                                        : temperature(i, j);
                    });
  hpk::write_png(file, shown, {.low = 0, .high = 1, .colormap = hpk::Colormap::heat});
}

}  // namespace heat
