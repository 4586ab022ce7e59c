// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops inside of a team over ranges, which its threads divide or one thread runs.
#pragma once

#include <hpk/parallel/kernel/own_iterations.hpp>
#include <hpk/parallel/launch/fold.hpp>
#include <hpk/parallel/launch/kernel_updates.hpp>
#include <hpk/parallel/team/team.hpp>

namespace hpk::classes {
/// @cond internal
/// The threads or lanes that divide a nested range or MDRange, and the caller's rank among them.
template <nested_level Level, class Member>
struct team_scope {
  /// Whether lanes other than the calling one may participate.
  static constexpr bool shared = Level != nested_level::thread || Member::has_vectors;
  /// Whether a lane should run contiguous iterations; vector lanes run interleaved ones.
  static constexpr bool takes_neighbours =
      !shared || (seam::machine<typename Member::execution_space>::runs_on_host &&
                  (Level == nested_level::team || Level == nested_level::league));
  const Member& member;

  /// The caller's rank among these threads or lanes, and their number.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION auto own_rank() const noexcept {
    return member.template rank_in<Level>();
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION auto ranks() const noexcept { return member.template size_of<Level>(); }
  /// Whether the caller runs all iterations.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION bool alone() const noexcept { return !shared || ranks() == 1; }
  /// Returns the caller's contiguous part of n iterations.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION index_range share_of(index_t n) const noexcept {
    if (alone()) return {0, n};
    if constexpr (Member::has_vectors) return narrow_chunk(n, own_rank(), ranks());
    return static_chunk(n, own_rank(), ranks());
  }
  /// Begins or ends a loop: makes earlier writes visible among the lanes of a thread.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void sync() const {
    if constexpr (Level == nested_level::thread) member.sync_thread();
  }
  /// Joins the values of all ranks. Each receives the result and sees earlier writes of the others.
  HPK_CALLS_EITHER
  template <class Operations, class V>
  HPK_FORCEINLINE_FUNCTION V join(const Operations& operations, const V& value) const {
    if constexpr (!shared) {
      return value;
    } else {
      return member.template join<Level>(operations, value);
    }
  }
  /// Returns the join of all lower ranks' values, and of all. Not for a caller that runs alone.
  HPK_CALLS_EITHER
  template <class Operations, class V>
  HPK_FORCEINLINE_FUNCTION scanned<V> scan(const Operations& operations, const V& value) const {
    return member.template scan<Level>(operations, value);
  }
  /// One thread or lane writes a value; all others return after the write.
  HPK_CALLS_EITHER
  template <class Result, class V>
  HPK_FORCEINLINE_FUNCTION void write(const Result& result, const V& value) const {
    if (member.template leads<Level>()) result() = value;
    if constexpr (Level == nested_level::thread) {
      member.sync_thread();
    } else {
      member.team_barrier();
    }
  }
};

/// A range that the threads or lanes of a team divide.
template <nested_level Level, class I, class Member>
struct nested_range : team_scope<Level, Member> {
  using index_type = I;
  using team_scope<Level, Member>::share_of;
  I begin;
  I end;

  HPK_FUNCTION constexpr index_t size() const noexcept {
    return end > begin ? static_cast<index_t>(distance(begin, end)) : 0;
  }
  /// Returns the contiguous iterations of the calling thread, counted from zero.
  HPK_CALLS_EITHER
  HPK_FUNCTION index_range chunk() const noexcept { return share_of(size()); }
};

