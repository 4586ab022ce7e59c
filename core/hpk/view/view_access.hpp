// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access to Views that the library needs beyond their public interface.
#pragma once

#include <hpk/view/traits.hpp>

namespace hpk::detail {

/// Makes subviews of Views of a type (subview.hpp).
template <class V>
struct part_maker;
template <class V>
struct mapping_type_of;
template <class D, class... Ps>
struct mapping_type_of<View<D, Ps...>> {
  using type = typename view_traits<D, Ps...>::mapping;
};

/// Access to the mapping of a View and its type.
struct view_access {
  template <class V>
  using map = typename mapping_type_of<V>::type;
  template <class V>
  HPK_FUNCTION static const map<V>& mapping(const V& view) noexcept {
    return view.own_.map();
  }
  /// A View of type V of the memory of `source` with another shape; shares its allocation.
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
};

}  // namespace hpk::detail
