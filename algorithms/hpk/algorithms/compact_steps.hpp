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
struct keep_match {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const {
    return static_cast<bool>(f(row[i])) == Wanted;
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool later(index_t i) const { return (*this)(i); }
  HPK_CALLS_EITHER
  template <class T>
  HPK_FORCEINLINE_FUNCTION bool follows(const T&, const T& here) const {
    return static_cast<bool>(f(here)) == Wanted;
  }
};
/// Selects an element unless f(predecessor, element) is true. later(i) requires i > 0; follows()
/// takes the values of the predecessor and of the element.
template <class Row, class F>
struct keep_first {
  Row row;
  F f;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return i == 0 || later(i); }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool later(index_t i) const { return !f(row[i - 1], row[i]); }
  HPK_CALLS_EITHER
  template <class T>
  HPK_FORCEINLINE_FUNCTION bool follows(const T& before, const T& here) const {
    return !f(before, here);
  }
};
/// Selects elements with an index above 0.
template <class Keep>
struct keep_later {
  Keep keep;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return keep.later(i); }
};
template <class Keep>
struct drops {
  Keep keep;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool operator()(index_t i) const { return !keep(i); }
};

/// Counts the selected elements.
template <class Keep>
struct count_kept {
  using value_type = index_t;
  Keep keep;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i, index_t& update) const {
    update += keep(static_cast<index_t>(i)) ? 1 : 0;
  }
};
/// Writes the selected elements from index `begin` on, and counts them.
template <class Out, class Row, class Keep>
struct compact_step {
  using value_type = index_t;
  Out out;
  Row row;
  Keep keep;
  index_t begin;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I k, index_t& update, bool final) const {
    const index_t i = begin + static_cast<index_t>(k);
    if (keep(i)) {
      if (final) out[update] = row[i];
      ++update;
    }
  }
};

/// Copies the selected elements. Returns the end of the output.
HPK_CALLS_EITHER
template <class Executor, class R, class Out, class Keep>
HPK_FUNCTION Out compact_copy(const Executor& executor, const R& range, const Out& out,
                              const Keep& keep) {
  expect_reachable<Executor, Out>();
  if (range.count == 0) return out;
  if constexpr (Executor::checks) {
    if (room_behind(out) < range.count)
      expect_room(executor, out, executor.reduce(range.count, count_kept<Keep>{keep}));
  }
  expect_apart(executor, range.first, range.count, out, 1, false);
  using step = compact_step<row_of_t<Out>, decltype(range.row()), Keep>;
  const index_t kept = executor.scan(range.count, step{row_of(out), range.row(), keep, 0});
  expect_apart(executor, range.first, range.count, out, kept, false);
  return moved_by(out, kept);
}