/// The thread or lane that single() selects.
template <nested_level Level, class Member>
struct single_of {
  const Member& member;
};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail {
using classes::nested_range, classes::single_of;
/// The level of TeamVectorRange.
template <class Member>
inline constexpr nested_level all_lanes =
    Member::has_vectors ? nested_level::lanes : nested_level::team;

/// Reports that the bounds of a loop inside of a team do not fit the index type of its body.
[[noreturn]] void reject_nested_range(number begin, number end, number highest);

/// Rejects bounds that the index of a body, of type P, can't hold.
template <class P, class Range>
HPK_FORCEINLINE_FUNCTION void check_nested_bounds(const Range& range) {
  using I = typename Range::index_type;
  if constexpr (!std::is_same_v<P, I>) {
    if (range.begin < range.end && !(holds_bound<P>(range.begin) && holds_bound<P>(range.end)))
        [[unlikely]] {
      HPK_IF_ON_HOST((
          reject_nested_range(number(range.begin), number(range.end), number(highest_index<P>()));))
      HPK_IF_ON_DEVICE(
          (hpk::abort("hpk: a loop inside of a team does not fit the index type of its "
                      "body; let the body take hpk::index_t");))
    }
  }
}

template <class I, class J>
using common_index_t = std::conditional_t<std::is_same_v<I, J>, integer_t<I>,
                                          std::common_type_t<integer_t<I>, integer_t<J>>>;

/// The type in which a body takes the index of a range, before Rest.
template <class Range, class F, class... Rest>
using nested_index_t = index_parameter_t<0, 1, typename Range::index_type, F, void, Rest...>;

/// Calls visit(i) for the iterations of the calling thread or lane, in no promised order. The
/// iterations are contiguous if the machine prefers that, else every ranks()-th, so that
/// neighbouring threads access neighbouring elements.
HPK_CALLS_EITHER
template <class P, class Range, class F>
HPK_FORCEINLINE_FUNCTION void visit_iterations(const Range& range, const F& visit) {
  using K = counter_t<P, typename Range::index_type>;
  check_nested_bounds<P>(range);
  range.sync();
  if constexpr (Range::takes_neighbours) {
    const index_range p = range.chunk();
    const K last = static_cast<K>(index_after(range.begin, p.end));
    for (K i = static_cast<K>(index_after(range.begin, p.begin)); i < last; ++i) {
      // With known bounds the compiler makes i / 8 a shift.
      HPK_DETAIL_PROMISE(i >= static_cast<K>(range.begin) && i < static_cast<K>(range.end),
                         "a thread's share of a range inside of a team lies outside of the range; "
                         "the backend's lane gives a wrong lane_index() or lanes()");
      visit(i);
    }
  } else {
    for_own_iterations<K>(range, [&](auto k) {
      visit(static_cast<K>(index_after(range.begin, static_cast<index_t>(k))));
    });
  }
  range.sync();
}

/// Folds the iterations [first, last) in one thread.
HPK_CALLS_EITHER
template <class K, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_neighbours(
    const F& f, const Operations& operations, K first, K last) {
  using value = typename Operations::value_type;
  if constexpr (Operations::interleave && accumulation<value>::short_ranges) {
    constexpr int few = 4;
    if (distance(first, last) < 2 * interleaved_accumulators) {
      value sums[few];
      for (value& sum : sums) operations.init(sum);
      K i = first;
      for (; distance(i, last) >= few; i = static_cast<K>(i + static_cast<K>(few))) {
        HPK_UNROLL_16
        for (int k = 0; k < few; ++k) call<void>(f, static_cast<K>(i + static_cast<K>(k)), sums[k]);
      }
      for (; i < last; ++i) f(static_cast<K>(i), sums[0]);
      join_pairwise<few>(operations, sums);
      return sums[0];
    }
  }
  return fold_block<void>(f, operations, first, last);
}

/// Folds the iterations of the calling thread.
HPK_CALLS_EITHER
template <class P, class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_iterations(
    const Range& range, const F& f, const Operations& operations) {
  using K = counter_t<P, typename Range::index_type>;
  using value = typename Operations::value_type;
  using lane = std::remove_cvref_t<decltype(range.member.lane())>;
  check_nested_bounds<P>(range);
  range.sync();
  if constexpr (!Range::shared || seam::shares_stacks<lane> || !Operations::interleave) {
    // A separate path, so that the compiler unrolls short rows in teams of one thread.
    if (range.alone()) [[likely]] {
      const K first = static_cast<K>(range.begin);
      return fold_neighbours(f, operations, first,
                             range.begin < range.end ? static_cast<K>(range.end) : first);
    }
    const index_range p = range.chunk();
    return fold_neighbours(f, operations, static_cast<K>(index_after(range.begin, p.begin)),
                           static_cast<K>(index_after(range.begin, p.end)));
  } else {
    value sum;
    operations.init(sum);
    for_own_iterations<K>(range, [&](auto k) {
      f(static_cast<K>(index_after(range.begin, static_cast<index_t>(k))), sum);
    });
    return sum;
  }
}

/// Reduces a range; every participating thread gets the result.
HPK_CALLS_EITHER
template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_range(const Range& range, const F& f,
                                                                    const Operations& operations) {
  using value = typename Operations::value_type;
  using P = nested_index_t<Range, F, value&>;
  value result = range.join(operations, fold_iterations<P>(range, f, operations));
  operations.final(result);
  return result;
}

/// Reports an update that a body takes by value; `right` is false then. Indices: the types in which
/// the body takes them.
template <kernel_fault Fault, class F, class Indices, class... Rest>
struct nested_update_check {
  static constexpr bool right = true;
};
template <class F, class Indices, class V, class... After>
struct nested_update_check<kernel_fault::none, F, Indices, V&, After...> {
  static constexpr bool right =
      !loses_update<F, void, V, Indices, type_list<>, type_list<After...>>;
  static_assert(right,
                "hpk: the body of a loop inside of a team takes its update by value, so "
                "contributions are lost; write T& update");
};

template <class F, class V, class I, class... Is>
auto update_check_of(type_list<I, Is...>)
    -> nested_update_check<diagnose_kernel<F, void, I, Is..., V&>(), F,
                           index_parameters_t<1 + static_cast<int>(sizeof...(Is)), I, F, void, V&>,
                           V&>;
/// Checks the update of a reduction into a result; Indices: the types in which the loop counts.
template <class F, class Result, class Indices>
using reduction_check =
    decltype(update_check_of<F, typename decltype(find_result_value<Result>())::type>(Indices()));

/// Checks the body of a nested loop; `callable`: the body may be called with an index and Rest.
template <class I, class F, class... Rest>
struct nested_check {
  static constexpr kernel_fault fault = diagnose_kernel<F, void, I, Rest...>();
  static_assert(
      fault != kernel_fault::not_callable,
      "hpk: the last argument of a loop inside of a team is not a body; write [&](int i) { ... }, "
      "and after the index `T& update` in a reduction, `T& update, bool final` in a scan");
  static_assert(fault != kernel_fault::not_const,
                "hpk: the body of a loop inside of a team is called as const; write no mutable");
  static_assert(
      fault != kernel_fault::wrong_arguments,
      "hpk: the body of a loop inside of a team is called with an index, followed by `T& update` "
      "in a reduction, `T& update, bool final` in a scan; T is the type of the result");
  static constexpr bool callable =
      fault == kernel_fault::none &&
      nested_update_check<fault, F, index_parameters_t<1, I, F, void, Rest...>, Rest...>::right;
};

/// Calls work(operations, variable) for a result: a variable, a reducer or a View of rank 0.
HPK_CALLS_EITHER
template <int Position, class Range, class F, class Result, class Work>
HPK_FORCEINLINE_FUNCTION void with_operations(const Range& range, const F& body, Result& result,
                                              const Work& work) {
  constexpr bool writable = is_reducer_v<std::remove_cv_t<Result>> ||
                            rank0_view<std::remove_cv_t<Result>> || !std::is_const_v<Result>;
  static_assert(writable,
                "hpk: the result of a loop inside of a team is const or a temporary; write a "
                "variable, a reducer or a View of rank 0");
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    work(reducer_operations<std::remove_cv_t<Result>>(result), result.reference());
  } else if constexpr (rank0_view<std::remove_cv_t<Result>>) {
    using element = std::remove_cv_t<typename Result::value_type>;
    using value = value_type_t<F, void, Position, element>;
    element local;
    work(functor_operations<F, void, value>(body), local);
    range.write(result, local);
  } else if constexpr (writable) {
    using value = value_type_t<F, void, Position, Result>;
    work(functor_operations<F, void, value>(body), result);
  }
}

