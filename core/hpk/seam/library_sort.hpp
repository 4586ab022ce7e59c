// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix sort of the library that belongs to a GPU, such as CUB or rocPRIM. A backend with one
// has a header library_sort.hpp with a specialisation; <hpk/library_sort.hpp> includes those of all
// enabled backends.
#pragma once

#include <hpk/base/types.hpp>

namespace hpk::seam {

/// Two blocks of memory of equal length. A sort reads `elements` and leaves its result there, which
/// may be what was `spare` before.
template <class T>
struct sort_buffers {
  T* elements;
  T* spare;
};

/// The sorts of the library that belongs to an execution space Exec. Specialisations have
/// `is_known`, whether this file is compiled with the library, and
///   sort<Descending>(exec, keys, n, first_bit, end_bit)
///   sort_pairs<Descending>(exec, keys, values, n, first_bit, end_bit)
/// on sort_buffers of n integer keys, signed or not, and of n values of any type. They sort by the
/// bits [first_bit, end_bit) of the keys, the largest first if Descending, stably and in the order
/// of the instance, and throw hpk::error if the library fails. Any thread may call them.
///
/// With `sorts_segments` there is also
///   sort_segments<Descending>(exec, keys, n, offsets, segments)
/// which sorts the keys [offsets[s], offsets[s + 1]) of each segment for themselves. The segments
/// hold all n keys; `offsets` is memory of the device. n and `segments` are less than 2^31. Small
/// segments take about as long as a copy, but one block sorts a segment, however large.
template <class Exec>
struct library_sort {
  static constexpr bool is_known = false;
  static constexpr bool sorts_segments = false;
};

}  // namespace hpk::seam
