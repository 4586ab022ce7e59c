// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How algorithms move the elements that they select, in order, to another range or to the beginning
// of their range. Copies are one scan, which counts and writes the selected elements and may
// evaluate the predicate twice for an element. In place, host spaces let each worker compact one
// part and then close the gaps, devices use a buffer of at most 4 Mi elements, and in a team one
// thread does the work.
#pragma once

#include <hpk/algorithms/search.hpp>

namespace hpk::detail::algorithms {

/// Selects element i if f(element) == Wanted.
template <bool Wanted, class Row, class F>
struct select_match {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const {
    return static_cast<bool>(f(row[i])) == Wanted;
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool selects_later(index_t i) const { return (*this)(i); }
  HPK_CALLS_EITHER
  template <class T>
  HPK_FORCEINLINE_FUNCTION bool selects_after(const T&, const T& current) const {
    return static_cast<bool>(f(current)) == Wanted;
  }
};
/// Selects an element unless f(predecessor, element) is true. selects_later(i) requires i > 0;
/// selects_after() takes the values of the predecessor and of the element.
template <class Row, class F>
struct select_distinct {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return i == 0 || selects_later(i); }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool selects_later(index_t i) const { return !f(row[i - 1], row[i]); }
  HPK_CALLS_EITHER
  template <class T>
  HPK_FORCEINLINE_FUNCTION bool selects_after(const T& previous, const T& current) const {
    return !f(previous, current);
  }
};
/// Selects elements with an index above 0.
template <class Select>
struct select_later {
  Select select;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return select.selects_later(i); }
};
template <class Select>
struct is_dropped {
  Select select;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return !select(i); }
};

/// Counts the selected elements.
template <class Select>
struct count_selected {
  using value_type = index_t;
  Select select;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, index_t& update) const {
    update += select(static_cast<index_t>(i)) ? 1 : 0;
  }
};
/// Writes the selected elements from index `begin` on, and counts them.
template <class Out, class Row, class Select>
struct compact_step {
  using value_type = index_t;
  Out out;
  Row row;
  Select select;
  index_t begin;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I k, index_t& update, bool final) const {
    const index_t i = begin + static_cast<index_t>(k);
    if (select(i)) {
      if (final) out[update] = row[i];
      ++update;
    }
  }
};

/// Copies the selected elements. Returns the end of the output.
HPK_CALLS_EITHER
template <class Executor, class R, class Out, class Select>
HPK_FUNCTION Out compact_copy(const Executor& executor, const R& range, const Out& out,
                              const Select& select) {
  expect_reachable<Executor, Out>();
  if (range.count == 0) return out;
  if constexpr (Executor::checks) {
    if (remaining_elements(out) < range.count)
      expect_room(executor, out, executor.reduce(range.count, count_selected<Select>{select}));
  }
  expect_no_overlap(executor, range.first, range.count, out, 1, false);
  using step = compact_step<row_of_t<Out>, decltype(range.row()), Select>;
  const index_t selected = executor.scan(range.count, step{row_of(out), range.row(), select, 0});
  expect_no_overlap(executor, range.first, range.count, out, selected, false);
  return moved_by(out, selected);
}

