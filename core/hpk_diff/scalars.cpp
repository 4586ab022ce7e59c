// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scalars.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hpk_diff {

namespace {

// An IEEE format. f80 stores the leading bit of its fraction explicitly.
struct float_format {
  int exponent_bits, fraction_bits;
  bool spells_leading_bit;
};
float_format format_of(scalar_kind kind) {
  switch (kind) {
    case scalar_kind::f16:
      return {5, 10, false};
    case scalar_kind::bf16:
      return {8, 7, false};
    case scalar_kind::f32:
      return {8, 23, false};
    case scalar_kind::f64:
      return {11, 52, false};
    case scalar_kind::f80:
      return {15, 63, true};
    default:
      return {15, 112, false};
  }
}

struct float_parts {
  bool is_negative;
  int exponent, highest_exponent;
  wide fraction;
};
float_parts parts_of(const float_format& format, wide bits) {
  const int stored = format.fraction_bits + (format.spells_leading_bit ? 1 : 0);
  const int highest = (1 << format.exponent_bits) - 1;
  return {(bits >> (stored + format.exponent_bits) & 1) != 0,
          static_cast<int>(bits >> stored) & highest, highest,
          bits & ((wide(1) << format.fraction_bits) - 1)};
}

// Returns the value, which may be infinite; rounds f128 if long double has fewer bits.
long double value_of(scalar_kind kind, wide bits) {
  const float_format format = format_of(kind);
  const float_parts parts = parts_of(format, bits);
  const int bias = parts.highest_exponent / 2;
  long double value = std::numeric_limits<long double>::infinity();
  if (parts.exponent != parts.highest_exponent) {
    wide digits = parts.fraction;
    if (parts.exponent != 0) digits |= wide(1) << format.fraction_bits;
    value = std::ldexp(static_cast<long double>(digits),
                       std::max(parts.exponent, 1) - bias - format.fraction_bits);
  }
  return parts.is_negative ? -value : value;
}

// Returns the bits of the magnitude, in the order of the magnitudes of numbers.
wide magnitude_of(scalar_kind kind, wide bits) {
  const float_format format = format_of(kind);
  const float_parts parts = parts_of(format, bits);
  return (static_cast<wide>(parts.exponent) << format.fraction_bits) | parts.fraction;
}
bool is_negative(scalar_kind kind, wide bits) {
  return parts_of(format_of(kind), bits).is_negative;
}

template <class Number>
std::string shortest(Number number) {
  char out[128];
  return {out, std::to_chars(out, out + sizeof(out), number).ptr};
}

// For formats with fewer digits than float: returns the text with the smallest precision that is
// nearer to the number than to its neighbours.
std::string shortest_small(scalar_kind kind, wide bits) {
  const double number = static_cast<double>(value_of(kind, bits));
  if (std::isinf(number) || number == 0) return shortest(number);
  const wide magnitude = magnitude_of(kind, bits);
  const double size = std::abs(number);
  const double below = static_cast<double>(value_of(kind, magnitude - 1));
  double above = static_cast<double>(value_of(kind, magnitude + 1));
  if (std::isinf(above)) above = size + (size - below);
  char out[64];
  for (int digits = 1; digits != 9; ++digits) {
    char* const end =
        std::to_chars(out, out + sizeof(out) - 1, number, std::chars_format::general, digits).ptr;
    *end = '\0';
    const double read = std::strtod(out, nullptr);
    if (std::abs(read) > (size + below) / 2 && std::abs(read) < (size + above) / 2)
      return shortest(read);
  }
  return shortest(number);
}

// Writes a number by its bits, because long double may have fewer.
std::string hexadecimal(scalar_kind kind, wide bits) {
  const float_format format = format_of(kind);
  const float_parts parts = parts_of(format, bits);
  const std::string sign = parts.is_negative ? "-" : "";
  if (parts.exponent == parts.highest_exponent) return sign + "inf";
  if (parts.exponent == 0 && parts.fraction == 0) return sign + "0";
  // f80 has 63 bits, so the last digit holds three of them.
  const int digits = (format.fraction_bits + 3) / 4;
  const wide fraction = parts.fraction << (4 * digits - format.fraction_bits);
  std::string text;
  for (int k = digits - 1; k >= 0; --k)
    text += "0123456789abcdef"[static_cast<unsigned>(fraction >> (4 * k)) & 15u];
  text.resize(text.find_last_not_of('0') + 1);
  const int exponent = std::max(parts.exponent, 1) - parts.highest_exponent / 2;
  return sign + (parts.exponent == 0 ? "0x0" : "0x1") + (text.empty() ? "" : "." + text) + "p" +
         (exponent < 0 ? "" : "+") + std::to_string(exponent);
}

std::string float_text(scalar_kind kind, wide bits) {
  if (is_nan(kind, bits)) return is_negative(kind, bits) ? "-nan" : "nan";
  if (kind == scalar_kind::f32)
    return shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (kind == scalar_kind::f64)
    return shortest(std::bit_cast<double>(static_cast<std::uint64_t>(bits)));
  if (kind == scalar_kind::f16 || kind == scalar_kind::bf16) return shortest_small(kind, bits);
  constexpr int host_bits = std::numeric_limits<long double>::digits;
  if ((kind == scalar_kind::f80 && host_bits == 64) ||
      (kind == scalar_kind::f128 && host_bits == 113))
    return shortest(value_of(kind, bits));
  return hexadecimal(kind, bits);
}

// Sign-extends an integer.
std::int64_t signed_value(scalar_kind kind, wide bits) {
  const auto low = static_cast<std::uint64_t>(bits);
  if (kind == scalar_kind::i8) return static_cast<std::int8_t>(low);
  if (kind == scalar_kind::i16) return static_cast<std::int16_t>(low);
  if (kind == scalar_kind::i32) return static_cast<std::int32_t>(low);
  return static_cast<std::int64_t>(low);
}

void add_hex(std::string& out, unsigned char byte) {
  out += "0123456789abcdef"[byte >> 4];
  out += "0123456789abcdef"[byte & 15];
}

constexpr std::uint64_t most_scalars = 8;
constexpr std::uint64_t most_bytes = 32;

// Writes the scalars of an element, or only the first ones if there are many.
template <class Text>
std::string joined(const element_type& type, const unsigned char* bytes, Text text) {
  if (type.scalars == 1) return text(bytes);
  std::string out = "(";
  for (std::uint64_t k = 0; k != std::min(type.scalars, most_scalars); ++k)
    out += (k == 0 ? "" : ", ") + text(bytes + k * type.scalar_bytes);
  return out + (type.scalars > most_scalars ? ", ...)" : ")");
}

std::string opaque_text(const unsigned char* bytes, std::uint64_t size) {
  std::string out;
  for (std::uint64_t k = 0; k != std::min(size, most_bytes); ++k) {
    if (k != 0) out += ' ';
    add_hex(out, bytes[k]);
  }
  return size > most_bytes ? out + " ..." : out;
}

}  // namespace

