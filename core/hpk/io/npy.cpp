// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/npy.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#if HPK_HAS_LINUX
#include <unistd.h>
#endif

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

// Removes a file that was not renamed.
struct temporary_file {
  std::string path;
  std::FILE* stream = nullptr;
  ~temporary_file() {
    if (stream != nullptr) std::fclose(stream);
    if (!path.empty()) std::remove(path.c_str());
  }
};

}  // namespace

void write_npy_file(const npy_place& place, const npy_header& header, const void* elements,
                    std::size_t bytes) {
  static std::atomic<unsigned> number{0};
  temporary_file file;
  error_message name;
  name << place.path << ".writing-";
#if HPK_HAS_LINUX
  name << getpid() << '-';
#endif
  name << number++;
  file.stream = std::fopen(name.str().c_str(), "wb");
  if (file.stream == nullptr) fail_by_system(place, "cannot be written", errno);
  file.path = name.str();
  const std::string head = format_npy_header(header);
  if (std::fwrite(head.data(), 1, head.size(), file.stream) != head.size() ||
      (bytes != 0 && std::fwrite(elements, 1, bytes, file.stream) != bytes) ||
      std::fflush(file.stream) != 0)
    fail_by_system(place, "cannot be written", errno);
#if HPK_HAS_LINUX
  // So that after a crash of the machine the new name has the new bytes. A pipe has none to keep.
  if (fsync(fileno(file.stream)) != 0 && errno != EINVAL)
    fail_by_system(place, "cannot be written", errno);
#endif
  const int closed = std::fclose(file.stream);
  file.stream = nullptr;
  if (closed != 0) fail_by_system(place, "cannot be written", errno);
  std::error_code error;
  std::filesystem::rename(file.path, place.path, error);
  if (error) fail(place, "cannot be replaced: " + error.message());
  file.path.clear();
}

npy_file::npy_file(const npy_place& place) {
  std::FILE* const stream = std::fopen(place.path.c_str(), "rb");
  if (stream == nullptr) fail_by_system(place, "cannot be read", errno);
  temporary_file closing{.path = {}, .stream = stream};
  const std::string fault = read_npy_header_of(stream, header_);
  if (!fault.empty()) fail(place, fault);
  closing.stream = nullptr;
  stream_ = stream;
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
