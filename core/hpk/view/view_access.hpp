// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access of the library to Views beyond their public interface.
#pragma once

#include <hpk/view/assign.hpp>
#include <hpk/view/traits.hpp>

namespace hpk::detail {

/// Constructs subviews of Views of a type (subview.hpp).
template <class V>
struct part_maker;
template <class V>
struct mapping_type_of;
template <class D, class... Ps>
struct mapping_type_of<View<D, Ps...>> {
  using traits = view_traits<D, Ps...>;
  using type = typename traits::mapping;
};

/// The name of a layout for reports.
template <class Layout>
inline constexpr const char* layout_name = "";
template <>
inline constexpr const char* layout_name<LayoutLeft> = "LayoutLeft";
template <>
inline constexpr const char* layout_name<LayoutRight> = "LayoutRight";
template <>
inline constexpr const char* layout_name<LayoutStride> = "LayoutStride";

/// Access to the mapping of a View and its type.
struct view_access {
  template <class V>
  using map = typename mapping_type_of<V>::type;
  template <class V>
  HPK_FUNCTION static const map<V>& mapping(const V& view) noexcept {
    return view.own_.map();
  }
  /// Returns a View of type V of the memory of `source` with another shape. Shares the allocation.
  template <class V, class Source>
  HPK_FUNCTION static V share(const Source& source, const map<V>& shape) {
    using memory = typename V::memory_space;
    typename V::owner owner;
    if constexpr (std::is_same_v<typename V::owner, typename Source::owner>)
      owner = source.own_.rest();
    const typename V::pointer_type data =
        seam::converted<memory, typename Source::memory_space>(source.own_.data);
    const V result(data, shape, owner);
    if constexpr (!Source::memory_traits::is_aligned) result.check_alignment();
    return result;
  }

  /// Notifies a watcher of an access to an element.
  template <class V, class... Is>
  static void notify(const V& view, seam::access_watcher watch, const void* address,
                     const call_place& place, Is... is) {
    const index_t index[] = {static_cast<index_t>(is)..., 0};
    const view_description d = view.description();
    watch({.address = address,
           .bytes = sizeof(typename V::value_type),
           .record = d.record,
           .rank = d.rank,
           .index = index,
           .extents = d.extents,
           .file = place.file,
           .line = place.line,
           .layout = layout_name<typename V::array_layout>,
           .read_only = std::is_const_v<typename V::value_type>});
  }
  /// Checks the indices of an access in checked builds.
  HPK_CALLS_EITHER
  template <class V, class... Is>
  HPK_FORCEINLINE_FUNCTION static void check([[maybe_unused]] const V& view,
                                             [[maybe_unused]] const call_place& place,
                                             [[maybe_unused]] Is... is) {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      using memory_space = typename V::memory_space;
      // Emu and GPUs detect freed memory themselves, but not stale elements.
      constexpr bool looks = !V::is_direct || seam::host_may_access<memory_space>;
      const auto* const data = view.own_.data;
      const auto& map = view.own_.map();
      if (!is_inside<looks>(data, map, is...)) [[unlikely]] {
        HPK_IF_ON_HOST((reject_access(view.description(), {static_cast<index_t>(is)...}, place);))
        HPK_IF_ON_DEVICE((const index_t index[] = {static_cast<index_t>(is)..., 0};
                          stop_access(view.description(), index, place);))
      }
      if constexpr (seam::memory<memory_space>::access == seam::accessibility::host)
        HPK_IF_ON_HOST(
            (if (seam::host_memory_watch != nullptr) [[unlikely]] notify(
                 view, seam::host_memory_watch, data + map.offset(is...), place, is...);))
    }
  }
  /// Returns the element for a call of View::access().
  HPK_CALLS_EITHER
  template <class V, class... Is>
  HPK_FORCEINLINE_FUNCTION static typename V::reference_type access(const V& view,
                                                                    const call_place& place,
                                                                    Is... is) {
    static_assert(sizeof...(Is) >= V::map::rank && sizeof...(Is) <= max_rank,
                  "hpk::View: access() takes one index for each dimension, followed by zeros, at "
                  "most 8 in all");
    static_assert((is_index_like_v<Is> && ...), "hpk::View: access() takes integer indices");
    const index_t index[] = {static_cast<index_t>(is)..., 0};
    if constexpr (static_cast<bool>(HPK_CHECKS))
      check_surplus(view, index, static_cast<int>(sizeof...(Is)));
    return access_first(view, place, index,
                        std::make_index_sequence<static_cast<std::size_t>(V::map::rank)>());
  }

 private:
  HPK_CALLS_EITHER
  template <class V, std::size_t... Rs>
  HPK_FORCEINLINE_FUNCTION static typename V::reference_type access_first(
      const V& view, const call_place& place, [[maybe_unused]] const index_t* index,
      std::index_sequence<Rs...>) {
    return view.at(place, index[Rs]...);
  }
};

}  // namespace hpk::detail
