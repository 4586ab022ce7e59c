// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RangePolicy over the handle of a team: TeamVectorRange spelled as a policy.
#pragma once

#include <hpk/parallel/nested/nested_results.hpp>
#include <hpk/parallel/nested/nested_scan.hpp>
#include <hpk/parallel/policies/range_policy.hpp>

namespace hpk {

/// The range [begin, end) for all lanes of a team, inside of its kernel, as TeamVectorRange(team,
/// begin, end). One lane runs each index, and parallel_reduce and parallel_scan give their results
/// to all lanes. Every thread of the team must call the loop. The range must not outlive the
/// handle.
///
/// There is no chunk size. If end < begin, the range is empty, like every nested range.
template <TeamHandle Member>
class RangePolicy<Member> {
 public:
  /// The space, team handle and index type, by the names of other policies; member_type is the
  /// argument of the kernel.
  ///@{
  using execution_space = typename Member::execution_space;
  using team_handle_type = Member;
  using index_type = index_t;
  using member_type = index_t;
  ///@}
  /// Marks a range inside of a team (is_in_team_v).
  static constexpr bool shared = true;

  /// The range [begin, end) for the lanes of `team`, to which the policy keeps a reference.
  HPK_FUNCTION RangePolicy(const Member& team, index_t begin, index_t end)
      : member_(team), begin_(begin), end_(end) {}

  /// The bounds [begin, end), as given.
  ///@{
  HPK_FUNCTION index_t begin() const noexcept { return begin_; }
  HPK_FUNCTION index_t end() const noexcept { return end_; }
  ///@}
  /// For code that is generic over policies: the chunk size is 1, and setting it has no effect.
  ///@{
  HPK_FUNCTION static constexpr index_t chunk_size() noexcept { return 1; }
  HPK_FUNCTION RangePolicy& set_chunk_size(int) noexcept { return *this; }
  ///@}
  /// The team.
  HPK_FUNCTION const Member& team() const noexcept { return member_; }

 private:
  const Member& member_;
  index_t begin_;
  index_t end_;
};

/// Deduces the policy from the handle of a team.
template <TeamHandle Member, detail::integer_value B, detail::integer_value E>
HPK_DEDUCTION_GUIDE RangePolicy(const Member&, B, E) -> RangePolicy<Member>;

/// Calls body(i) for every index, in no promised order.
HPK_CALLS_EITHER
template <TeamHandle M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const RangePolicy<M>& range, const F& body) {
  parallel_for(TeamVectorRange(range.team(), range.begin(), range.end()), body);
}
/// Reduces body(i, updates...) into one or several results, for every thread of the team.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const RangePolicy<M>& range, const F& body,
                                              Result&& result) {
  parallel_reduce(TeamVectorRange(range.team(), range.begin(), range.end()), body,
                  static_cast<Result&&>(result));
}
HPK_CALLS_EITHER
template <TeamHandle M, class F, class R0, class R1, class... Rs>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const RangePolicy<M>& range, const F& body, R0&& r0,
                                              R1&& r1, Rs&&... rs) {
  parallel_reduce(TeamVectorRange(range.team(), range.begin(), range.end()), body,
                  static_cast<R0&&>(r0), static_cast<R1&&>(r1), static_cast<Rs&&>(rs)...);
}
///@}
/// Computes prefix results of body(i, update, final), in index order; stores the total if one is
/// given.
///@{
HPK_CALLS_EITHER
template <TeamHandle M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_scan(const RangePolicy<M>& range, const F& body) {
  parallel_scan(TeamVectorRange(range.team(), range.begin(), range.end()), body);
}
HPK_CALLS_EITHER
template <TeamHandle M, class F, class Total>
HPK_FORCEINLINE_FUNCTION void parallel_scan(const RangePolicy<M>& range, const F& body,
                                            Total&& total) {
  parallel_scan(TeamVectorRange(range.team(), range.begin(), range.end()), body,
                static_cast<Total&&>(total));
}
///@}

}  // namespace hpk
