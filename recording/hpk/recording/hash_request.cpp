// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/recording/hash_request.hpp>

#include <charconv>

namespace hpk::detail {

namespace {

template <class I>
bool read_number(std::string_view text, I& into, int base = 10) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), into, base);
  return fault == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool read_unset(std::string_view text, int& into) {
  if (text == "none") {
    into = -1;
    return true;
  }
  return read_number(text, into, 16) && into > 0 && into < 256;
}

bool read_option(std::string_view word, hash_request& into) {
  const std::size_t sign = word.find('=');
  const std::string_view name = word.substr(0, sign);
  if (sign == word.npos) {
    into.regions = into.regions || name == "regions";
    return name == "regions";
  }
  const std::string_view value = word.substr(sign + 1);
  if (name == "every") return read_number(value, into.every) && into.every > 0;
  if (name == "label") {
    into.label = value;
    return !value.empty();
  }
  if (name == "keep") return read_number(value, into.keep) && into.keep > 0;
  if (name == "keep-bytes") return read_number(value, into.keep_bytes);
  if (name == "unset") return read_unset(value, into.unset);
  if (name == "limit") return read_number(value, into.limit) && into.limit > 0;
  return false;
}

}  // namespace

bool read_hash_request(std::string_view text, hash_request& into) {
  into = {};
  into.path = text.substr(0, text.find(','));
  while (text.find(',') != text.npos) {
    text.remove_prefix(text.find(',') + 1);
    if (!read_option(text.substr(0, text.find(',')), into)) return false;
  }
  return !into.path.empty();
}

}  // namespace hpk::detail
