// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test of the example: reads a PNG with libpng, and prints its size and whether it has at least
// 100 colors, as a picture of smooth temperatures has and a black one has not.
#include <png.h>
#include <cstdint>
#include <cstdio>
#include <set>
#include <vector>

int main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, argv[1]) == 0) {
    std::fprintf(stderr, "%s: %s\n", argv[1], png.message);
    return 1;
  }
  png.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, bytes.data(), 0, nullptr) == 0) {
    std::fprintf(stderr, "%s: %s\n", argv[1], png.message);
    return 1;
  }
  std::set<int> colors;
  for (std::size_t k = 0; k + 2 < bytes.size(); k += 3) {
    colors.insert(bytes[k] << 16 | bytes[k + 1] << 8 | bytes[k + 2]);
  }
  std::printf("%u x %u, %s\n", png.width, png.height,
              colors.size() >= 100 ? "100 colors or more" : "less than 100 colors");
  return 0;
}
