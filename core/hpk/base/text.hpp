// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An append-only builder of messages. Errors and reports use it, so that no header of hpk needs a
// stream. For cold paths; compiled once in text.cpp.
#pragma once

#include <hpk/base/compiler.hpp>

#include <concepts>
#include <string>
#include <string_view>

namespace hpk::detail {

/// Composes a message: `(text() << "extent " << n).str()`.
class text {
 public:
  text& operator<<(std::string_view piece);
  text& operator<<(const char* piece) { return *this << std::string_view(piece); }
  text& operator<<(char piece) { return *this << std::string_view(&piece, 1); }
  text& operator<<(bool value) { return *this << (value ? "true" : "false"); }
  text& operator<<(double value);
  text& operator<<(const void* address);
  /// Any other integer, in decimal.
  template <std::integral I>
  text& operator<<(I value) {
    if constexpr (std::is_signed_v<I>) {
      return append_signed(static_cast<long long>(value));
    } else {
      return append_unsigned(static_cast<unsigned long long>(value));
    }
  }
  /// Appends a byte count in a readable unit: 512 B, 3.5 KiB, 2.0 GiB.
  text& bytes(double count);
  /// The composed message.
  const std::string& str() const { return content_; }

 private:
  text& append_signed(long long value);
  text& append_unsigned(unsigned long long value);
  std::string content_;
};

/// Escapes text for XML and HTML, in elements and in attributes. Control characters, which XML
/// cannot contain, become blanks.
std::string escaped_markup(std::string_view raw);

/// The number of characters to insert, remove or replace to turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace hpk::detail
