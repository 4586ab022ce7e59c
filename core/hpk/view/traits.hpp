// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the template arguments of a View once: data type, then layout, space and memory traits,
// each optional, in this order.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/seam/space.hpp>
#include <hpk/view/data_type.hpp>
#include <hpk/view/mapping.hpp>
#include <hpk/view/memory_traits.hpp>

namespace hpk::detail {

template <class T>
struct is_layout_argument : std::bool_constant<is_array_layout_v<T>> {};
template <class T>
struct is_space_argument : std::bool_constant<is_space_v<T>> {};
template <class T>
struct is_traits_argument : std::bool_constant<is_memory_traits_v<T>> {};

/// 0 layout, 1 space, 2 memory traits, 3 none of them, -1 void.
template <class T>
constexpr int property_kind() {
  return std::is_void_v<T>              ? -1
         : is_layout_argument<T>::value ? 0
         : is_space_argument<T>::value  ? 1
         : is_traits_argument<T>::value ? 2
                                        : 3;
}

/// Whether the kinds ascend strictly, `void` left out.
template <class... Ps>
constexpr bool in_order() {
  int last = -1;
  bool ascending = true;
  [[maybe_unused]] const auto take = [&](int kind) {
    if (kind < 0) return;
    ascending = ascending && kind > last;
    last = kind;
  };
  (take(property_kind<Ps>()), ...);
  return ascending;
}

/// What a space argument stands for: an execution space and a memory space.
template <class S>
struct space_pair {
  using execution_space = typename S::execution_space;
  using memory_space = typename S::memory_space;
};

/// The memory of a mirror for host code: that of the View, if it is known that host code reaches
/// it.
template <class Mem>
using host_mirror_memory =
    std::conditional_t<seam::host_may_access<Mem> && !seam::is_anonymous<Mem>, Mem, HostSpace>;

/// The parsed arguments of View<DataType, Properties...>.
template <class DataType, class... Properties>
struct view_traits {
  static_assert(are_complete<Properties...>);
  static constexpr bool known = ((property_kind<Properties>() != 3) && ...);
  static_assert(
      known,
      "hpk::View: a template argument is no layout, space or memory traits; write View<T*, "
      "Layout, Space, MemoryTraits<...>>, each optional");
  static_assert(!known || in_order<Properties...>(),
                "hpk::View: template arguments come as layout, space, memory traits, each at most "
                "once; write View<T*, Layout, Space, MemoryTraits<...>>");
  static_assert(!std::is_reference_v<DataType> && !std::is_void_v<DataType>,
                "hpk::View: the data type must be an element type with * and [N]; write View<T*>");

  using data = data_type_traits<DataType>;
  using element = typename data::element;
  using extents = typename data::extents;
  static_assert(extents::rank <= max_rank, "hpk::View: the rank is 8 at most");

  using spaces = space_pair<find_first<is_space_argument, DefaultExecutionSpace, Properties...>>;
  using execution_space = typename spaces::execution_space;
  using memory_space = typename spaces::memory_space;
  using array_layout =
      find_first<is_layout_argument, typename execution_space::array_layout, Properties...>;
  using memory_traits = find_first<is_traits_argument, MemoryTraits<>, Properties...>;
  using mapping = detail::mapping<array_layout, extents>;
};

}  // namespace hpk::detail
