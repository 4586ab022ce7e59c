// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads scalars of every type that a View may have from the little-endian bytes of a values file.
// It works bit by bit, so that any machine prints them exactly, also those of types that it lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hash_file.hpp"

namespace hpk_diff {

__extension__ using wide = unsigned __int128;

std::string text_of(wide number);

/// Returns the bits that count: an f80 has 10 bytes of them in 16.
wide bits_of(scalar_kind kind, const unsigned char* bytes, std::uint64_t size);
/// Expects a floating-point scalar.
bool is_nan(scalar_kind kind, wide bits);
/// Counts the steps between representable numbers; both zeros are one number. Expects
/// floating-point scalars that are no NaN.
wide ulps_between(scalar_kind kind, wide a, wide b);
/// Returns the absolute difference of numbers, for integers exactly.
long double distance_between(scalar_kind kind, wide a, wide b);

/// Returns the shortest text that reads back as this scalar.
std::string text_of(scalar_kind kind, wide bits);
/// Writes a scalar as 0x and hexadecimal digits.
std::string hex_of(wide bits, std::uint64_t bytes);
/// Returns the shortest text of a difference of such scalars.
std::string distance_text(scalar_kind kind, long double distance);

/// Tells whether `size` bytes are all this byte.
bool consist_of(const unsigned char* bytes, std::uint64_t size, std::optional<unsigned char> byte);

/// Writes an element: a scalar, `(1, 2)` for several, or the bytes of an opaque one. Of several
/// scalars, those that consist of the byte `unset` read `unset`.
std::string element_text(const element_type& type, const unsigned char* bytes,
                         std::optional<unsigned char> unset);
/// Writes an element with the bits of each scalar.
std::string element_hex(const element_type& type, const unsigned char* bytes);

/// Distinguishes an element from another one of the same text: the bits of its scalar, or the first
/// of many scalars or bytes that is not the same.
std::string where_unlike(const element_type& type, const unsigned char* bytes,
                         const unsigned char* other);

}  // namespace hpk_diff
