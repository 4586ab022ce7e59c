// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The indices of one dimension of an OffsetView: a pair {first, last}, which includes the last
// index, or the explicit inclusive_range and half_open_range.
#pragma once

#include <hpk/core.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <source_location>
#include <string>
#include <type_traits>

namespace hpk {

/// The begins, or the ends, of the dimensions of an OffsetView: {-1, -1, 0}.
using index_list_type = std::initializer_list<std::int64_t>;
/// A pair {first, last} as an object.
using IndexRange = Array<std::int64_t, 2>;

/// The value of begin(r) and end(r) of an OffsetView for r >= rank.
inline constexpr std::int64_t invalid_offset = std::numeric_limits<std::int64_t>::max();
/// The range of a dimension that does not exist.
inline constexpr IndexRange invalid_index_range = {{invalid_offset, invalid_offset}};

/// The indices of one dimension. {-1, 3} has -1, 0, 1, 2, 3; {0, -1} is empty.
class offset_range {
 public:
  /// Makes the range of a dimension that does not exist.
  constexpr offset_range() = default;
  /// The indices from `first` to `last`, both included.
  template <class First, class Last>
    requires(std::is_convertible_v<First, std::int64_t> &&
             std::is_convertible_v<Last, std::int64_t>)
  constexpr offset_range(First first, Last last)
      : first_(static_cast<std::int64_t>(first)), last_(static_cast<std::int64_t>(last)) {}
  /// The range from the first value of a pair to the second.
  ///@{
  constexpr offset_range(const IndexRange& range) : first_(range[0]), last_(range[1]) {}
  template <class Pair>
    requires requires(const Pair& pair) {
      { pair.first } -> std::convertible_to<std::int64_t>;
      { pair.second } -> std::convertible_to<std::int64_t>;
    }
  constexpr offset_range(const Pair& range) : offset_range(range.first, range.second) {}
  ///@}
  /// The range from the first value of a list to the last.
  template <class List>
    requires std::is_same_v<List, index_list_type>
  constexpr offset_range(const List& range)
      : first_(range.begin()[0]), last_(range.begin()[range.size() - 1]) {}

  /// The first index.
  constexpr std::int64_t first() const noexcept { return first_; }
  /// The last index; for half-open ranges, one past the last index.
  constexpr std::int64_t last() const noexcept { return last_; }
  /// Whether last() is excluded.
  constexpr bool is_half_open() const noexcept { return half_open_; }
  /// Whether this is the range of a dimension that does not exist.
  constexpr bool is_absent() const noexcept {
    return first_ == invalid_offset && last_ == invalid_offset;
  }

 private:
  friend constexpr offset_range half_open_range(std::int64_t begin, std::int64_t end) noexcept;

  std::int64_t first_ = invalid_offset;
  std::int64_t last_ = invalid_offset;
  bool half_open_ = false;
};

/// The indices from `first` to `last`, both included.
constexpr offset_range inclusive_range(std::int64_t first, std::int64_t last) noexcept {
  return {first, last};
}
/// The indices from `begin` to `end`, without `end`.
constexpr offset_range half_open_range(std::int64_t begin, std::int64_t end) noexcept {
  offset_range range(begin, end);
  range.half_open_ = true;
  return range;
}

namespace detail {

/// The begins and extents of `rank` dimensions.
struct offset_shape {
  std::int64_t begins[8] = {};
  std::size_t extents[8] = {};
};
/// Returns the shape of ranges. Throws hpk::error if their number is not `rank`, or if a range ends
/// before it begins.
offset_shape shape_of_ranges(const std::string& label, int rank, const offset_range (&ranges)[8],
                             const std::source_location& where);
/// Returns the shape of half-open ranges.
offset_shape shape_of_bounds(int rank, const std::int64_t* begins, const std::int64_t* ends,
                             const std::source_location& where);
/// Throws hpk::error: the length of a list is not the rank.
[[noreturn]] void reject_offset_count(const char* what, std::size_t given, int rank);
/// Throws hpk::error: an index is out of range. Ends are exclusive.
[[noreturn]] void reject_offset_index(const std::string& label, int rank, const std::int64_t* index,
                                      const std::int64_t* begins, const std::int64_t* ends,
                                      const call_place& place);
/// Throws hpk::error: a slice [first, end) of a subview is out of range.
[[noreturn]] void reject_offset_slice(const std::string& label, int dimension, std::int64_t first,
                                      std::int64_t end, std::int64_t dimension_begin,
                                      std::int64_t dimension_end);

/// One offset for each dimension, from a list or an Array.
template <std::size_t Rank>
class offset_list {
 public:
  HPK_FUNCTION offset_list(index_list_type values) {
    if (values.size() != Rank) {
      HPK_IF_ON_HOST(
          (reject_offset_count("begins or ends", values.size(), static_cast<int>(Rank));))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::OffsetView: write one begin for each dimension");))
    }
    for (std::size_t r = 0; r < Rank; ++r) values_[r] = values.begin()[r];
  }
  HPK_FUNCTION offset_list(const Array<std::int64_t, Rank>& values) : values_(values) {}
  HPK_FUNCTION const Array<std::int64_t, Rank>& values() const { return values_; }

 private:
  Array<std::int64_t, Rank> values_{};
};

}  // namespace detail
}  // namespace hpk
