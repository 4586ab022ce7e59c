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

namespace detail {

/// An argument type that create_mirror takes before a DynamicView.
template <class T>
concept dynamic_mirror_argument =
    view_alloc_properties<T> || Space<T> ||
    std::is_same_v<T, std::remove_const_t<decltype(WithoutInitializing)>>;

/// The mirror type in a memory space; void: in the memory space of host mirrors.
template <class V, class Mem>
struct dynamic_mirror {
  using type = DynamicView<typename V::non_const_data_type, Mem>;
};
template <class V>
struct dynamic_mirror<V, void> {
  using type = typename V::host_mirror_type;
};
/// Whether a mirror in Mem may be the source itself.
template <class V, class Mem>
inline constexpr bool dynamic_mirrors_itself = std::is_same_v<Mem, typename V::memory_space>;
template <class V>
inline constexpr bool dynamic_mirrors_itself<V, void> =
    std::is_same_v<typename V::memory_space, typename V::host_mirror_type::memory_space> &&
    !std::is_const_v<typename V::value_type>;

template <class Mirror, class V>
Mirror make_dynamic_mirror(const V& source, bool initialize, std::string_view label) {
  if (source.max_size() == 0) return Mirror();
  const exact_chunk chunk(source.chunk_size());
  const auto made = [&] {
    if constexpr (std::is_trivially_copyable_v<typename Mirror::value_type>) {
      if (!initialize)
        return Mirror(view_alloc(label, WithoutInitializing), chunk, source.max_size());
    }
    return Mirror(view_alloc(label), chunk, source.max_size());
  };
  Mirror mirror = made();
  mirror.resize_serial(source.size());
  return mirror;
}

/// The memory space, and whether to initialise, that an argument before the source requests.
template <class First>
struct mirror_request {
  using memory_space = void;
  static constexpr bool initialize = false;  // WithoutInitializing
};
template <view_alloc_properties First>
struct mirror_request<First> {
  static_assert(!First::has_label && !First::padding,
                "hpk::create_mirror: a mirror is named after its source; leave label and "
                "AllowPadding out of view_alloc");
  using memory_space = typename First::memory_space;
  static constexpr bool initialize = First::initialize;
};
template <Space First>
struct mirror_request<First> {
  using memory_space = typename First::memory_space;
  static constexpr bool initialize = true;
};

}  // namespace detail

/// Returns a new DynamicView with the source's size and chunk size in host-accessible memory,
/// without copying the elements. The forms are as for Views.
template <class D, class... Ps>
auto create_mirror(const DynamicView<D, Ps...>& source) {
  return create_mirror(view_alloc(), source);
}
template <detail::dynamic_mirror_argument First, class D, class... Ps>
auto create_mirror(const First&, const DynamicView<D, Ps...>& source) {
  using request = detail::mirror_request<First>;
  using mirror =
      typename detail::dynamic_mirror<DynamicView<D, Ps...>, typename request::memory_space>::type;
  return detail::make_dynamic_mirror<mirror>(source, request::initialize,
                                             source.label() + "_mirror");
}
template <detail::dynamic_mirror_argument First, Space Where, class D, class... Ps>
auto create_mirror(const First& first, const Where&, const DynamicView<D, Ps...>& source) {
  return create_mirror(view_alloc(first, typename Where::memory_space()), source);
}

/// Returns the source itself if it is in the requested memory space (without a space: if its memory
/// is host-accessible and its elements are not const), else create_mirror of the same arguments.
template <detail::dynamic_mirror_argument First, class D, class... Ps>
auto create_mirror_view(const First& first, const DynamicView<D, Ps...>& source) {
  using view = DynamicView<D, Ps...>;
  using memory = typename detail::mirror_request<First>::memory_space;
  if constexpr (!detail::dynamic_mirrors_itself<view, memory>) {
    return create_mirror(first, source);
  } else if constexpr (std::is_void_v<memory>) {
    return typename view::host_mirror_type(source);
  } else {
    return source;
  }
}
template <class D, class... Ps>
auto create_mirror_view(const DynamicView<D, Ps...>& source) {
  return create_mirror_view(view_alloc(), source);
}
template <detail::dynamic_mirror_argument First, Space Where, class D, class... Ps>
auto create_mirror_view(const First& first, const Where&, const DynamicView<D, Ps...>& source) {
  return create_mirror_view(view_alloc(first, typename Where::memory_space()), source);
}

/// Like create_mirror_view, and copies the elements of the source. The properties name a memory
/// space. They may contain an instance, on which the copy is queued, and a label for a new
/// DynamicView (default: the source's label).
template <view_alloc_properties Allocation, class D, class... Ps>
auto create_mirror_view_and_copy(const Allocation& allocation,
                                 const DynamicView<D, Ps...>& source) {
  using view = DynamicView<D, Ps...>;
  static_assert(Allocation::has_memory_space,
                "hpk::create_mirror_view_and_copy: write view_alloc with a memory space");
  if constexpr (!Allocation::has_memory_space ||
                detail::dynamic_mirrors_itself<view, typename Allocation::memory_space>) {
    if constexpr (!Allocation::has_instance) fence("hpk::create_mirror_view_and_copy");
    return source;
  } else {
    using mirror = typename detail::dynamic_mirror<view, typename Allocation::memory_space>::type;
    const std::string source_label = source.label();
    const std::string_view new_label = allocation.label;
    const auto result = detail::make_dynamic_mirror<mirror>(
        source, false, new_label.empty() ? source_label : new_label);
    if constexpr (Allocation::has_instance) {
      deep_copy(allocation.instance, result, source);
    } else {
      deep_copy(result, source);
    }
    return result;
  }
}
/// The same in the memory of a space. `label` names a new DynamicView; if empty, it gets the
/// source's label.
template <Space Where, class D, class... Ps>
auto create_mirror_view_and_copy(const Where&, const DynamicView<D, Ps...>& source,
                                 std::string_view label = {}) {
  return create_mirror_view_and_copy(view_alloc(typename Where::memory_space(), label), source);
}
/// The same in host-accessible memory.
template <class D, class... Ps>
auto create_mirror_view_and_copy(const DynamicView<D, Ps...>& source) {
  return create_mirror_view_and_copy(typename DynamicView<D, Ps...>::host_mirror_space(), source);
}

}  // namespace hpk