/// The reason why a body can't be called with Args. A variable, because device code can use it.
template <class F, class... Args>
inline constexpr kernel_fault fault_of = diagnose_kernel<F, void, Args...>();
/// The number of indices that a body over a range or MDRange takes.
template <class Range>
inline constexpr int count_nested = 1;
template <class Range>
  requires requires { Range::rank; }
inline constexpr int count_nested<Range> = Range::rank;
/// Whether a body is folded as a sum in a wider type, because of its operations or its fault.
template <kernel_fault Fault, class Range, class F, class Operations>
inline constexpr bool is_wide_nested = is_wide_operations<Operations>;
template <class Range, class F, class Operations>
inline constexpr bool is_wide_nested<kernel_fault::wrong_arguments, Range, F, Operations> =
    kernel_updates_t<Range, F, Operations>::differ;
/// Returns the value of a sum in a wider type, as its accumulator type.
HPK_CALLS_EITHER
template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto fold_wide_nested(const Range& range, const F& body,
                                               const Operations& operations);

}  // namespace hpk::detail

namespace hpk {

/// The range [0, n) or [begin, end), each iteration by one thread of the team. For parallel_for,
/// parallel_reduce and parallel_scan inside of a kernel over teams, called by all its threads.
/// There is no barrier after a parallel_for. A reduction or scan gives every thread the result, and
/// makes earlier writes of the threads visible to all.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value N>
HPK_FUNCTION auto TeamThreadRange(const M& member, N n) {
  using I = detail::integer_t<N>;
  return detail::nested_range<detail::nested_level::team, I, M>{{member}, I{0}, static_cast<I>(n)};
}
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value B, detail::integer_value E>
HPK_FUNCTION auto TeamThreadRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::nested_range<detail::nested_level::team, I, M>{
      {member}, static_cast<I>(begin), static_cast<I>(end)};
}
///@}
/// TeamThreadRange with each iteration on one vector lane of one thread.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value N>
HPK_FUNCTION auto TeamVectorRange(const M& member, N n) {
  using I = detail::integer_t<N>;
  return detail::nested_range<detail::all_lanes<M>, I, M>{{member}, I{0}, static_cast<I>(n)};
}
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value B, detail::integer_value E>
HPK_FUNCTION auto TeamVectorRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::nested_range<detail::all_lanes<M>, I, M>{
      {member}, static_cast<I>(begin), static_cast<I>(end)};
}
///@}
/// TeamThreadRange with each iteration on one vector lane of the calling thread. All lanes of the
/// thread must call the pattern; no other thread participates, and there is no team barrier. Even
/// parallel_for synchronises the lanes of the thread before and after the loop.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value N>
HPK_FUNCTION auto ThreadVectorRange(const M& member, N n) {
  using I = detail::integer_t<N>;
  return detail::nested_range<detail::nested_level::thread, I, M>{
      {member}, I{0}, static_cast<I>(n)};
}
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value B, detail::integer_value E>
HPK_FUNCTION auto ThreadVectorRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::nested_range<detail::nested_level::thread, I, M>{
      {member}, static_cast<I>(begin), static_cast<I>(end)};
}
///@}

