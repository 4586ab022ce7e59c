// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy and mirrors of DynamicViews. Chunks are copied one by one with deep_copy of Views, also
// between memory spaces that no execution space can access together; one kernel copies all small
// chunks.
#pragma once

#include <hpk/containers/dynamic_handle.hpp>

namespace hpk {

namespace detail {

/// Throws hpk::error: the arrays of a copy have different sizes.
[[noreturn]] void reject_dynamic_copy(std::string_view to_label, std::size_t to,
                                      std::string_view from_label, std::size_t from,
                                      const std::source_location& where);

/// A kernel that copies element by element.
template <class Dst, class Src>
struct copy_dynamic_elements {
  Dst dst;
  Src src;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    dst(i) = static_cast<typename Dst::non_const_value_type>(src(i));
  }
};

/// The contiguous elements from `first` on, at most `count`.
template <class D, class... Ps>
auto piece_of(const DynamicView<D, Ps...>& view, index_t first, index_t count) {
  return dynamic_access::state(view).piece(first, count);
}
template <class D, class... Ps>
auto piece_of(const View<D, Ps...>& view, index_t first, index_t count) {
  return subview(view, hpk::pair<index_t, index_t>(first, first + count));
}

/// The bytes of the smallest pieces that copy_dynamic would copy; the largest number for a View.
template <class D, class... Ps>
std::size_t bytes_of_piece(const DynamicView<D, Ps...>& view) {
  return view.chunk_size() * sizeof(typename DynamicView<D, Ps...>::value_type);
}
template <class D, class... Ps>
std::size_t bytes_of_piece(const View<D, Ps...>&) {
  return ~std::size_t{0};
}

template <class Exec, class Dst, class Src>
void copy_dynamic(const Exec& exec, const Dst& dst, const Src& src,
                  const std::source_location& where) {
  constexpr bool both_rank_1 = Dst::rank == 1 && Src::rank == 1;
  static_assert(both_rank_1, "hpk::deep_copy: a DynamicView is copied from and to Views of rank 1");
  constexpr bool writable = !std::is_const_v<typename Dst::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a DynamicView or View "
                "of non-const elements, and the destination first");
  if constexpr (both_rank_1 && writable) {
    const std::size_t size = dst.extent(0);
    if (size != src.extent(0) && !HPK_PERMISSIVE)
      reject_dynamic_copy(dst.label(), size, src.label(), src.extent(0), where);
    const auto n = static_cast<index_t>(size < src.extent(0) ? size : src.extent(0));
    constexpr bool both_accessible =
        SpaceAccessibility<Exec, typename Dst::memory_space>::accessible &&
        SpaceAccessibility<Exec, typename Src::memory_space>::accessible;
    constexpr std::size_t small = 4096;
    if constexpr (both_accessible) {
      if (bytes_of_piece(dst) < small || bytes_of_piece(src) < small) {
        parallel_for("hpk::deep_copy", RangePolicy<Exec, IndexType<index_t>>(exec, index_t{0}, n),
                     copy_dynamic_elements<Dst, Src>{dst, src}, where);
        return;
      }
    }
    for (index_t first = 0; first < n;) {
      const auto from = piece_of(src, first, n - first);
      const auto to = piece_of(dst, first, static_cast<index_t>(from.extent(0)));
      const auto count = static_cast<index_t>(to.extent(0));
      deep_copy(exec, to, subview(from, hpk::pair<index_t, index_t>(0, count)), where);
      first += count;
    }
  }
}

/// Copies between two fences.
template <class Dst, class Src>
void copy_dynamic_fenced(const Dst& dst, const Src& src, const std::source_location& where) {
  fence("hpk::deep_copy: before");
  copy_dynamic(typename Dst::execution_space(), dst, src, where);
  fence("hpk::deep_copy: after");
}

}  // namespace detail

/// Copies all elements of src to dst: equal sizes, convertible elements, chunks of any sizes, Views
/// of rank 1 of any layout. Fences everything before and after. Throws hpk::error if the sizes
/// differ; in programs of the drop-in for Kokkos, copies min(dst size, src size) elements instead.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const DynamicView<D, Ps...>& dst, const DynamicView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_dynamic_fenced(dst, src, where);
}
/// The same from a View. (dst is passed by value, so that this overload is preferred to the copy of
/// an element to a variable.)
template <class D, class... Ps, class S, class... Qs>
void deep_copy(DynamicView<D, Ps...> dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_dynamic_fenced(dst, src, where);
}
/// The same to a View.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const View<D, Ps...>& dst, const DynamicView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_dynamic_fenced(dst, src, where);
}
/// The same, queued on an instance. Waits when deep_copy of Views does.
///@{
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const DynamicView<D, Ps...>& dst, const DynamicView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_dynamic(exec, dst, src, where);
}
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, DynamicView<D, Ps...> dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_dynamic(exec, dst, src, where);
}
template <ExecutionSpace Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const DynamicView<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_dynamic(exec, dst, src, where);
}
///@}
/// Sets all elements to a value that converts to the element type. Waits before and after.
template <class D, class... Ps, class T>
  requires(std::is_convertible_v<const T&, typename DynamicView<D, Ps...>::value_type>)
void deep_copy(const DynamicView<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: before");
  deep_copy(typename DynamicView<D, Ps...>::execution_space(), dst, value, where);
  fence("hpk::deep_copy: after");
}
/// The same, queued on an instance.
template <ExecutionSpace Exec, class D, class... Ps, class T>
  requires(std::is_convertible_v<const T&, typename DynamicView<D, Ps...>::value_type>)
void deep_copy(const Exec& exec, const DynamicView<D, Ps...>& dst, const T& value,
               const std::source_location& where = std::source_location::current()) {
  constexpr bool writable = !std::is_const_v<typename DynamicView<D, Ps...>::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a DynamicView of "
                "non-const elements");
  if constexpr (writable) {
    if (dst.size() == 0) return;
    detail::for_each_piece(detail::dynamic_access::state(dst), 0, static_cast<index_t>(dst.size()),
                           [&](const auto& piece) { deep_copy(exec, piece, value, where); });
  }
}

/// Gives DynamicViews all forms of create_mirror, create_mirror_view and
/// create_mirror_view_and_copy that Views have. Mirrors have the same size and chunk size.
template <class D, class... Ps>
auto mirrors_of(const DynamicView<D, Ps...>&) {
  return []<class Mirror>(const DynamicView<D, Ps...>& source, const Mirror& mirror) {
    return mirror(source, [&]<class Properties>(const Properties& properties) {
      using view = DynamicView<D, Ps...>;
      using result = std::conditional_t<
          Properties::has_memory_space,
          DynamicView<typename view::non_const_data_type, typename Properties::memory_space>,
          typename view::host_mirror_type>;
      const auto make = [&](const auto& how) {
        if (source.max_size() == 0) return result();
        const result made(how, exact_chunk(source.chunk_size()), source.max_size());
        made.resize_serial(source.size());
        return made;
      };
      const std::string label =
          std::string(std::string_view(properties.label)) + (Mirror::copies ? "" : "_mirror");
      if constexpr ((Properties::initialize && !Mirror::copies) ||
                    !std::is_trivially_copyable_v<typename result::value_type>) {
        return make(view_alloc(label));
      } else {
        return make(view_alloc(label, WithoutInitializing));
      }
    });
  };
}

}  // namespace hpk
