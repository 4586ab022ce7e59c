// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix sort of a GPU vendor's library, such as CUB or rocPRIM. A backend with a library sort
// has a header library_sort.hpp with a specialisation; <hpk/library_sort.hpp> includes these
// headers of all enabled backends.
#pragma once

#include <hpk/base/types.hpp>

namespace hpk::seam {

/// Two blocks of memory of equal length. A sort reads `elements` and sets `elements` to the block
/// that holds the result, which may be the former `spare`.
template <class T>
struct sort_buffers {
  T* elements;
  T* spare;
};

/// The sorts of the vendor library of an execution space. Specialisations have `is_known`, true if
/// this file is compiled with the library, and
///   sort<Descending>(exec, keys, n, first_bit, end_bit)
///   sort_pairs<Descending>(exec, keys, values, n, first_bit, end_bit)
/// on sort_buffers of n integer keys, signed or not, and of n values of any type. They sort by the
/// bits [first_bit, end_bit) of the keys, the largest first if Descending, stably and in the order
/// of the instance, and throw hpk::error if the library fails. Any thread may call them.
///
/// With `sorts_segments` there is also
///   sort_segments<Descending>(exec, keys, n, offsets, segments)
/// which sorts the keys [offsets[s], offsets[s + 1]) of each segment separately. The segments hold
/// all n keys; `offsets` is device memory. n and `segments` are less than 2^31. Small segments take
/// about as long as a copy. One block sorts each segment, so large segments are slow.
template <class Exec>
struct library_sort {
  static constexpr bool is_known = false;
  static constexpr bool sorts_segments = false;
};

}  // namespace hpk::seam
