// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges divided among all teams of a league, for kernels that launch a fixed number of teams,
// independent of the number of iterations.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/parallel/nested/nested.hpp>

namespace hpk::classes {
/// @cond internal
/// A range divided among the threads of a league.
template <nested_level Level, class I, class Member>
struct range_of_league : nested_range<Level, I, Member> {};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail {
using classes::range_of_league;

/// The level of LeagueVectorRange.
template <class Member>
inline constexpr nested_level all_lanes_of_league =
    Member::has_vectors ? nested_level::league_lanes : nested_level::league;

}  // namespace hpk::detail

namespace hpk {

/// The range [0, n) or [begin, end), each iteration by one thread of one team of the league; all
/// lanes of the thread run it. For parallel_for inside of a kernel over teams, called by all
/// threads of all teams. Every launch covers the range, with any number of threads. There is no
/// barrier after the loop. Any integer type; sizes up to 2^63 - 1.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value N>
HPK_FUNCTION auto LeagueThreadRange(const M& member, N n) {
  using I = detail::integer_t<N>;
  return detail::range_of_league<detail::nested_level::league, I, M>{
      {{member}, I{0}, static_cast<I>(n)}};
}
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value B, detail::integer_value E>
HPK_FUNCTION auto LeagueThreadRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::range_of_league<detail::nested_level::league, I, M>{
      {{member}, static_cast<I>(begin), static_cast<I>(end)}};
}
///@}
/// LeagueThreadRange with each iteration on one vector lane of one thread.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value N>
HPK_FUNCTION auto LeagueVectorRange(const M& member, N n) {
  using I = detail::integer_t<N>;
  return detail::range_of_league<detail::all_lanes_of_league<M>, I, M>{
      {{member}, I{0}, static_cast<I>(n)}};
}
HPK_CALLS_EITHER
template <TeamHandle M, detail::integer_value B, detail::integer_value E>
HPK_FUNCTION auto LeagueVectorRange(const M& member, B begin, E end) {
  using I = detail::common_index_t<B, E>;
  return detail::range_of_league<detail::all_lanes_of_league<M>, I, M>{
      {{member}, static_cast<I>(begin), static_cast<I>(end)}};
}
///@}

/// Calls body(i) for every index of a range of the league, in no promised order.
HPK_CALLS_EITHER
template <detail::nested_level Level, class I, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const detail::range_of_league<Level, I, M>& range,
                                           const F& body) {
  parallel_for(static_cast<const detail::nested_range<Level, I, M>&>(range), body);
}
/// Not available over a league: a compile-time error.
///@{
template <detail::nested_level Level, class I, class M, class... Rest>
HPK_FUNCTION void parallel_reduce(const detail::range_of_league<Level, I, M>&, Rest&&...) {
  static_assert(detail::always_false<M>,
                "hpk::parallel_reduce: teams do not wait for each other, so that a kernel has no "
                "reduction over its league; add to the update of a parallel_reduce over teams");
}
template <detail::nested_level Level, class I, class M, class... Rest>
HPK_FUNCTION void parallel_scan(const detail::range_of_league<Level, I, M>&, Rest&&...) {
  static_assert(detail::always_false<M>,
                "hpk::parallel_scan: teams do not wait for each other, so that a kernel has no "
                "scan over its league; write a parallel_scan over a RangePolicy");
}
///@}

/// The indices first, first + step, ... below last, for range-based for loops.
class IndexSteps {
 public:
  /// An iterator with the operations that a range-based for loop needs.
  class iterator {
   public:
    /// At index `at`, with `left` indices left, itself included; 0: the end.
    HPK_FUNCTION constexpr iterator(index_t left, index_t at, index_t step) noexcept
        : left_(left), at_(at), step_(step) {}
    /// Returns the index; steps to the next one; whether different numbers of indices are left.
    ///@{
    HPK_FUNCTION constexpr index_t operator*() const noexcept { return at_; }
    HPK_FUNCTION constexpr iterator& operator++() noexcept {
      if (--left_ > 0) at_ += step_;
      return *this;
    }
    HPK_FUNCTION constexpr bool operator!=(const iterator& other) const noexcept {
      return left_ != other.left_;
    }
    ///@}

   private:
    index_t left_;
    index_t at_;
    index_t step_;
  };
  /// The indices first, first + step, ... below last; none if last <= first. step >= 1.
  HPK_FUNCTION constexpr IndexSteps(index_t first, index_t last, index_t step) noexcept
      : first_(first), count_(first < last ? (last - first - 1) / step + 1 : 0), step_(step) {}
  /// For range-based for loops.
  ///@{
  HPK_FUNCTION constexpr iterator begin() const noexcept { return {count_, first_, step_}; }
  HPK_FUNCTION constexpr iterator end() const noexcept { return {0, first_, step_}; }
  ///@}
  /// The number of indices.
  HPK_FUNCTION constexpr index_t size() const noexcept { return count_; }

 private:
  index_t first_;
  index_t count_;
  index_t step_;
};

/// The rank of a thread or lane in its league, and its part of n iterations. `for (hpk::index_t i :
/// hpk::all_threads(member).strided(n))`. A regular value.
class LeaguePart {
 public:
  /// The place `rank`, 0 <= rank < size, among `size` threads or lanes.
  HPK_FUNCTION constexpr LeaguePart(index_t rank, index_t size) noexcept
      : rank_(rank), size_(size) {}
  /// The rank in the league and the number of ranks: ordered by team, then by thread.
  ///@{
  HPK_FUNCTION constexpr index_t rank() const noexcept { return rank_; }
  HPK_FUNCTION constexpr index_t size() const noexcept { return size_; }
  ///@}
  /// Returns a contiguous part of [0, n); parts differ by at most one iteration. Suits caches.
  HPK_FUNCTION constexpr IndexSteps contiguous(index_t n) const noexcept {
    const detail::index_range chunk = detail::static_chunk(n > 0 ? n : 0, rank_, size_);
    return {chunk.begin, chunk.end, 1};
  }
  /// Returns rank(), rank() + size(), ... below n: neighbouring lanes access neighbouring elements,
  /// which coalesces on GPUs.
  HPK_FUNCTION constexpr IndexSteps strided(index_t n) const noexcept { return {rank_, n, size_}; }

 private:
  index_t rank_;
  index_t size_;
};

/// Returns the calling thread's place among all threads of its league, equal for all lanes of a
/// thread.
HPK_CALLS_EITHER
template <TeamHandle M>
HPK_FUNCTION LeaguePart all_threads(const M& member) {
  return {member.template rank_in<detail::nested_level::league>(),
          member.template size_of<detail::nested_level::league>()};
}
/// Returns the calling lane's place among all vector lanes of all threads of its league.
HPK_CALLS_EITHER
template <TeamHandle M>
HPK_FUNCTION LeaguePart all_lanes(const M& member) {
  return {member.template rank_in<detail::nested_level::league_lanes>(),
          member.template size_of<detail::nested_level::league_lanes>()};
}

}  // namespace hpk
