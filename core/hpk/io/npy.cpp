// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/npy.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
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

constexpr std::string_view magic = "\x93NUMPY";
constexpr char host_order = std::endian::native == std::endian::little ? '<' : '>';

// "<f8"; of single bytes there is no order.
std::string description(const std::string& type) {
  const bool ordered = type[0] != 'V' && type != "b1" && type != "i1" && type != "u1";
  return (ordered ? host_order : '|') + type;
}

std::string format(const npy_header& header) {
  error_message text;
  text << "{'descr': '" << description(header.type)
       << "', 'fortran_order': " << (header.is_left ? "True" : "False") << ", 'shape': (";
  const char* between = "";
  for (const index_t extent : header.extents) {
    text << between << extent;
    between = ", ";
  }
  text << (header.extents.size() == 1 ? ",), }" : "), }");
  std::string dictionary = text.str();
  // Magic, version and length take 10 bytes; elements begin at a multiple of 64.
  const std::size_t all = (10 + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.resize(all - 10 - 1, ' ');
  dictionary += '\n';
  std::string result(magic);
  result += '\x01';
  result += '\x00';
  result += static_cast<char>(dictionary.size() & 0xff);
  result += static_cast<char>(dictionary.size() >> 8);
  return result + dictionary;
}

// The text behind 'key': in a dictionary of Python; empty if there is none.
std::string_view entry_of(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string name = quote + std::string(key) + quote;
    const auto at = dictionary.find(name);
    if (at == std::string_view::npos) continue;
    const auto colon = dictionary.find(':', at + name.size());
    if (colon == std::string_view::npos) return {};
    const auto begin = dictionary.find_first_not_of(' ', colon + 1);
    return begin == std::string_view::npos ? std::string_view() : dictionary.substr(begin);
  }
  return {};
}

// "(3, 4)"; false if it is no tuple of numbers.
bool parse_extents(std::string_view text, std::vector<index_t>& extents) {
  if (text.empty() || text[0] != '(') return false;
  text.remove_prefix(1);
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    if (text.empty()) return false;
    if (text[0] == ')') return true;
    index_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    extents.push_back(extent);
  }
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
  const std::string head = format(header);
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
  unsigned char start[12] = {};
  if (std::fread(start, 1, 10, stream) != 10 || std::memcmp(start, magic.data(), 6) != 0)
    fail(place, "is no .npy file");
  const bool is_long = start[6] >= 2;
  if (start[6] < 1 || start[6] > 3) fail(place, "is a .npy file of a version that hpk cannot read");
  if (is_long && std::fread(start + 10, 1, 2, stream) != 2)
    fail(place, "is torn: it ends in its header");
  const std::size_t length =
      start[8] + (start[9] << 8) +
      (is_long ? (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24) : 0);
  std::error_code error;
  const auto file_bytes = std::filesystem::file_size(place.path, error);
  const std::size_t begin = (is_long ? 12 : 10) + length;
  if (error || file_bytes < begin) fail(place, "is torn: it ends in its header");
  std::string dictionary(length, ' ');
  if (std::fread(dictionary.data(), 1, length, stream) != length)
    fail(place, "is torn: it ends in its header");
  const std::string_view type = entry_of(dictionary, "descr");
  const std::string_view order = entry_of(dictionary, "fortran_order");
  const auto quote = type.empty() ? std::string_view::npos : type.find(type[0], 1);
  if (quote == std::string_view::npos || (type[0] != '\'' && type[0] != '"') || quote < 4 ||
      !parse_extents(entry_of(dictionary, "shape"), header_.extents) ||
      !(order.starts_with("True") || order.starts_with("False")))
    fail(place, "has a header that hpk cannot read: " + dictionary.substr(0, 200));
  header_.is_left = order.starts_with("True");
  header_.type = std::string(type.substr(2, quote - 2));
  const char byte_order = type[1];
  if (byte_order != host_order && byte_order != '|' && byte_order != '=')
    fail(place, "has elements of the other byte order; store them as this machine's");
  std::size_t bytes = 0;
  std::from_chars(header_.type.data() + 1, header_.type.data() + header_.type.size(), bytes);
  for (const index_t extent : header_.extents) bytes *= static_cast<std::size_t>(extent);
  if (file_bytes != begin + bytes) {
    error_message why;
    why << "is torn: its header tells of " << bytes << " bytes of elements, and there are "
        << (file_bytes - begin);
    fail(place, why.str());
  }
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
