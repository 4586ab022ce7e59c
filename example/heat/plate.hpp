// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plate: the material and the initial temperature of each cell. It shows a sunflower of hot and
// lukewarm studs, a ring wall with gates around the centre, and in the centre the letters "hpk" as
// wires that stay hot. All lengths are fractions of the plate's side, so every size shows the same
// scene.
#pragma once

#include <hpk/core.hpp>

#include <cmath>

namespace heat {

/// The material of a cell, as a number: steps compute with it instead of branching, so their loops
/// vectorise.
namespace material {
inline constexpr float wall = 0.0F;     ///< neither gives nor takes heat
inline constexpr float metal = 1.0F;    ///< gives and takes heat
inline constexpr float heater = -1.0F;  ///< gives heat, and its temperature is constant

/// Returns 1 for a material that gives heat to its neighbours, else 0.
HPK_INLINE_FUNCTION float gives(float m) { return m * m; }
/// Returns 1 for a material that takes heat from its neighbours, else 0.
HPK_INLINE_FUNCTION float takes(float m) { return 0.5F * (m * m + m); }
}  // namespace material

/// Fraction of a temperature difference that flows in one step; stable up to 1/4 with four
/// neighbours.
inline constexpr float share = 0.24F;

/// Initial state of a cell.
struct cell {
  float temperature = 0;  ///< 0 cold .. 1 hot
  float matter = material::metal;
};

/// Returns the distance of (x, y) from the line between two points.
HPK_INLINE_FUNCTION float distance_to_line(float x, float y, float ax, float ay, float bx,
                                           float by) {
  const float dx = bx - ax;
  const float dy = by - ay;
  const float along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const float t = along < 0 ? 0 : along > 1 ? 1 : along;
  return std::hypot(x - ax - t * dx, y - ay - t * dy);
}

/// Returns the distance of (x, y) from a circle, or from its upper half.
HPK_INLINE_FUNCTION float distance_to_arc(float x, float y, float cx, float cy, float radius,
                                          bool upper_half_only) {
  if (upper_half_only && y > cy) return std::hypot(std::fabs(x - cx) - radius, y - cy);
  return std::fabs(std::hypot(x - cx, y - cy) - radius);
}

/// Returns the distance of (x, y) from the letters, whose centre is (0.0275, 0.02); y points down.
HPK_INLINE_FUNCTION float distance_to_letters(float x, float y) {
  const float parts[] = {
      // h
      distance_to_line(x, y, -0.23F, -0.15F, -0.23F, 0.10F),
      distance_to_arc(x, y, -0.165F, 0.01F, 0.065F, true),
      distance_to_line(x, y, -0.10F, 0.01F, -0.10F, 0.10F),
      // p
      distance_to_line(x, y, -0.025F, -0.055F, -0.025F, 0.19F),
      distance_to_arc(x, y, 0.0525F, 0.0225F, 0.0775F, false),
      // k
      distance_to_line(x, y, 0.185F, -0.15F, 0.185F, 0.10F),
      distance_to_line(x, y, 0.185F, 0.04F, 0.275F, -0.055F),
      distance_to_line(x, y, 0.215F, 0.01F, 0.285F, 0.10F),
  };
  float least = parts[0];
  for (const float part : parts) least = part < least ? part : least;
  return least;
}

/// Returns the cell at (x, y), 0 .. 1 in both directions, before the studs are set.
HPK_INLINE_FUNCTION cell plate_at(float x, float y) {
  constexpr float pi = 3.14159265F;
  const float dx = x - 0.5F;
  const float dy = y - 0.5F;
  const float radius = std::hypot(dx, dy);
  if (distance_to_letters(dx + 0.0275F, dy + 0.02F) < 0.008F) return {1.0F, material::heater};
  const float around = std::atan2(dy, dx) / (2 * pi) * 24;
  const bool gate = std::fabs(around - std::round(around)) < 0.2F;
  if (std::fabs(radius - 0.34F) < 0.004F && !gate) return {0.0F, material::wall};
  if (radius > 0.344F && radius < 0.366F) return {0.9F, material::metal};
  return {};
}

/// A hot disc.
struct stud {
  float x;
  float y;
  float radius;
  float temperature;
};

/// Number of studs.
inline constexpr int studs = 1500;

/// The k-th stud: a sunflower outside the ring. Studs do not touch each other.
HPK_INLINE_FUNCTION stud stud_at(int k) {
  const float n = static_cast<float>(k) + 480.0F;
  const float radius = 0.0175F * std::sqrt(n);
  const float angle = 2.39996323F * n;
  const float swirl = std::sin(9.0F * radius * 6.2831853F - 3.0F * angle);
  return {0.5F + radius * std::cos(angle), 0.5F + radius * std::sin(angle),
          0.004F + 0.008F * (0.5F + 0.5F * swirl), 0.45F + 0.55F * (0.5F + 0.5F * swirl)};
}

}  // namespace heat
