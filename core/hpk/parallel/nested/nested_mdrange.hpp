// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over MDRanges inside of a team.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/parallel/launch/index_space.hpp>
#include <hpk/parallel/nested/nested.hpp>

namespace hpk::classes {
/// Base of the MDRanges inside of a team, from 0 in every dimension. R: a Rank<...>, whose inner
/// direction is the loop order.
template <nested_level Level, class R, class Member>
class nested_mdrange : public team_scope<Level, Member> {
 public:
  static constexpr int rank = R::rank;  ///< the number of dimensions
  using index_type = index_t;           ///< the type of the extents
  /// @cond internal
  using space_type =
      index_space<rank, index_t,
                  last_is_fastest<typename Member::execution_space, R::inner_direction>>;
  /// @endcond

  /// The MDRange with one extent for each dimension; a negative extent counts as 0.
  template <integer_value... Ns>
  HPK_FUNCTION constexpr explicit nested_mdrange(const Member& team, Ns... extents)
      : team_scope<Level, Member>{team},
        shape{{},
              {(is_negative(static_cast<integer_t<Ns>>(extents))
                    ? 0
                    : static_cast<index_t>(extents))...}} {
    static_assert(
        sizeof...(Ns) == rank,
        "hpk: an MDRange inside of a team takes one extent for each dimension of its Rank");
  }

  /// @cond internal
  /// Returns the iterations of the calling thread or lane.
  HPK_CALLS_EITHER
  HPK_FUNCTION index_range chunk() const noexcept { return this->share_of(shape.size()); }
  /// Calls row(index, first, last) for each row of the caller's iterations. A lane that runs alone
  /// uses a plain nest of loops: for a small MDRange of constant bounds, the compiler unrolls and
  /// vectorises it.
  HPK_CALLS_EITHER
  template <class Row>
  HPK_FORCEINLINE_FUNCTION void for_own_rows(const Row& row) const {
    if constexpr (nested_mdrange::takes_neighbours) {
      if (this->alone()) {
        index_t index[std::size_t{rank}];
        for_all_rows(shape, index, row);
        return;
      }
    }
    const index_range p = chunk();
    for_rows(shape, p.begin, p.end, row);
  }

  space_type shape;
  /// @endcond
};
}  // namespace hpk::classes

namespace hpk::detail {
using classes::nested_mdrange;

/// One dimension of an MDRange.
struct extent_range {
  using index_type = index_t;
  index_t begin;
  index_t end;
};

/// The types in which a body takes its N indices, before Rest.
template <int N, class F, class... Rest>
using nested_indices_t = index_parameters_t<N, index_t, F, void, Rest...>;

/// Rejects an MDRange that the indices of a body, of types Ps, can't hold.
template <class... Ps, class Space>
HPK_FORCEINLINE_FUNCTION void check_nested_mdrange(type_list<Ps...>, const Space& shape) {
  int r = 0;
  (check_nested_bounds<Ps>(extent_range{0, shape.extent[r++]}), ...);
}

/// Checks a body over N indices; see nested_check.
template <class Indices, class F, class... Rest>
struct nested_mdrange_check;
template <std::size_t... Rs, class F, class... Rest>
struct nested_mdrange_check<std::index_sequence<Rs...>, F, Rest...> {
  static constexpr kernel_fault fault =
      fault_of<F, std::conditional_t<Rs != 0, index_t, index_t>..., Rest...>;
  static_assert(fault == kernel_fault::none,
                "hpk: the body of a loop over an MDRange inside of a team is called, as const, "
                "with one index for each dimension, followed by `T& update` in a reduction, `T& "
                "update, bool final` in a scan; write [&](int i, int j) { ... } for Rank<2>");
  static constexpr bool callable =
      fault == kernel_fault::none &&
      nested_update_check<fault, F, nested_indices_t<static_cast<int>(sizeof...(Rs)), F, Rest...>,
                          Rest...>::right;
};
template <class Indices, class F, class... Rest>
inline constexpr kernel_fault fault_of_mdrange_body = kernel_fault::none;
template <std::size_t... Rs, class F, class... Rest>
inline constexpr kernel_fault fault_of_mdrange_body<std::index_sequence<Rs...>, F, Rest...> =
    fault_of<F, std::conditional_t<Rs != 0, index_t, index_t>..., Rest...>;
template <int N, class F, class... Rest>
inline constexpr bool is_mdrange_body =
    nested_mdrange_check<std::make_index_sequence<static_cast<std::size_t>(N)>, F,
                         Rest...>::callable;

template <nested_level Level, class R, class M, class F>
HPK_FORCEINLINE_FUNCTION void for_nested_mdrange(const nested_mdrange<Level, R, M>& range,
                                                 const F& body) {
  if constexpr (is_mdrange_body<R::rank, F>) {
    using range_type = nested_mdrange<Level, R, M>;
    using space_type = typename range_type::space_type;
    using indices = nested_indices_t<R::rank, F>;
    using I = common_counter_t<indices, index_t>;
    constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(R::rank)>();
    constexpr bool neighbours = range_type::takes_neighbours;
    check_nested_mdrange(indices(), range.shape);
    range.sync();
    if constexpr (neighbours) {
      range.for_own_rows([&](const index_t* index, index_t first, index_t last) {
        const I end = static_cast<I>(last);
        for (I i = static_cast<I>(first); i < end; ++i)
          call_with<I, space_type>(body, index, i, all);
      });
    } else {
      for_every_point<I>(range.shape, range.own_rank(), range.ranks(), range.shape.size(),
                         [&](const I* index) {
                           call_at<void, space_type>(body, index, index[space_type::fastest], all);
                         });
    }
    range.sync();
  }
}

/// Reduces an MDRange in loop order; every participating thread gets the result.
template <nested_level Level, class R, class M, class F, class Operations>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_nested_mdrange(
    const nested_mdrange<Level, R, M>& range, const F& body, const Operations& operations) {
  using value = typename Operations::value_type;
  using space_type = typename nested_mdrange<Level, R, M>::space_type;
  using indices = nested_indices_t<R::rank, F, value&>;
  using I = common_counter_t<indices, index_t>;
  constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(R::rank)>();
  check_nested_mdrange(indices(), range.shape);
  range.sync();
  value sum;
  operations.init(sum);
  range.for_own_rows([&](const index_t* index, index_t first, index_t last) {
    const I end = static_cast<I>(last);
    for (I i = static_cast<I>(first); i < end; ++i)
      call_with<I, space_type>(body, index, i, all, sum);
  });
  sum = range.join(operations, sum);
  operations.final(sum);
  return sum;
}

template <nested_level Level, class R, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void reduce_nested_mdrange(const nested_mdrange<Level, R, M>& range,
                                                    const F& body, Result& result) {
  using check = reduction_check<F, Result, repeated_t<index_t, R::rank>>;
  if constexpr (check::right) {
    with_operations<R::rank>(range, body, result, [&](const auto& operations, auto& into) {
      using operations_type = std::remove_cvref_t<decltype(operations)>;
      using value = typename operations_type::value_type;
      constexpr kernel_fault fault =
          fault_of_mdrange_body<std::make_index_sequence<static_cast<std::size_t>(R::rank)>, F,
                                value&>;
      if constexpr (is_wide_nested<fault, std::remove_cvref_t<decltype(range)>, F,
                                   operations_type>) {
        into = static_cast<std::remove_reference_t<decltype(into)>>(
            fold_wide_nested(range, body, operations));
      } else if constexpr (is_mdrange_body<R::rank, F, value&>) {
        into = fold_nested_mdrange(range, body, operations);
      }
    });
  }
}

}  // namespace hpk::detail

