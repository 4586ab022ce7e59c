// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops inside of a team: ranges that its threads share, or that one thread runs through, and the
// patterns over them.
#pragma once

#include <hpk/parallel/fold.hpp>
#include <hpk/parallel/team.hpp>

namespace hpk::detail {

/// Who runs through a nested range.
enum class nested_level {
  team,   ///< the threads of a team share it
  thread  ///< the calling thread does all of it
};

/// A range inside of a team.
template <nested_level Level, class I, class Member>
struct nested_range {
  using index_type = I;
  static constexpr bool shared = Level == nested_level::team;
  const Member& member;
  I begin;
  I end;

  HPK_FUNCTION constexpr index_t size() const noexcept {
    return end > begin ? static_cast<index_t>(distance(begin, end)) : 0;
  }
  /// Whether the calling thread does all of it.
  HPK_CALLS_EITHER
  HPK_FUNCTION bool alone() const noexcept { return !shared || member.team_size() == 1; }
  /// The neighbouring iterations of the calling thread, counted from zero.
  HPK_CALLS_EITHER
  HPK_FUNCTION piece mine() const noexcept {
    if (alone()) return {0, size()};
    return static_piece(size(), member.team_rank(), member.team_size());
  }
};

/// A loop inside of a team is longer than the index type of its body counts.
[[noreturn]] void reject_nested_range(number begin, number end, number highest);

/// Whether a value survives the conversion to K.
template <class K, class I>
HPK_INLINE_FUNCTION constexpr bool survives(I value) noexcept {
  const K there = static_cast<K>(value);
  return static_cast<I>(there) == value && (value < I(1)) == (there < K(1));
}
/// Refuses bounds that the index type of a body can't hold.
template <class K, class Range>
HPK_FORCEINLINE_FUNCTION void check_nested_bounds(const Range& range) {
  using I = typename Range::index_type;
  if constexpr (!std::is_same_v<K, I>) {
    if (range.begin < range.end && !(survives<K>(range.begin) && survives<K>(range.end)))
        [[unlikely]] {
      HPK_IF_ON_HOST((reject_nested_range(number(range.begin), number(range.end),
                                          number(std::numeric_limits<K>::max()));))
      HPK_IF_ON_DEVICE(
          (hpk::abort("hpk: a loop inside of a team does not fit the index type of its "
                      "body; let the body take hpk::index_t");))
    }
  }
}

template <class I, class J>
using common_index_t = std::conditional_t<std::is_same_v<I, J>, I, std::common_type_t<I, J>>;

/// Calls visit(i) for the iterations of the calling thread, in no promised order: neighbours where
/// the machine likes that, else every team_size-th, so that neighbouring threads touch neighbours.
HPK_CALLS_EITHER
template <class K, class Range, class F>
HPK_FORCEINLINE_FUNCTION void visit_iterations(const Range& range, const F& visit) {
  check_nested_bounds<K>(range);
  constexpr bool neighbours =
      !Range::shared || std::remove_cvref_t<decltype(range.member.lane())>::takes_neighbours;
  if constexpr (neighbours) {
    const piece p = range.mine();
    const K last = static_cast<K>(index_after(range.begin, p.end));
    for (K i = static_cast<K>(index_after(range.begin, p.begin)); i < last; ++i) visit(i);
  } else {
    const index_t n = range.size();
    for (index_t k = range.member.team_rank(); k < n; k += range.member.team_size())
      visit(static_cast<K>(index_after(range.begin, k)));
  }
}

/// The fold of the iterations of the calling thread.
HPK_CALLS_EITHER
template <class K, class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_iterations(
    const Range& range, const F& f, const Operations& operations) {
  using value = typename Operations::value_type;
  using lane = std::remove_cvref_t<decltype(range.member.lane())>;
  check_nested_bounds<K>(range);
  if constexpr (!Range::shared || shares_stacks<lane> || !Operations::interleave) {
    const piece p = range.mine();
    const K first = static_cast<K>(index_after(range.begin, p.begin));
    const K last = static_cast<K>(index_after(range.begin, p.end));
    if constexpr (Operations::interleave) {
      constexpr int few = 4;
      if (distance(first, last) < 2 * interleaved_accumulators) {
        value sums[few];
        for (value& sum : sums) operations.init(sum);
        K i = first;
        for (; distance(i, last) >= few; i = static_cast<K>(i + static_cast<K>(few))) {
          HPK_UNROLL_16
          for (int k = 0; k < few; ++k) f(static_cast<K>(i + static_cast<K>(k)), sums[k]);
        }
        for (; i < last; ++i) f(static_cast<K>(i), sums[0]);
        join_pairwise<few>(operations, sums);
        return sums[0];
      }
    }
    return fold_block<void>(f, operations, first, last);
  } else {
    value sum;
    operations.init(sum);
    const index_t n = range.size();
    for (index_t k = range.member.team_rank(); k < n; k += range.member.team_size())
      f(static_cast<K>(index_after(range.begin, k)), sum);
    return sum;
  }
}

/// The fold of a range, for every thread that runs through it.
HPK_CALLS_EITHER
template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_range(const Range& range, const F& f,
                                                                    const Operations& operations) {
  using value = typename Operations::value_type;
  using K = kernel_index_t<typename Range::index_type, F, void, value&>;
  value result = fold_iterations<K>(range, f, operations);
  if constexpr (Range::shared) result = range.member.join(operations, result);
  operations.final(result);
  return result;
}

/// The final pass over a range, and before it the one that finds out from where each thread starts.
HPK_CALLS_EITHER
template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type scan_range(const Range& range, const F& f,
                                                                    const Operations& operations) {
  using value = typename Operations::value_type;
  using K = kernel_index_t<typename Range::index_type, F, void, value&, bool>;
  check_nested_bounds<K>(range);
  const piece p = range.mine();
  const K first = static_cast<K>(index_after(range.begin, p.begin));
  const K last = static_cast<K>(index_after(range.begin, p.end));
  value running;
  operations.init(running);
  if (range.alone()) {
    for (K i = first; i < last; ++i) f(static_cast<K>(i), running, true);
    return running;
  }
  for (K i = first; i < last; ++i) f(static_cast<K>(i), running, false);
  const scanned<value> sums = range.member.scan(operations, running);
  running = sums.before;
  for (K i = first; i < last; ++i) f(static_cast<K>(i), running, true);
  return sums.total;
}

/// Checks the body of a nested loop; `callable`: it may be called with an index and Rest.
template <class I, class F, class... Rest>
struct nested_check {
  static constexpr kernel_fault fault = diagnose_kernel<F, void, I, Rest...>();
  static_assert(fault != kernel_fault::not_callable,
                "hpk: the last argument of a loop inside of a team is no body; write [&](int i) "
                "{ ... }, and behind the index `T& update` in a reduction, `T& update, bool final` "
                "in a scan");
  static_assert(fault != kernel_fault::not_const,
                "hpk: the body of a loop inside of a team is called as const; write no mutable");
  static_assert(fault != kernel_fault::wrong_arguments,
                "hpk: the body of a loop inside of a team is called with an index, behind it `T& "
                "update` in a reduction, `T& update, bool final` in a scan; T is the type of the "
                "result");
  static constexpr bool callable = fault == kernel_fault::none;
};

/// Calls work(operations, variable) for a result of a range: a variable, a reducer or a View of
/// rank 0.
HPK_CALLS_EITHER
template <int Position, class Range, class F, class Result, class Work>
HPK_FORCEINLINE_FUNCTION void with_operations(const Range& range, const F& body, Result& result,
                                              const Work& work) {
  constexpr bool writable = is_reducer_v<std::remove_cv_t<Result>> ||
                            rank0_view<std::remove_cv_t<Result>> || !std::is_const_v<Result>;
  static_assert(writable,
                "hpk: the result of a loop inside of a team is const or a temporary; write a "
                "variable or a reducer");
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    work(reducer_operations<std::remove_cv_t<Result>>(result), result.reference());
  } else if constexpr (rank0_view<std::remove_cv_t<Result>>) {
    using element = std::remove_cv_t<typename Result::value_type>;
    using value = value_type_t<F, void, Position, element>;
    element kept;
    work(functor_operations<F, void, value>(body), kept);
    // Once, and before anybody reads it.
    if (!Range::shared || range.member.team_rank() == 0) result() = kept;
    if constexpr (Range::shared) range.member.team_barrier();
  } else if constexpr (writable) {
    using value = value_type_t<F, void, Position, Result>;
    work(functor_operations<F, void, value>(body), result);
  }
}

