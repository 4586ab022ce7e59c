// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "png_file.hpp"

#include <png.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>

namespace heat {

namespace {

[[noreturn]] void fail(const std::string& file, const char* what) {
  throw file_error(file + ": " + what);
}

// A new file next to the target; removed unless it replaces the target.
class temporary_file {
 public:
  explicit temporary_file(const std::string& target) : target_(target) {
    namespace fs = std::filesystem;
    std::error_code absent;
    if (const fs::path there = fs::canonical(target, absent); !absent) {
      // A symbolic link stays and its target is replaced. A folder or a device can't be replaced by
      // a picture.
      if (!fs::is_regular_file(there)) fail(target, "is there, and is not a regular file");
      target_ = there.string();
    }
    name_ = target_ + '.' + std::to_string(std::random_device()()) + ".part";
    out_ = std::fopen(name_.c_str(), "wbx");
    if (out_ == nullptr) fail(target, std::strerror(errno));
  }
  ~temporary_file() {
    if (out_ != nullptr) std::fclose(out_);
    if (!kept_) std::remove(name_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  std::FILE* stream() const { return out_; }
  void take_place() {
    std::FILE* const out = out_;
    out_ = nullptr;
    if (std::fclose(out) != 0) fail(target_, std::strerror(errno));
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, std::strerror(errno));
    kept_ = true;
  }

 private:
  std::string target_;
  std::string name_;
  std::FILE* out_ = nullptr;
  bool kept_ = false;
};

}  // namespace

void expect_writable(const std::string& file) { const temporary_file probe(file); }

void write_png(const std::string& file, const picture& image) {
  temporary_file out(file);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB_COLORMAP;
  png.colormap_entries = static_cast<png_uint_32>(image.palette.size());
  if (png_image_write_to_stdio(&png, out.stream(), 0, image.pixels.data(), image.width,
                               image.palette.data()) == 0) {
    fail(file, png.message);
  }
  out.take_place();
}

}  // namespace heat
