// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// local_deep_copy: copies and fills by one thread, in a kernel or outside, or by a team.
#pragma once

#include <hpk/parallel/nested/nested.hpp>
#include <hpk/view/element_conversion.hpp>
#include <hpk/view/view.hpp>

namespace hpk {

namespace detail {

/// Whether the innermost loop runs over the last dimension of a View, or over the first.
template <class V>
inline constexpr bool last_is_inner = !std::is_same_v<typename V::array_layout, LayoutLeft>;

/// Calls visit(i0, i1, ...) for all indices of the dimensions outside of the Inner innermost ones.
template <int Inner, int Left, class V, class Visit, class... Is>
HPK_FORCEINLINE_FUNCTION void visit_indices(const V& view, const Visit& visit, Is... is) {
  if constexpr (Left == Inner) {
    visit(is...);
  } else {
    constexpr int rank = static_cast<int>(V::rank());
    const auto n = static_cast<index_t>(
        view.extent(static_cast<std::size_t>(last_is_inner<V> ? rank - Left : Left - 1)));
    for (index_t i = 0; i < n; ++i) {
      if constexpr (last_is_inner<V>) {
        visit_indices<Inner, Left - 1>(view, visit, is..., i);
      } else {
        visit_indices<Inner, Left - 1>(view, visit, i, is...);
      }
    }
  }
}

/// Whether elements are plain variables at strided addresses, so that a row is a loop over
/// pointers, which is fast even without inlining.
template <class V>
inline constexpr bool has_plain_rows =
    V::rank() != 0 && std::is_lvalue_reference_v<typename V::reference_type> &&
    !seam::is_watched<typename V::memory_space> && is_strided<view_access::map<V>>;

/// The first element of a row of a View.
template <bool LastInner, class V, class... Is>
HPK_FORCEINLINE_FUNCTION auto* row_of(const V& view, Is... outer) {
  if constexpr (LastInner) {
    return &view(outer..., index_t{0});
  } else {
    return &view(index_t{0}, outer...);
  }
}

/// Copies all elements of another View with the same extents.
template <class Dst, class Src>
HPK_FORCEINLINE_FUNCTION void copy_locally(const Dst& dst, const Src& src) {
  using element = typename Dst::value_type;
  constexpr int rank = static_cast<int>(Dst::rank());
  if constexpr (has_plain_rows<Dst> && has_plain_rows<Src>) {
    constexpr std::size_t inner = last_is_inner<Dst> ? Dst::rank() - 1 : 0;
    const auto n = static_cast<index_t>(dst.extent(inner));
    if (n == 0) return;
    const auto to_step = static_cast<index_t>(dst.stride(inner));
    const auto from_step = static_cast<index_t>(src.stride(inner));
    visit_indices<1, rank>(dst, [&](auto... outer) {
      auto* const to = row_of<last_is_inner<Dst>>(dst, outer...);
      auto* const from = row_of<last_is_inner<Dst>>(src, outer...);
      if (to_step == 1 && from_step == 1) {
        for (index_t i = 0; i < n; ++i) to[i] = as_element<element>(from[i]);
      } else {
        for (index_t i = 0; i < n; ++i) to[i * to_step] = as_element<element>(from[i * from_step]);
      }
    });
  } else {
    visit_indices<0, rank>(dst, [&](auto... is) { dst(is...) = as_element<element>(src(is...)); });
  }
}

/// Sets all elements to one value.
template <class Dst>
HPK_FORCEINLINE_FUNCTION void fill_all_elements(const Dst& dst,
                                                const typename Dst::value_type& value) {
  constexpr int rank = static_cast<int>(Dst::rank());
  if constexpr (has_plain_rows<Dst>) {
    constexpr std::size_t inner = last_is_inner<Dst> ? Dst::rank() - 1 : 0;
    const auto n = static_cast<index_t>(dst.extent(inner));
    if (n == 0) return;
    const auto step = static_cast<index_t>(dst.stride(inner));
    visit_indices<1, rank>(dst, [&](auto... outer) {
      auto* const to = row_of<last_is_inner<Dst>>(dst, outer...);
      if (step == 1) {
        for (index_t i = 0; i < n; ++i) to[i] = value;
      } else {
        for (index_t i = 0; i < n; ++i) to[i * step] = value;
      }
    });
  } else {
    visit_indices<0, rank>(dst, [&](auto... is) { dst(is...) = value; });
  }
}

/// Calls visit(i0, i1, ...) for all indices, divided among the threads of a team.
HPK_CALLS_EITHER
template <class Member, class V, class Visit>
HPK_FUNCTION void visit_all_by(const Member& member, const V& view, const Visit& visit) {
  constexpr int rank = static_cast<int>(V::rank());
  parallel_for(TeamVectorRange(member, static_cast<index_t>(view.size())), [&](index_t k) {
    index_t index[std::size_t{rank} + 1] = {};
    for (int step = 0; step < rank; ++step) {
      const int r = last_is_inner<V> ? rank - 1 - step : step;
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

/// Copies all elements of src to dst. Both need equal rank and extents (hpk::error when HPK_CHECKS
/// is 1) and convertible elements; layouts may differ. The calling thread copies alone and does not
/// synchronise. Usable in kernels and outside, if the memory is accessible.
template <class D, class... Ps, class S, class... Qs>
HPK_FUNCTION void local_deep_copy(const View<D, Ps...>& dst, const View<S, Qs...>& src) {
  constexpr bool ranks = View<D, Ps...>::rank() == View<S, Qs...>::rank();
  static_assert(ranks, "hpk::local_deep_copy: the Views have different ranks");
  if constexpr (ranks && detail::check_writable<View<D, Ps...>>()) {
    if constexpr (static_cast<bool>(HPK_CHECKS)) detail::check_extents(dst, src);
    detail::copy_locally(dst, src);
  }
}

/// Sets all elements to a value that converts or can be assigned to them. The calling thread fills
/// alone and does not synchronise, in kernels and outside.
template <class D, class... Ps, class T>
  requires(!is_view_v<T> && detail::makes_element<typename View<D, Ps...>::value_type, T>)
HPK_FUNCTION void local_deep_copy(const View<D, Ps...>& dst, T value) {
  if constexpr (detail::check_writable<View<D, Ps...>>()) {
    const auto element = detail::make_element<typename View<D, Ps...>::value_type>(value);
    detail::fill_all_elements(dst, element);
  }
}

/// Copies all elements of src to dst by all threads of a team, which must all call it, with a
/// barrier before and after.
HPK_CALLS_EITHER
template <TeamHandle Member, class D, class... Ps, class S, class... Qs>
HPK_FUNCTION void local_deep_copy(const Member& member, const View<D, Ps...>& dst,
                                  const View<S, Qs...>& src) {
  constexpr bool ranks = View<D, Ps...>::rank() == View<S, Qs...>::rank();
  static_assert(ranks, "hpk::local_deep_copy: the Views have different ranks");
  if constexpr (ranks && detail::check_writable<View<D, Ps...>>()) {
    if constexpr (static_cast<bool>(HPK_CHECKS)) detail::check_extents(dst, src);
    member.team_barrier();
    if (member.template size_of<detail::nested_level::lanes>() == 1) {
      detail::copy_locally(dst, src);
    } else {
      detail::visit_all_by(member, dst, [&](auto... is) {
        dst(is...) = detail::as_element<typename View<D, Ps...>::value_type>(src(is...));
      });
    }
    member.team_barrier();
  }
}
/// Sets all elements to a value on all threads of a team, with a barrier before and after.
HPK_CALLS_EITHER
template <TeamHandle Member, class D, class... Ps, class T>
  requires(!is_view_v<T> && detail::makes_element<typename View<D, Ps...>::value_type, T>)
HPK_FUNCTION void local_deep_copy(const Member& member, const View<D, Ps...>& dst, T value) {
  if constexpr (detail::check_writable<View<D, Ps...>>()) {
    const auto element = detail::make_element<typename View<D, Ps...>::value_type>(value);
    member.team_barrier();
    if (member.template size_of<detail::nested_level::lanes>() == 1) {
      detail::fill_all_elements(dst, element);
    } else {
      detail::visit_all_by(member, dst, [&](auto... is) { dst(is...) = element; });
    }
    member.team_barrier();
  }
}

}  // namespace hpk
