// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linearize and delinearize: convert the indices of a point in a box to its number, and back. For
// kernels of one index that work on boxes, and to convert indices between boxes of different rank.
// Points have the order of MDRange loops and of dense Views.
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/parallel/policies/policy.hpp>

#include <concepts>
#include <type_traits>

namespace hpk::detail {

template <Iterate Order, std::size_t N>
HPK_FORCEINLINE_FUNCTION constexpr std::size_t dimension_of_rank(std::size_t k) noexcept {
  // k counts the dimensions from the slowest to the fastest.
  return Order == Iterate::Left ? N - 1 - k : k;
}

}  // namespace hpk::detail

namespace hpk {

/// Returns the number of a point, counted from 0, in a box of these extents. With Iterate::Right
/// (and Default) the last index varies fastest, as in LayoutRight; with Iterate::Left the first, as
/// in LayoutLeft. linearize({1, 2}, {3, 4}) is 6.
///
/// \pre Each index is at least 0 and below its extent, and the number of points fits in I. If
/// HPK_CHECKS is 1, an index that is not below its extent ends the program. Host and device.
template <Iterate Order = Iterate::Right, std::integral I, std::size_t N>
HPK_FUNCTION constexpr I linearize(const Array<I, N>& index,
                                   const std::type_identity_t<Array<I, N>>& extents) {
  I number = 0;
  for (std::size_t k = 0; k < N; ++k) {
    const std::size_t d = detail::dimension_of_rank<Order, N>(k);
    HPK_EXPECTS(!detail::is_negative(index[d]) && index[d] < extents[d]);
    number = static_cast<I>(number * extents[d] + index[d]);
  }
  return number;
}

/// Returns the point whose number is `number`: the inverse of linearize().
///
/// \pre `number` is at least 0 and below the product of the extents. If not, and HPK_CHECKS is 1,
/// the program ends. Host and device.
template <Iterate Order = Iterate::Right, std::size_t N, std::integral I>
HPK_FUNCTION constexpr Array<I, N> delinearize(std::type_identity_t<I> number,
                                               const Array<I, N>& extents) {
  HPK_EXPECTS(!detail::is_negative(number));
  Array<I, N> index{};
  for (std::size_t k = N; k-- > 0;) {
    const std::size_t d = detail::dimension_of_rank<Order, N>(k);
    HPK_EXPECTS(extents[d] > 0);
    index[d] = static_cast<I>(number % extents[d]);
    number = static_cast<I>(number / extents[d]);
  }
  HPK_EXPECTS(number == 0);
  return index;
}

}  // namespace hpk
