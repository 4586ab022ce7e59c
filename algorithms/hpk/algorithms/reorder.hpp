// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms that reorder all elements: reverse, rotate, their copying variants, shift_left and
// shift_right. The in-place variants exchange elements and need no buffer.
#pragma once

#include <hpk/algorithms/elementwise.hpp>

namespace hpk::detail::algorithms {

/// Exchanges element i with element last - i.
template <class Row>
struct reverse_step {
  Row row;
  index_t last;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    exchange(row, static_cast<index_t>(i), row, last - static_cast<index_t>(i));
  }
};
template <class Out, class Row>
struct reverse_copy_step {
  Out out;
  Row row;
  index_t last;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    out[static_cast<index_t>(i)] = row[last - static_cast<index_t>(i)];
  }
};

/// Reverses the elements [begin, end) of a range.
HPK_CALLS_EITHER
template <class Executor, class R>
HPK_FUNCTION void reverse_subrange(const Executor& executor, const R& range, index_t begin,
                                   index_t end) {
  const index_t n = end - begin;
  executor.for_each(n / 2, reverse_step<decltype(range.row())>{row_of(range.at(begin)), n - 1});
}
/// Exchanges the n elements from index a on with the n elements from index b on.
HPK_CALLS_EITHER
template <class Executor, class R>
HPK_FUNCTION void swap_subranges(const Executor& executor, const R& range, index_t a, index_t b,
                                 index_t n) {
  using row = decltype(range.row());
  executor.for_each(n, swap_elements<row, row>{row_of(range.at(a)), row_of(range.at(b))});
}
/// Rotates a range so that element n becomes the first. Repeatedly exchanges the shorter part with
/// elements of the longer one, which moves the shorter part to its final position (Gries and
/// Mills). When this would take many steps it uses three reversals instead.
HPK_CALLS_EITHER
template <class Executor, class R>
HPK_FUNCTION void rotate_range(const Executor& executor, const R& range, index_t n) {
  index_t begin = 0;
  index_t left = n;
  index_t right = range.count - n;
  while (left > 0 && right > 0) {
    if (left * 8 < right || right * 8 < left) {
      reverse_subrange(executor, range, begin, begin + left);
      reverse_subrange(executor, range, begin + left, begin + left + right);
      reverse_subrange(executor, range, begin, begin + left + right);
      return;
    }
    if (left <= right) {
      swap_subranges(executor, range, begin, begin + right, left);
      right -= left;
    } else {
      swap_subranges(executor, range, begin, begin + left, right);
      begin += right;
      left -= right;
    }
  }
}

struct reverse_body : over_range<reverse_body> {
  static constexpr const char* name = "hpk::reverse";
  HPK_CALLS_EITHER
  template <class Executor, class R>
  HPK_FUNCTION static void run(const Executor& executor, const R& range) {
    reverse_subrange(executor, range, 0, range.count);
  }
};
struct reverse_copy_body : over_range<reverse_copy_body> {
  static constexpr const char* name = "hpk::reverse_copy";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, const Out& out) {
    expect_output(executor, range, out);
    executor.for_each(range.count, reverse_copy_step<row_of_t<Out>, decltype(range.row())>{
                                       row_of(out), range.row(), range.count - 1});
    return moved_by(out, range.count);
  }
};
struct rotate_body : over_split<rotate_body> {
  static constexpr const char* name = "hpk::rotate";
  HPK_CALLS_EITHER
  template <class Executor, class R>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, index_t n) {
    rotate_range(executor, range, n);
    return range.at(range.count - n);
  }
};
struct rotate_copy_body : over_split<rotate_copy_body> {
  static constexpr const char* name = "hpk::rotate_copy";
  HPK_CALLS_EITHER
  template <class Executor, class R, class Out>
  HPK_FUNCTION static Out run(const Executor& executor, const R& range, index_t n, const Out& out) {
    expect_output(executor, range, out);
    using step = copy_step<row_of_t<Out>, decltype(range.row())>;
    const index_t right = range.count - n;
    executor.for_each(right, step{row_of(out), row_of(range.at(n))});
    executor.for_each(n, step{row_of(moved_by(out, right)), range.row()});
    return moved_by(out, range.count);
  }
};
/// Reports a negative distance.
HPK_CALLS_EITHER
template <class Executor>
HPK_FUNCTION void expect_distance([[maybe_unused]] const Executor& executor,
                                  [[maybe_unused]] index_t n) {
  if constexpr (Executor::checks) {
    if (n < 0) [[unlikely]] {
      HPK_IF_ON_HOST((reject_negative(executor.info(), n);))
      HPK_IF_ON_DEVICE((abort_on_arguments();))
    }
  }
}
struct shift_left_body : over_range<shift_left_body> {
  static constexpr const char* name = "hpk::shift_left";
  HPK_CALLS_EITHER
  template <class Executor, class R, std::integral N>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, N distance) {
    const index_t n = static_cast<index_t>(distance);
    expect_distance(executor, n);
    if (n == 0) return range.last();
    if (n >= range.count) return range.first;
    using row = decltype(range.row());
    const index_t rest = range.count - n;
    if (rest <= n) {
      executor.for_each(rest, move_step<row, row>{range.row(), row_of(range.at(n))});
    } else {
      rotate_range(executor, range, n);
    }
    return range.at(rest);
  }
};
struct shift_right_body : over_range<shift_right_body> {
  static constexpr const char* name = "hpk::shift_right";
  HPK_CALLS_EITHER
  template <class Executor, class R, std::integral N>
  HPK_FUNCTION static auto run(const Executor& executor, const R& range, N distance) {
    const index_t n = static_cast<index_t>(distance);
    expect_distance(executor, n);
    if (n == 0) return range.first;
    if (n >= range.count) return range.last();
    using row = decltype(range.row());
    const index_t rest = range.count - n;
    if (rest <= n) {
      executor.for_each(rest, move_step<row, row>{row_of(range.at(n)), range.row()});
    } else {
      rotate_range(executor, range, rest);
    }
    return range.at(n);
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Reverses the order of the elements: (first, last) or (view).
HPK_DETAIL_ALGORITHM(reverse)
/// Copies the elements in reverse order: (first, last, out) or (view, out). The ranges must not
/// overlap. Returns the end of the output.
HPK_DETAIL_ALGORITHM(reverse_copy)
/// Rotates a range so that an element becomes the first, and the elements before it become the
/// last: (first, new_first, last) or (view, n) for element n. Returns an iterator to the new
/// position of the element that was first.
HPK_DETAIL_ALGORITHM(rotate)
/// Copies a range in rotated order: (first, new_first, last, out) or (view, n, out). The ranges
/// must not overlap. Returns the end of the output.
HPK_DETAIL_ALGORITHM(rotate_copy)
/// Moves the elements n positions towards the beginning: (first, last, n) or (view, n). The first n
/// elements are lost; the last n are unspecified afterwards. Returns the end of the moved elements,
/// which is the end of the range for n = 0. With n or fewer elements it changes nothing and returns
/// the beginning of the range.
HPK_DETAIL_ALGORITHM(shift_left)
/// Moves the elements n positions towards the end: (first, last, n) or (view, n). The last n
/// elements are lost; the first n are unspecified afterwards. Returns the beginning of the moved
/// elements, which is the beginning of the range for n = 0. With n or fewer elements it changes
/// nothing and returns the end of the range.
HPK_DETAIL_ALGORITHM(shift_right)

}  // namespace hpk::Experimental
