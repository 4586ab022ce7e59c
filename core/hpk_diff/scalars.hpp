// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads scalars of every type that a View may have from the little-endian bytes of a values file.
// Works on the bits, so that any machine prints all types exactly, even types that it lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hash_file.hpp"

namespace hpk_diff {

__extension__ using wide = unsigned __int128;

std::string text_of(wide number);

/// Returns the significant bits: an f80 stores 10 bytes of them in 16.
wide bits_of(scalar_kind kind, const unsigned char* bytes, std::uint64_t size);
/// Returns whether a floating-point scalar is NaN.
bool is_nan(scalar_kind kind, wide bits);
/// Returns the number of steps between two representable numbers; both zeros count as one number.
/// Requires floating-point scalars that are not NaN.
wide ulps_between(scalar_kind kind, wide a, wide b);
/// Returns the absolute difference of numbers; exact for integers.
long double distance_between(scalar_kind kind, wide a, wide b);

/// Returns the shortest text that reads back as this scalar.
std::string text_of(scalar_kind kind, wide bits);
/// Writes a scalar as 0x and hexadecimal digits.
std::string hex_of(wide bits, std::uint64_t bytes);
/// Returns the shortest text of a difference between scalars of this kind.
std::string distance_text(scalar_kind kind, long double distance);

/// Returns whether all `size` bytes equal `byte`.
bool consist_of(const unsigned char* bytes, std::uint64_t size, std::optional<unsigned char> byte);

/// Writes an element: a scalar, `(1, 2)` for several, or bytes for an opaque one. Among several
/// scalars, those that consist of the byte `unset` are written as `unset`.
std::string element_text(const element_type& type, const unsigned char* bytes,
                         std::optional<unsigned char> unset);
/// Writes an element with the bits of each scalar.
std::string element_hex(const element_type& type, const unsigned char* bytes);

/// Returns a text that distinguishes two elements with equal texts: the bits of the scalar, or the
/// first of many scalars or bytes that differs.
std::string where_unlike(const element_type& type, const unsigned char* bytes,
                         const unsigned char* other);

}  // namespace hpk_diff
