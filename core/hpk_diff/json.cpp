// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.hpp"

namespace hpk_diff {

namespace {

// Returns the size of the UTF-8 sequence at the front in bytes, or 0 if there is no valid one.
std::size_t sequence_at(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(0);
  const std::size_t size = lead < 0x80   ? 1
                           : lead < 0xc2 ? 0
                           : lead < 0xe0 ? 2
                           : lead < 0xf0 ? 3
                           : lead < 0xf5 ? 4
                                         : 0;
  if (size > text.size()) return 0;
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  // Unicode forbids overlong sequences, surrogates and numbers above its last code point.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) ||
      (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f))
    return 0;
  return size;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t size = sequence_at(text);
    const auto code = static_cast<unsigned char>(text.front());
    if (size == 0) {
      out += "\\ufffd";
    } else if (code == '"' || code == '\\') {
      out += '\\';
      out += text.front();
    } else if (code < 32) {
      out += "\\u00";
      out += "0123456789abcdef"[code >> 4];
      out += "0123456789abcdef"[code & 15];
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out + "\"";
}

}  // namespace hpk_diff
