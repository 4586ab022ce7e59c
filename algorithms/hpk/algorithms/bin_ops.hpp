// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bin operations for hpk::BinSort: uniform bins of one coordinate (BinOp1D) and of three (BinOp3D).
#pragma once

#include <hpk/core.hpp>

#include <limits>
#include <source_location>
#include <type_traits>

namespace hpk::detail::sorting {

[[noreturn]] void reject_bin_count(std::string_view function, index_t bins,
                                   const std::source_location& where);
[[noreturn]] void reject_bin_limits(std::string_view function, int dimension, double min,
                                    double max, const std::source_location& where);

/// Returns the number of bins per unit of a coordinate in [min, max], or 0 if min = max. Throws
/// hpk::error for wrong arguments.
template <class T>
double bins_per_unit(std::string_view function, int dimension, int bins, T min, T max,
                     const std::source_location& where) {
  if (bins < 1) reject_bin_count(function, bins, where);
  const auto low = static_cast<double>(min);
  const auto high = static_cast<double>(max);
  if (!(low <= high) || high - low > std::numeric_limits<double>::max())
    reject_bin_limits(function, dimension, low, high, where);
  return low == high ? 0 : bins / (high - low);
}

}  // namespace hpk::detail::sorting

namespace hpk {

/// Uniform bins for numbers from min to max, both included. Keys equal to max have a bin of their
/// own, number max_bins (the argument), so max_bins() returns one more than the argument. With min
/// = max all keys are in bin 0.
///
/// Errors: hpk::error for fewer than one bin, and for limits that are reversed, not finite or NaN.
template <class KeyView>
struct BinOp1D {
  using key_type = typename KeyView::non_const_value_type;  ///< Type of a key.

  /// Makes an operation without bins, to be assigned later.
  BinOp1D() = default;
  /// Divides [min, max] into max_bins bins of equal width.
  BinOp1D(int max_bins, key_type min, key_type max,
          const std::source_location& where = std::source_location::current())
      : bins_(max_bins + 1),
        scale_(detail::sorting::bins_per_unit("hpk::BinOp1D", 0, max_bins, min, max, where)),
        min_(static_cast<double>(min)) {}

  /// Returns the bin of key i: max_bins() or more for keys above max, -1 for keys below min and for
  /// NaN.
  HPK_CALLS_EITHER
  template <class Keys>
  HPK_FUNCTION int bin(Keys& keys, index_t i) const {
    const double place = scale_ * (static_cast<double>(keys(i)) - min_);
    return place >= 0 ? static_cast<int>(place < 2e9 ? place : 2e9) : -1;
  }
  /// Returns the number of bins.
  HPK_FUNCTION int max_bins() const { return bins_; }
  /// Whether key i1 comes before key i2 in their bin.
  HPK_CALLS_EITHER
  template <class Keys, class I1, class I2>
  HPK_FUNCTION bool operator()(Keys& keys, I1 i1, I2 i2) const {
    return keys(i1) < keys(i2);
  }

 private:
  int bins_ = 0;
  double scale_ = 0;
  double min_ = 0;
};

/// Uniform bins of a box, for keys with three coordinates keys(i, 0) to keys(i, 2). Coordinate d
/// ranges from min[d] to max[d], both included; max[d] belongs to the last bin of its dimension.
/// The third coordinate varies fastest in the numbering of bins. Keys of a bin are ordered
/// lexicographically.
///
/// Errors: as for BinOp1D, for each dimension.
template <class KeyView>
struct BinOp3D {
  using key_type = typename KeyView::non_const_value_type;  ///< Type of a coordinate.

  /// Makes an operation without bins, to be assigned later.
  BinOp3D() = default;
  /// Divides dimension d of the box into max_bins[d] bins of equal width.
  BinOp3D(const int max_bins[3], const key_type min[3], const key_type max[3],
          const std::source_location& where = std::source_location::current()) {
    for (int d = 0; d < 3; ++d) {
      bins_[d] = max_bins[d];
      scale_[d] =
          detail::sorting::bins_per_unit("hpk::BinOp3D", d, max_bins[d], min[d], max[d], where);
      min_[d] = static_cast<double>(min[d]);
      max_[d] = static_cast<double>(max[d]);
    }
  }

  /// Returns the bin of key i, or -1 if the key is outside of the box.
  HPK_CALLS_EITHER
  template <class Keys>
  HPK_FUNCTION int bin(Keys& keys, index_t i) const {
    int number = 0;
    for (int d = 0; d < 3; ++d) {
      const auto x = static_cast<double>(keys(i, d));
      if (!(x >= min_[d] && x <= max_[d])) return -1;
      const int b = static_cast<int>(scale_[d] * (x - min_[d]));
      number = number * bins_[d] + (b < bins_[d] ? b : bins_[d] - 1);
    }
    return number;
  }
  /// Returns the number of bins.
  HPK_FUNCTION int max_bins() const { return bins_[0] * bins_[1] * bins_[2]; }
  /// Whether key i1 comes before key i2 in their bin.
  HPK_CALLS_EITHER
  template <class Keys, class I1, class I2>
  HPK_FUNCTION bool operator()(Keys& keys, I1 i1, I2 i2) const {
    for (int d = 0; d < 3; ++d) {
      if (keys(i1, d) < keys(i2, d)) return true;
      if (keys(i2, d) < keys(i1, d)) return false;
    }
    return false;
  }

 private:
  int bins_[3] = {};
  double scale_[3] = {};
  double min_[3] = {};
  double max_[3] = {};
};

}  // namespace hpk
