// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write_png of an hpk without libpng.
#include <hpk/io/picture.hpp>

namespace hpk {

bool has_png() noexcept { return false; }

namespace detail {

std::string write_png_file(const std::string&, const picture&) {
  return "this hpk was built without libpng; install libpng and build hpk with "
         "-Dhpk_WITH_PNG=on, or call hpk::write_ppm";
}

}  // namespace detail

}  // namespace hpk