/// Calls body(i) for every index of a range inside of a team, in no promised order.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const detail::nested_range<Level, I, M>& range,
                                           const F& body) {
  if constexpr (detail::nested_check<I, F>::callable) {
    using P = detail::nested_index_t<detail::nested_range<Level, I, M>, F>;
    detail::visit_iterations<P>(range, body);
  }
}

/// Reduces body(i, update) over a range inside of a team. Every participating thread gets the
/// result, which overwrites a variable or the reference() of a reducer. Values start from T() and
/// join by +=, or by the functor's or reducer's init, join and final.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const detail::nested_range<Level, I, M>& range,
                                              const F& body, Result&& result) {
  using check = detail::reduction_check<F, std::remove_reference_t<Result>, detail::type_list<I>>;
  if constexpr (check::right) {
    detail::with_operations<1>(range, body, result, [&](const auto& operations, auto& into) {
      using operations_type = std::remove_cvref_t<decltype(operations)>;
      using value = typename operations_type::value_type;
      constexpr detail::kernel_fault fault = detail::fault_of<F, I, value&>;
      if constexpr (detail::is_wide_nested<fault, std::remove_cvref_t<decltype(range)>, F,
                                           operations_type>) {
        into = static_cast<std::remove_reference_t<decltype(into)>>(
            detail::fold_wide_nested(range, body, operations));
      } else if constexpr (detail::nested_check<I, F, value&>::callable) {
        into = detail::fold_range(range, body, operations);
      }
    });
  }
}

/// Selects one thread of the team, for single().
template <TeamHandle M>
HPK_FUNCTION detail::single_of<detail::nested_level::team, M> PerTeam(const M& member) {
  return {member};
}
/// Selects one vector lane of each thread, for single().
template <TeamHandle M>
HPK_FUNCTION detail::single_of<detail::nested_level::thread, M> PerThread(const M& member) {
  return {member};
}

/// Calls f() once for the team, on its first thread, or once for each thread, on one of its lanes.
/// There is no barrier afterwards, except among the lanes of a thread.
HPK_CALLS_EITHER
template <detail::nested_level Level, class M, class F>
HPK_FUNCTION void single(const detail::single_of<Level, M>& who, const F& f) {
  if constexpr (Level == detail::nested_level::thread) who.member.sync_thread();
  if (who.member.template leads<Level>()) f();
  if constexpr (Level == detail::nested_level::thread) who.member.sync_thread();
}
/// Calls f(value) once and broadcasts the value to every thread of the team, or to every lane of
/// the thread; all of them must call it.
HPK_CALLS_EITHER
template <detail::nested_level Level, class M, class F, class T>
HPK_FUNCTION void single(const detail::single_of<Level, M>& who, const F& f, T& value) {
  if constexpr (detail::changes_value<F, T>::right) {
    if constexpr (Level == detail::nested_level::thread) {
      single(who, [&] { f(value); });
      value = who.member.first_of_thread(value);
    } else {
      who.member.team_broadcast(f, value, 0);
    }
  }
}

}  // namespace hpk
