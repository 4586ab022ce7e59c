// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/file_replacement.hpp>
#include <hpk/io/npy.hpp>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace hpk::detail {

namespace {

[[noreturn]] void fail(const npy_place& place, std::string_view why) {
  error_message text;
  text << place.function << ": file \"" << place.path << '"';
  if (!place.label.empty() && place.label != place.path) text << ", View \"" << place.label << '"';
  hpk::raise(text << ": " << why, place.where);
}
[[noreturn]] void fail_by_system(const npy_place& place, const char* what, int reason) {
  fail(place, std::string(what) + ": " + std::generic_category().message(reason));
}

}  // namespace

void write_npy_file(const npy_place& place, const npy_header& header, const void* elements,
                    std::size_t bytes) {
  const std::string head = format_npy_header(header);
  FileReplacement file;
  std::string fault = file.begin(place.path);
  if (fault.empty()) fault = file.write(head.data(), head.size());
  if (fault.empty()) fault = file.write(elements, bytes);
  if (fault.empty()) fault = file.commit();
  if (!fault.empty()) fail(place, fault);
}

npy_file::npy_file(const npy_place& place) {
  std::FILE* const stream = std::fopen(place.path.c_str(), "rb");
  if (stream == nullptr) fail_by_system(place, "cannot be read", errno);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(stream, &std::fclose);
  const std::string fault = read_npy_header_of(stream, header_);
  if (!fault.empty()) fail(place, fault);
  stream_ = opened.release();
}
npy_file::~npy_file() {
  if (stream_ != nullptr) std::fclose(static_cast<std::FILE*>(stream_));
}

void npy_file::expect(const npy_place& place, const std::string& type, std::size_t rank) const {
  error_message why;
  if (header_.type != type) {
    why << "has elements of type " << header_.type << "; the View's are " << type
        << " (b, i, u, f, c: bool, int, unsigned, float, complex; V: bytes; then their size)";
    fail(place, why.str());
  }
  if (header_.extents.size() != rank) {
    why << "has " << header_.extents.size() << " dimensions; the View has rank " << rank;
    fail(place, why.str());
  }
}
void npy_file::expect_extent(const npy_place& place, std::size_t dimension,
                             std::size_t extent) const {
  if (static_cast<std::size_t>(header_.extents[dimension]) == extent) return;
  error_message why;
  why << "has extent " << header_.extents[dimension] << " in dimension " << dimension
      << "; the View has " << extent;
  fail(place, why.str());
}
void npy_file::read(const npy_place& place, void* elements, std::size_t bytes) {
  if (bytes != 0 && std::fread(elements, 1, bytes, static_cast<std::FILE*>(stream_)) != bytes)
    fail_by_system(place, "cannot be read to its end", errno);
}

}  // namespace hpk::detail