/// Moves the selected elements of [begin, end) to consecutive positions from `begin` on, and
/// returns their number in `kept`.
template <class Row, class Keep>
struct compact_serially {
  Row row;
  Keep keep;
  index_t begin;
  index_t end;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t& kept) const {
    kept = 0;
    if (begin == end) return;
    // Elements before the first dropped one stay in place.
    index_t i = begin;
    if (keep(i)) {
      for (++i; i < end && keep.later(i);) ++i;
    }
    kept = i - begin;
    if (++i >= end) return;
    using value = std::remove_cvref_t<decltype(row[0])>;
    index_t to = begin + kept;
    const index_t last = end;
    const Row elements = row;
    const Keep mine = keep;
    if constexpr (std::is_trivially_copyable_v<value>) {
      value before = elements[i - 1];
      for (; i < last; ++i) {
        // No branch, because random elements would mispredict it. A dropped element is overwritten.
        const value here = elements[i];
        elements[to] = here;
        to += mine.follows(before, here) ? 1 : 0;
        before = here;
      }
    } else {
      const move_step<Row, Row> step{elements, elements};
      bool next = mine.later(i);
      for (; i < last; ++i) {
        const bool here = next;
        // Evaluated before element i is moved, because the predicate may read element i.
        next = i + 1 < last && mine.later(i + 1);
        if (here) step.move(to++, i);
      }
    }
    kept = to - begin;
  }
};
/// Does the same for the parts of a range, one worker for each. Elements only move to lower
/// indices, so the last element of a part is never overwritten and the next part may read it.
template <class Row, class Keep>
struct compact_parts {
  Row row;
  Keep keep;
  index_t count;
  index_t parts;
  index_t* kept;
  HPK_FUNCTION index_t begin_of(index_t k) const {
    const index_t rest = count % parts;
    return count / parts * k + (k < rest ? k : rest);
  }
  HPK_CALLS_EITHER
  template <class I>
  HPK_FUNCTION void operator()(I k) const {
    const index_t part = static_cast<index_t>(k);
    compact_serially<Row, Keep>{row, keep, begin_of(part), begin_of(part + 1)}(kept[part]);
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
template <class Executor, class R, class Keep>
index_t compact_by_parts(const Executor& executor, const R& range, const Keep& keep) {
  using row = decltype(range.row());
  using value = typename R::value_type;
  // Several workers need values that a move leaves intact: the worker of a part reads the last
  // element of the previous part, which may have moved already.
  const index_t workers = std::is_trivially_copyable_v<value> ? executor.exec.concurrency() : 1;
  const index_t parts = range.count <= 32768 ? 1 : workers;
  const TemporaryMemory<index_t, typename Executor::execution_space> memory(
      executor.exec, "hpk: counts of an algorithm", parts);
  const auto& counts = memory.view();
  const compact_parts<row, Keep> kernel{range.row(), keep, range.count, parts, counts.data()};
  executor.for_each(parts, kernel);
  index_t kept = counts(0);
  for (index_t k = 1; k < parts; ++k) {
    const index_t from = kernel.begin_of(k);
    const index_t n = counts(k);
    const row target = row_of(range.at(kept));
    const row source = row_of(range.at(from));
    if (from - kept >= n) {
      executor.for_each(n, move_step<row, row>{target, source});
    } else if (from != kept) {
      executor.for_each(1, move_down<row>{target, source, n});
    }
    kept += n;
  }
  return kept;
}
/// compact_in_place for devices: selected elements of a block go to a buffer, and from there to
/// their final position.
template <class Executor, class R, class Keep>
index_t compact_by_blocks(const Executor& executor, const R& range, const Keep& keep) {
  using row = decltype(range.row());
  // Elements before the first dropped one stay in place.
  const index_t n = range.count;
  index_t kept = find_first(executor, n, drops<Keep>{keep});
  if (kept == n) return n;
  constexpr index_t most = index_t{1} << 22;
  const index_t length = n - kept < most ? n - kept : most;
  const TemporaryMemory<typename R::value_type, typename Executor::execution_space> buffer(
      executor.exec, "hpk: buffer of an algorithm", length);
  const auto between = row_of(hpk::Experimental::begin(buffer.view()));
  using there = std::remove_const_t<decltype(between)>;
  for (index_t begin = kept; begin < n; begin += length) {
    const index_t block = n - begin < length ? n - begin : length;
    const index_t found = executor.scan(
        block, compact_step<there, row, keep_later<Keep>>{between, range.row(), {keep}, begin});
    executor.for_each(found, move_step<row, there>{row_of(range.at(kept)), between});
    kept += found;
  }
  return kept;
}
/// Moves the selected elements to the beginning of their range. Returns their number.
HPK_CALLS_EITHER
template <class Executor, class R, class Keep>
HPK_FUNCTION index_t compact_in_place(const Executor& executor, const R& range, const Keep& keep) {
  if (range.count == 0) return 0;
  if constexpr (Executor::is_team) {
    index_t kept = 0;
    using work = compact_serially<decltype(range.row()), Keep>;
    single(PerTeam(executor.team), work{range.row(), keep, 0, range.count}, kept);
    executor.team.team_barrier();
    return kept;
  } else if constexpr (Executor::chunk != 1) {
    return compact_by_parts(executor, range, keep);
  } else {
    return compact_by_blocks(executor, range, keep);
  }
}

}  // namespace hpk::detail::algorithms