namespace hpk {

/// The MDRange [0, n0) x [0, n1) x ..., each iteration by one thread of the team; see
/// TeamThreadRange. TeamThreadMDRange(team, n0, n1), or TeamThreadMDRange<Rank<2, Iterate::Left>,
/// member>(...).
template <class R, class Member>
class TeamThreadMDRange : public classes::nested_mdrange<detail::nested_level::team, R, Member> {
 public:
  using classes::nested_mdrange<detail::nested_level::team, R, Member>::nested_mdrange;
};
/// TeamThreadMDRange with each iteration on one vector lane of one thread.
template <class R, class Member>
class TeamVectorMDRange : public classes::nested_mdrange<detail::all_lanes<Member>, R, Member> {
 public:
  using classes::nested_mdrange<detail::all_lanes<Member>, R, Member>::nested_mdrange;
};
/// TeamThreadMDRange on the vector lanes of the calling thread; see ThreadVectorRange.
template <class R, class Member>
class ThreadVectorMDRange
    : public classes::nested_mdrange<detail::nested_level::thread, R, Member> {
 public:
  using classes::nested_mdrange<detail::nested_level::thread, R, Member>::nested_mdrange;
};
/// Deduces the number of dimensions from the number of extents.
///@{
template <TeamHandle M, detail::integer_value... Ns>
HPK_DEDUCTION_GUIDE TeamThreadMDRange(const M&, Ns...) -> TeamThreadMDRange<Rank<sizeof...(Ns)>, M>;
template <TeamHandle M, detail::integer_value... Ns>
HPK_DEDUCTION_GUIDE TeamVectorMDRange(const M&, Ns...) -> TeamVectorMDRange<Rank<sizeof...(Ns)>, M>;
template <TeamHandle M, detail::integer_value... Ns>
HPK_DEDUCTION_GUIDE ThreadVectorMDRange(const M&, Ns...)
    -> ThreadVectorMDRange<Rank<sizeof...(Ns)>, M>;
///@}

/// Calls body(i0, i1, ...) for every iteration of an MDRange inside of a team, in no promised
/// order.
///@{
template <class R, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const TeamThreadMDRange<R, M>& range, const F& body) {
  detail::for_nested_mdrange(range, body);
}
template <class R, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const TeamVectorMDRange<R, M>& range, const F& body) {
  detail::for_nested_mdrange(range, body);
}
template <class R, class M, class F>
HPK_FORCEINLINE_FUNCTION void parallel_for(const ThreadVectorMDRange<R, M>& range, const F& body) {
  detail::for_nested_mdrange(range, body);
}
///@}

/// Reduces body(i0, i1, ..., update) over an MDRange inside of a team, into a variable or a
/// reducer.
///@{
template <class R, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const TeamThreadMDRange<R, M>& range, const F& body,
                                              Result&& result) {
  detail::reduce_nested_mdrange(range, body, result);
}
template <class R, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const TeamVectorMDRange<R, M>& range, const F& body,
                                              Result&& result) {
  detail::reduce_nested_mdrange(range, body, result);
}
template <class R, class M, class F, class Result>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const ThreadVectorMDRange<R, M>& range, const F& body,
                                              Result&& result) {
  detail::reduce_nested_mdrange(range, body, result);
}
///@}

}  // namespace hpk
