// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// min, max, minmax and clamp for kernels, with the semantics of <algorithm> also for equal values.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/pair.hpp>

#include <initializer_list>

namespace hpk {

/// The smaller of two values, the first one if they are equal. Returns a reference, like all forms
/// with two values: copy the result if an argument is a temporary.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
/// The smaller of two values by the order less(x, y).
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr const T& min(const T& a, const T& b, Less less) {
  return less(b, a) ? b : a;
}
/// @{
/// The larger of two values, the first if they are equal; by < or by the order less(x, y).
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr const T& max(const T& a, const T& b, Less less) {
  return less(a, b) ? b : a;
}
/// @}
/// @{
/// The smaller and the larger value, by < or by the order less(x, y); (a, b) if they are equal.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr pair<const T&, const T&> minmax(const T& a, const T& b) {
  if (b < a) return {b, a};
  return {a, b};
}
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr pair<const T&, const T&> minmax(const T& a, const T& b, Less less) {
  if (less(b, a)) return {b, a};
  return {a, b};
}
/// @}

/// The smallest value of a non-empty list, the first one if several are equal.
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr T min(std::initializer_list<T> values, Less less) {
  HPK_EXPECTS(values.size() != 0);
  const T* best = values.begin();
  for (const T* p = best + 1; p != values.end(); ++p)
    if (less(*p, *best)) best = p;
  return *best;
}
/// The largest value of a non-empty list, the first one if several are equal.
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr T max(std::initializer_list<T> values, Less less) {
  HPK_EXPECTS(values.size() != 0);
  const T* best = values.begin();
  for (const T* p = best + 1; p != values.end(); ++p)
    if (less(*best, *p)) best = p;
  return *best;
}
/// The first smallest and the last largest value of a list.
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr pair<T, T> minmax(std::initializer_list<T> values, Less less) {
  HPK_EXPECTS(values.size() != 0);
  const T* low = values.begin();
  const T* high = low;
  for (const T* p = low + 1; p != values.end(); ++p) {
    if (less(*p, *low)) low = p;
    if (!less(*p, *high)) high = p;
  }
  return {*low, *high};
}

namespace detail {
/// Compares with <.
struct less {
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
}  // namespace detail

/// @{
/// The smallest value, the largest value, or both, of a non-empty list, by <; of equal values as
/// above.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr T min(std::initializer_list<T> values) {
  return hpk::min(values, detail::less());
}
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr T max(std::initializer_list<T> values) {
  return hpk::max(values, detail::less());
}
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr pair<T, T> minmax(std::initializer_list<T> values) {
  return hpk::minmax(values, detail::less());
}
/// @}

/// @{
/// Limits the value to the bounds, where low <= high by < or by the order less(x, y). A NaN is
/// returned unchanged.
HPK_CALLS_EITHER
template <class T>
HPK_FUNCTION constexpr const T& clamp(const T& value, const T& low, const T& high) {
  HPK_EXPECTS(!(high < low));
  return hpk::min(hpk::max(value, low), high);
}
HPK_CALLS_EITHER
template <class T, class Less>
HPK_FUNCTION constexpr const T& clamp(const T& value, const T& low, const T& high, Less less) {
  HPK_EXPECTS(!less(high, low));
  return hpk::min(hpk::max(value, low, less), high, less);
}
/// @}

}  // namespace hpk
