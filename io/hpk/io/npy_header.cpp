// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/io/npy_header.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace hpk {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr char host_order = std::endian::native == std::endian::little ? '<' : '>';

// The type in a header: "<f8". Single bytes have no byte order.
std::string description(const std::string& type) {
  const bool ordered = type[0] != 'V' && type != "b1" && type != "i1" && type != "u1";
  return (ordered ? host_order : '|') + type;
}

// Returns the text after 'key': in a Python dictionary; empty if the key is missing.
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

// Reads "(3, 4)"; returns false for anything but a tuple of numbers.
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

constexpr const char* torn = "is torn: it ends in its header";

}  // namespace

std::string format_npy_header(const npy_header& header) {
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

std::string read_npy_header(const std::string& path, npy_header& header) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return "cannot be read: " + std::generic_category().message(errno);
  const std::string fault = detail::read_npy_header_of(file, header);
  std::fclose(file);
  return fault;
}

std::string detail::read_npy_header_of(void* stream, npy_header& header) {
  std::FILE* const file = static_cast<std::FILE*>(stream);
  unsigned char start[12] = {};
  if (std::fread(start, 1, 10, file) != 10 || std::memcmp(start, magic.data(), 6) != 0)
    return "is no .npy file";
  const bool is_long = start[6] >= 2;
  if (start[6] < 1 || start[6] > 3) return "is a .npy file of a version that hpk cannot read";
  if (is_long && std::fread(start + 10, 1, 2, file) != 2) return torn;
  const std::size_t length =
      start[8] + (start[9] << 8) +
      (is_long ? (std::size_t{start[10]} << 16) + (std::size_t{start[11]} << 24) : 0);
  const std::size_t begin = (is_long ? 12 : 10) + length;
  std::string dictionary(length, ' ');
  if (length > 1'000'000 || std::fread(dictionary.data(), 1, length, file) != length) return torn;
  const std::string_view type = entry_of(dictionary, "descr");
  const std::string_view order = entry_of(dictionary, "fortran_order");
  const auto quote = type.empty() ? std::string_view::npos : type.find(type[0], 1);
  npy_header result;
  if (quote == std::string_view::npos || (type[0] != '\'' && type[0] != '"') || quote < 4 ||
      !parse_extents(entry_of(dictionary, "shape"), result.extents) ||
      !(order.starts_with("True") || order.starts_with("False")))
    return "has a header that hpk cannot read: " + dictionary.substr(0, 200);
  result.begin = begin;
  result.is_left = order.starts_with("True");
  result.type = std::string(type.substr(2, quote - 2));
  const char byte_order = type[1];
  if (byte_order != host_order && byte_order != '|' && byte_order != '=')
    return "has elements of the other byte order; store them as this machine's";
  std::size_t bytes = 0;
  std::from_chars(result.type.data() + 1, result.type.data() + result.type.size(), bytes);
  for (const index_t extent : result.extents) bytes *= static_cast<std::size_t>(extent);
  std::size_t file_bytes = 0;
  if (std::fseek(file, 0, SEEK_END) == 0) file_bytes = static_cast<std::size_t>(std::ftell(file));
  if (file_bytes != begin + bytes) {
    error_message why;
    why << "is torn: its header announces " << bytes << " bytes of elements, but there are "
        << (file_bytes - begin);
    return why.str();
  }
  if (std::fseek(file, static_cast<long>(begin), SEEK_SET) != 0)
    return "cannot be read: " + std::generic_category().message(errno);
  header = std::move(result);
  return {};
}

npy_header read_npy_header(const std::string& path, const std::source_location& where) {
  npy_header header;
  const std::string fault = read_npy_header(path, header);
  if (!fault.empty())
    raise(error_message() << "hpk::read_npy_header: file \"" << path << "\": " << fault, where);
  return header;
}

}  // namespace hpk