/// A thread that does what the others do not.
template <nested_level Level, class Member>
struct single_of {
  const Member& member;
};

}  // namespace hpk::detail

namespace hpk {

/// The range [0, n) or [begin, end), each iteration by one thread of the team. For parallel_for,
/// parallel_reduce and parallel_scan inside of a kernel over teams, called by all its threads. A
/// loop has no barrier behind it; a reduction and a scan give every thread the result, and what the
/// threads wrote before is seen behind them.
HPK_CALLS_EITHER
template <TeamHandle M, std::integral N>
HPK_FUNCTION auto TeamThreadRange(const M& member, N n) {
  return detail::nested_range<detail::nested_level::team, N, M>{member, N{0}, n};
}
HPK_CALLS_EITHER
template <TeamHandle M, std::integral B, std::integral E>
HPK_FUNCTION auto TeamThreadRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::nested_range<detail::nested_level::team, I, M>{member, static_cast<I>(begin),
                                                                static_cast<I>(end)};
}
/// The same over the threads and their vector lanes.
HPK_CALLS_EITHER
template <TeamHandle M, std::integral N>
HPK_FUNCTION auto TeamVectorRange(const M& member, N n) {
  return TeamThreadRange(member, n);
}
HPK_CALLS_EITHER
template <TeamHandle M, std::integral B, std::integral E>
HPK_FUNCTION auto TeamVectorRange(const M& member, B begin, E end) {
  return TeamThreadRange(member, begin, end);
}
/// The same by the vector lanes of the calling thread: no other thread takes part.
HPK_CALLS_EITHER
template <TeamHandle M, std::integral N>
HPK_FUNCTION auto ThreadVectorRange(const M& member, N n) {
  return detail::nested_range<detail::nested_level::thread, N, M>{member, N{0}, n};
}
HPK_CALLS_EITHER
template <TeamHandle M, std::integral B, std::integral E>
HPK_FUNCTION auto ThreadVectorRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::nested_range<detail::nested_level::thread, I, M>{member, static_cast<I>(begin),
                                                                  static_cast<I>(end)};
}