std::string text_of(wide number) {
  std::string out;
  do {
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    number /= 10;
  } while (number != 0);
  return out;
}

wide bits_of(scalar_kind kind, const unsigned char* bytes, std::uint64_t size) {
  wide bits = 0;
  for (std::uint64_t k = kind == scalar_kind::f80 ? 10 : size; k != 0; --k)
    bits = bits << 8 | bytes[k - 1];
  return bits;
}

bool is_nan(scalar_kind kind, wide bits) {
  const float_parts parts = parts_of(format_of(kind), bits);
  return parts.exponent == parts.highest_exponent && parts.fraction != 0;
}

wide ulps_between(scalar_kind kind, wide a, wide b) {
  const wide of_a = magnitude_of(kind, a);
  const wide of_b = magnitude_of(kind, b);
  if (is_negative(kind, a) != is_negative(kind, b)) return of_a + of_b;
  return of_a > of_b ? of_a - of_b : of_b - of_a;
}

long double distance_between(scalar_kind kind, wide a, wide b) {
  if (is_floating(kind)) {
    const long double difference = std::abs(value_of(kind, a) - value_of(kind, b));
    return std::isnan(difference) ? 0 : difference;  // infinities of equal sign
  }
  const auto of_a = static_cast<std::uint64_t>(is_signed(kind) ? signed_value(kind, a) : 0);
  const auto of_b = static_cast<std::uint64_t>(is_signed(kind) ? signed_value(kind, b) : 0);
  if (is_signed(kind)) {
    const bool a_is_less = signed_value(kind, a) < signed_value(kind, b);
    return static_cast<long double>(a_is_less ? of_b - of_a : of_a - of_b);
  }
  return static_cast<long double>(static_cast<std::uint64_t>(a > b ? a - b : b - a));
}