/// Moves the selected elements of [begin, end) to consecutive positions from `begin` on, and
/// returns their number in `selected`.
template <class Row, class Select>
struct compact_serially {
  Row row;
  Select select;
  index_t begin;
  index_t end;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t& selected) const {
    selected = 0;
    if (begin == end) return;
    // Elements before the first dropped one stay in place.
    index_t i = begin;
    if (select(i)) {
      for (++i; i < end && select.selects_later(i);) ++i;
    }
    selected = i - begin;
    if (++i >= end) return;
    using value = std::remove_cvref_t<decltype(row[0])>;
    index_t to = begin + selected;
    const index_t last = end;
    const Row elements = row;
    const Select local_select = select;
    if constexpr (std::is_trivially_copyable_v<value>) {
      value previous = elements[i - 1];
      for (; i < last; ++i) {
        // No branch, because random elements would mispredict it. A dropped element is overwritten.
        const value current = elements[i];
        elements[to] = current;
        to += local_select.selects_after(previous, current) ? 1 : 0;
        previous = current;
      }
    } else {
      const move_step<Row, Row> step{elements, elements};
      bool next = local_select.selects_later(i);
      for (; i < last; ++i) {
        const bool is_selected = next;
        // Evaluated before element i is moved, because the predicate may read element i.
        next = i + 1 < last && local_select.selects_later(i + 1);
        if (is_selected) step.move(to++, i);
      }
    }
    selected = to - begin;
  }
};
/// Does the same for the parts of a range, one worker for each. Elements only move to lower
/// indices, so the last element of a part is never overwritten and the next part may read it.
template <class Row, class Select>
struct compact_parts {
  Row row;
  Select select;
  index_t count;
  index_t parts;
  index_t* counts;
  HPK_FUNCTION index_t begin_of(index_t k) const {
    const index_t rest = count % parts;
    return count / parts * k + (k < rest ? k : rest);
  }
  HPK_CALLS_EITHER
  template <class I>
  HPK_FUNCTION void operator()(I k) const {
    const index_t part = static_cast<index_t>(k);
    compact_serially<Row, Select>{row, select, begin_of(part), begin_of(part + 1)}(counts[part]);
  }
};
/// Moves n elements towards the beginning, in order, as a kernel of one iteration.
template <class Row>
struct move_down {
  Row to;
  Row from;
  index_t n;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FUNCTION void operator()(I) const {
    const move_step<Row, Row> step{to, from};
    for (index_t i = 0; i < n; ++i) step.move(i, i);
  }
};
/// compact_in_place for host spaces: each worker compacts one part, then the parts are moved
/// together.
template <class Executor, class R, class Select>
index_t compact_by_parts(const Executor& executor, const R& range, const Select& select) {
  using row = decltype(range.row());
  using value = typename R::value_type;
  // Several workers need values that a move leaves intact: the worker of a part reads the last
  // element of the previous part, which may have moved already.
  const index_t workers = std::is_trivially_copyable_v<value> ? executor.exec.concurrency() : 1;
  const index_t parts = range.count <= 32768 ? 1 : workers;
  const TemporaryMemory<index_t, typename Executor::execution_space> memory(
      executor.exec, "hpk: counts of an algorithm", parts);
  const auto& counts = memory.view();
  const compact_parts<row, Select> kernel{range.row(), select, range.count, parts, counts.data()};
  executor.for_each(parts, kernel);
  index_t selected = counts(0);
  for (index_t k = 1; k < parts; ++k) {
    const index_t from = kernel.begin_of(k);
    const index_t n = counts(k);
    const row target = row_of(range.at(selected));
    const row source = row_of(range.at(from));
    if (from - selected >= n) {
      executor.for_each(n, move_step<row, row>{target, source});
    } else if (from != selected) {
      executor.for_each(1, move_down<row>{target, source, n});
    }
    selected += n;
  }
  return selected;
}
/// compact_in_place for devices: selected elements of a block go to a buffer, and from there to
/// their final position.
template <class Executor, class R, class Select>
index_t compact_by_blocks(const Executor& executor, const R& range, const Select& select) {
  using row = decltype(range.row());
  // Elements before the first dropped one stay in place.
  const index_t n = range.count;
  index_t selected = find_first(executor, n, is_dropped<Select>{select});
  if (selected == n) return n;
  constexpr index_t buffer_limit = index_t{1} << 22;
  const index_t length = n - selected < buffer_limit ? n - selected : buffer_limit;
  const TemporaryMemory<typename R::value_type, typename Executor::execution_space> buffer(
      executor.exec, "hpk: buffer of an algorithm", length);
  const auto buffer_row = row_of(hpk::Experimental::begin(buffer.view()));
  using buffer_row_type = std::remove_const_t<decltype(buffer_row)>;
  for (index_t begin = selected; begin < n; begin += length) {
    const index_t block = n - begin < length ? n - begin : length;
    const index_t found =
        executor.scan(block, compact_step<buffer_row_type, row, select_later<Select>>{
                                 buffer_row, range.row(), {select}, begin});
    executor.for_each(found,
                      move_step<row, buffer_row_type>{row_of(range.at(selected)), buffer_row});
    selected += found;
  }
  return selected;
}
/// Moves the selected elements to the beginning of their range. Returns their number.
HPK_CALLS_EITHER
template <class Executor, class R, class Select>
HPK_FUNCTION index_t compact_in_place(const Executor& executor, const R& range,
                                      const Select& select) {
  if (range.count == 0) return 0;
  if constexpr (Executor::is_team) {
    index_t selected = 0;
    using work = compact_serially<decltype(range.row()), Select>;
    single(PerTeam(executor.team), work{range.row(), select, 0, range.count}, selected);
    executor.team.team_barrier();
    return selected;
  } else if constexpr (Executor::chunk != 1) {
    return compact_by_parts(executor, range, select);
  } else {
    return compact_by_blocks(executor, range, select);
  }
}

}  // namespace hpk::detail::algorithms
