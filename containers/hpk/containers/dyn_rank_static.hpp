// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From run-time rank to static rank: as_view_of_rank<N> makes a View of rank N; visit_rank calls a
// function with a View of the rank that the DynRankView has.
#pragma once

#include <hpk/containers/dyn_rank_handle.hpp>

namespace hpk {

namespace detail {

template <class T, std::size_t Rank>
struct pointer_to_rank {
  using type = typename pointer_to_rank<T, Rank - 1>::type*;
};
template <class T>
struct pointer_to_rank<T, 0> {
  using type = T;
};

/// Throws hpk::error: as_view_of_rank asks for a rank that the DynRankView does not have.
[[noreturn]] void reject_dyn_rank_cast(std::string_view label, std::size_t asked, int rank,
                                       const std::source_location& where);

/// Returns a View of rank N, which must be the rank of the DynRankView.
HPK_CALLS_EITHER
template <std::size_t N, class D, class... Ps>
HPK_FUNCTION auto with_rank(const DynRankView<D, Ps...>& view) {
  using source = DynRankView<D, Ps...>;
  using result = typename source::template view_of<
      typename pointer_to_rank<typename source::value_type, N>::type>;
  const dyn_rank_shape& shape = dyn_rank_access::shape(view);
  if constexpr (N == 0) {
    if (!view.is_allocated()) return result();
  }
  return reshape<result>(
      dyn_rank_access::elements(view),
      layout_of_shape<typename source::array_layout>(shape, 0, static_cast<int>(N)));
}

HPK_CALLS_EITHER
template <std::size_t N, class F, class V>
HPK_FUNCTION decltype(auto) visit_rank_from(F&& f, const V& view) {
  if constexpr (N == most_run_time_rank) {
    return static_cast<F&&>(f)(with_rank<N>(view));
  } else {
    if (view.rank() == N) return static_cast<F&&>(f)(with_rank<N>(view));
    return visit_rank_from<N + 1>(static_cast<F&&>(f), view);
  }
}

}  // namespace detail

/// Returns a View of rank N of the elements of a DynRankView of rank N. Both share the ownership.
/// Throws hpk::error if the DynRankView has another rank. May be called in kernels.
///   hpk::View<double**> matrix = hpk::as_view_of_rank<2>(field);
HPK_CALLS_EITHER
template <std::size_t N, class D, class... Ps>
HPK_FUNCTION auto as_view_of_rank(
    const DynRankView<D, Ps...>& view,
    [[maybe_unused]] const std::source_location& where = std::source_location::current()) {
  static_assert(N <= detail::most_run_time_rank,
                "hpk::as_view_of_rank: the rank of a DynRankView is 7 at most");
  if (view.rank() != N) {
    HPK_IF_ON_HOST(
        (detail::reject_dyn_rank_cast(view.label(), N, static_cast<int>(view.rank()), where);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::as_view_of_rank: the DynRankView is of another rank");))
  }
  return detail::with_rank<N>(view);
}

/// Calls f with a View of the rank that a DynRankView has, and returns the result of f. f is
/// instantiated for ranks 0 to 7 and must return the same type for all of them.
///   hpk::visit_rank([](const auto& view) { ... view.rank() is a constant ... }, field);
HPK_CALLS_EITHER
template <class F, class D, class... Ps>
HPK_FUNCTION decltype(auto) visit_rank(F&& f, const DynRankView<D, Ps...>& view) {
  return detail::visit_rank_from<0>(static_cast<F&&>(f), view);
}

/// Kokkos' names of these functions.
namespace Impl {
/// The same as hpk::as_view_of_rank.
HPK_CALLS_EITHER
template <std::size_t N, class D, class... Ps>
HPK_FUNCTION auto as_view_of_rank_n(const DynRankView<D, Ps...>& view) {
  return as_view_of_rank<N>(view);
}
/// The same as hpk::visit_rank.
HPK_CALLS_EITHER
template <class F, class D, class... Ps>
HPK_FUNCTION decltype(auto) apply_to_view_of_static_rank(F&& f, const DynRankView<D, Ps...>& view) {
  return visit_rank(static_cast<F&&>(f), view);
}
}  // namespace Impl

}  // namespace hpk