std::string text_of(scalar_kind kind, wide bits) {
  if (is_floating(kind)) return float_text(kind, bits);
  if (is_signed(kind)) return std::to_string(signed_value(kind, bits));
  if (kind == scalar_kind::b8 && bits <= 1) return bits == 1 ? "true" : "false";
  if (kind == scalar_kind::b8) return hex_of(bits, 1);
  return std::to_string(static_cast<std::uint64_t>(bits));
}

std::string hex_of(wide bits, std::uint64_t bytes) {
  std::string out = "0x";
  for (std::uint64_t k = bytes; k != 0; --k)
    add_hex(out, static_cast<unsigned char>(bits >> (8 * (k - 1)) & 255));
  return out;
}

std::string distance_text(scalar_kind kind, long double distance) {
  if (!is_floating(kind)) return std::to_string(static_cast<std::uint64_t>(distance));
  const auto rounded = static_cast<double>(distance);
  const bool fits =
      std::isfinite(rounded) == std::isfinite(distance) && (rounded != 0 || distance == 0);
  return fits ? shortest(rounded) : shortest(distance);
}

bool consist_of(const unsigned char* bytes, std::uint64_t size, std::optional<unsigned char> byte) {
  return byte &&
         std::all_of(bytes, bytes + size, [&](unsigned char each) { return each == *byte; });
}

std::string element_text(const element_type& type, const unsigned char* bytes,
                         std::optional<unsigned char> unset) {
  if (type.kind == scalar_kind::opaque) return opaque_text(bytes, type.bytes());
  return joined(type, bytes, [&](const unsigned char* at) {
    const bool may_be_unset = type.scalars > 1 && type.scalar_bytes >= 4;
    if (may_be_unset && consist_of(at, type.scalar_bytes, unset)) return std::string("unset");
    return text_of(type.kind, bits_of(type.kind, at, type.scalar_bytes));
  });
}

std::string where_unlike(const element_type& type, const unsigned char* bytes,
                         const unsigned char* other) {
  const bool is_opaque = type.kind == scalar_kind::opaque;
  const std::uint64_t size = is_opaque ? 1 : type.scalar_bytes;
  std::uint64_t at = 0;
  while (at + size < type.bytes() && std::equal(bytes + at, bytes + at + size, other + at))
    at += size;
  if (is_opaque) return ", byte " + std::to_string(at) + ": " + opaque_text(bytes + at, 1);
  if (at / size >= most_scalars) {
    return ", number " + std::to_string(at / size) + ": " +
           text_of(type.kind, bits_of(type.kind, bytes + at, size));
  }
  return ", bits " + element_hex(type, bytes);
}

std::string element_hex(const element_type& type, const unsigned char* bytes) {
  if (type.kind == scalar_kind::opaque) return opaque_text(bytes, type.bytes());
  const std::uint64_t size = type.kind == scalar_kind::f80 ? 10 : type.scalar_bytes;
  return joined(type, bytes, [&](const unsigned char* at) {
    return hex_of(bits_of(type.kind, at, type.scalar_bytes), size);
  });
}

}  // namespace hpk_diff
