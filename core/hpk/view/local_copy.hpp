// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// local_deep_copy: copies and fills made by one thread, in a kernel or outside, or by a team.
#pragma once

#include <hpk/parallel/nested.hpp>
#include <hpk/view/view.hpp>

namespace hpk {

namespace detail {

/// Calls visit(i0, i1, ...) for every index, the last dimension innermost, or the first.
template <bool LastInner, int Left, class V, class Visit, class... Is>
HPK_FORCEINLINE_FUNCTION void visit_indices(const V& view, const Visit& visit, Is... is) {
  if constexpr (Left == 0) {
    visit(is...);
  } else {
    constexpr int rank = static_cast<int>(V::rank());
    const auto n = static_cast<index_t>(
        view.extent(static_cast<std::size_t>(LastInner ? rank - Left : Left - 1)));
    for (index_t i = 0; i < n; ++i) {
      if constexpr (LastInner) {
        visit_indices<LastInner, Left - 1>(view, visit, is..., i);
      } else {
        visit_indices<LastInner, Left - 1>(view, visit, i, is...);
      }
    }
  }
}

template <class V, class Visit>
HPK_FORCEINLINE_FUNCTION void visit_all(const V& view, const Visit& visit) {
  constexpr bool last_inner = !std::is_same_v<typename V::array_layout, LayoutLeft>;
  visit_indices<last_inner, static_cast<int>(V::rank())>(view, visit);
}

/// The same, divided among the threads of a team.
HPK_CALLS_EITHER
template <class Member, class V, class Visit>
HPK_FUNCTION void visit_all_by(const Member& member, const V& view, const Visit& visit) {
  if (member.template parts<nested_level::lanes>() == 1) {
    visit_all(view, visit);
    return;
  }
  constexpr bool last_inner = !std::is_same_v<typename V::array_layout, LayoutLeft>;
  constexpr int rank = static_cast<int>(V::rank());
  parallel_for(TeamVectorRange(member, static_cast<index_t>(view.size())), [&](index_t k) {
    index_t index[rank + 1] = {};
    for (int step = 0; step < rank; ++step) {
      const int r = last_inner ? rank - 1 - step : step;
      const auto n = static_cast<index_t>(view.extent(static_cast<std::size_t>(r)));
      index[r] = k % n;
      k /= n;
    }
    [&]<std::size_t... Rs>(std::index_sequence<Rs...>) {
      visit(index[Rs]...);
    }(std::make_index_sequence<V::rank()>());
  });
}

template <class V>
HPK_FUNCTION constexpr bool check_writable() {
  constexpr bool writable = !std::is_const_v<typename V::value_type>;
  static_assert(writable,
                "hpk::local_deep_copy: the destination's elements are const; write a View of "
                "non-const elements, and the destination first");
  return writable;
}

template <class Dst, class Src>
HPK_FUNCTION void check_extents(const Dst& dst, const Src& src) {
  for (std::size_t r = 0; r != Dst::rank(); ++r) {
    if (dst.extent(r) == src.extent(r)) continue;
    HPK_IF_ON_HOST((reject_unlike("hpk::local_deep_copy", dst.description(), src.description(),
                                  "the extents differ", {});))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::local_deep_copy: the extents differ");))
  }
}

}  // namespace detail

/// Copies all elements of src to dst: equal rank and extents (hpk::error when HPK_CHECKS is 1), any
/// layouts, convertible elements. The calling thread copies alone and does not synchronise. In
/// kernels and outside, where the memory is accessible.
template <class D, class... Ps, class S, class... Qs>
HPK_FUNCTION void local_deep_copy(const View<D, Ps...>& dst, const View<S, Qs...>& src) {
  constexpr bool ranks = View<D, Ps...>::rank() == View<S, Qs...>::rank();
  static_assert(ranks, "hpk::local_deep_copy: the Views have different ranks");
  if constexpr (ranks && detail::check_writable<View<D, Ps...>>()) {
    if constexpr (static_cast<bool>(HPK_CHECKS)) detail::check_extents(dst, src);
    detail::visit_all(dst, [&](auto... is) {
      dst(is...) = static_cast<typename View<D, Ps...>::value_type>(src(is...));
    });
  }
}

/// Sets all elements to a value that converts to the element type, as above.
template <class D, class... Ps, class T>
  requires(!is_view_v<T> && std::is_convertible_v<const T&, typename View<D, Ps...>::value_type>)
HPK_FUNCTION void local_deep_copy(const View<D, Ps...>& dst, const T& value) {
  if constexpr (detail::check_writable<View<D, Ps...>>()) {
    const auto element = static_cast<typename View<D, Ps...>::value_type>(value);
    detail::visit_all(dst, [&](auto... is) { dst(is...) = element; });
  }
}

/// The same by all threads of a team, which must all call it, with a barrier before and after.
HPK_CALLS_EITHER
template <TeamHandle Member, class D, class... Ps, class S, class... Qs>
HPK_FUNCTION void local_deep_copy(const Member& member, const View<D, Ps...>& dst,
                                  const View<S, Qs...>& src) {
  constexpr bool ranks = View<D, Ps...>::rank() == View<S, Qs...>::rank();
  static_assert(ranks, "hpk::local_deep_copy: the Views have different ranks");
  if constexpr (ranks && detail::check_writable<View<D, Ps...>>()) {
    if constexpr (static_cast<bool>(HPK_CHECKS)) detail::check_extents(dst, src);
    member.team_barrier();
    detail::visit_all_by(member, dst, [&](auto... is) {
      dst(is...) = static_cast<typename View<D, Ps...>::value_type>(src(is...));
    });
    member.team_barrier();
  }
}
/// Sets all elements to a value, likewise.
HPK_CALLS_EITHER
template <TeamHandle Member, class D, class... Ps, class T>
  requires(!is_view_v<T> && std::is_convertible_v<const T&, typename View<D, Ps...>::value_type>)
HPK_FUNCTION void local_deep_copy(const Member& member, const View<D, Ps...>& dst, const T& value) {
  if constexpr (detail::check_writable<View<D, Ps...>>()) {
    const auto element = static_cast<typename View<D, Ps...>::value_type>(value);
    member.team_barrier();
    detail::visit_all_by(member, dst, [&](auto... is) { dst(is...) = element; });
    member.team_barrier();
  }
}

}  // namespace hpk