/// Calls body(i) for every index of a range inside of a team, in no promised order.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const detail::nested_range<Level, I, M>& range,
                                           const F& body) {
  if constexpr (detail::nested_check<I, F>::callable) {
    using K = detail::kernel_index_t<I, F, void>;
    detail::visit_iterations<K>(range, body);
  }
}

/// Folds body(i, update) over a range inside of a team; every thread that runs through it gets the
/// result: a variable, which is overwritten, or a reducer, whose reference() is. Values start from
/// T() and join by +=, or by the functor's or reducer's init, join and final.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const detail::nested_range<Level, I, M>& range,
                                              const F& body, Result&& result) {
  detail::with_operations<1>(range, body, result, [&](const auto& operations, auto& into) {
    using value = typename std::remove_cvref_t<decltype(operations)>::value_type;
    if constexpr (detail::nested_check<I, F, value&>::callable)
      into = detail::fold_range(range, body, operations);
  });
}

/// Prefix results over a range inside of a team, in index order: body(i, update, final) adds its
/// contribution to the update, and uses it where `final` is true, once for each index.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_scan(const detail::nested_range<Level, I, M>& range,
                                            const F& body) {
  using value = detail::value_type_t<F, void, 1, void>;
  constexpr bool known = !std::is_void_v<value>;
  static_assert(known,
                "hpk::parallel_scan: nothing tells the type of the update; write it in the body "
                "instead of auto&, or pass a total");
  if constexpr (known) {
    if constexpr (detail::nested_check<I, F, value&, bool>::callable)
      detail::scan_range(range, body, detail::functor_operations<F, void, value>(body));
  }
}
/// The same; `total`, a variable or the reference() of a reducer, becomes the fold of all, for
/// every thread that runs through the range.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_scan(const detail::nested_range<Level, I, M>& range,
                                            const F& body, Result&& total) {
  detail::with_operations<1>(range, body, total, [&](const auto& operations, auto& into) {
    using value = typename std::remove_cvref_t<decltype(operations)>::value_type;
    if constexpr (detail::nested_check<I, F, value&, bool>::callable)
      into = detail::scan_range(range, body, operations);
  });
}

/// One thread of the team, for single().
template <TeamHandle M>
HPK_FUNCTION detail::single_of<detail::nested_level::team, M> PerTeam(const M& member) {
  return {member};
}
/// One vector lane of each thread, for single().
template <TeamHandle M>
HPK_FUNCTION detail::single_of<detail::nested_level::thread, M> PerThread(const M& member) {
  return {member};
}

/// Calls f() once for the team, by its first thread, or once for each thread. No barrier behind.
HPK_CALLS_EITHER
template <detail::nested_level Level, class M, class F>
HPK_FUNCTION void single(const detail::single_of<Level, M>& who, const F& f) {
  if (Level == detail::nested_level::thread || who.member.team_rank() == 0) f();
}
/// The same with f(value); every thread of the team gets the value, so all of them call it.
HPK_CALLS_EITHER
template <detail::nested_level Level, class M, class F, class T>
HPK_FUNCTION void single(const detail::single_of<Level, M>& who, const F& f, T& value) {
  if constexpr (Level == detail::nested_level::thread) {
    f(value);
  } else {
    who.member.team_broadcast(f, value, 0);
  }
}

}  // namespace hpk
