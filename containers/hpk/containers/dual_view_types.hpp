// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of a DualView: the View types of its two sides, and which side a space names.
#pragma once

#include <hpk/core.hpp>

#include <type_traits>

namespace hpk {

template <class DataType, class... Properties>
class DualView;

namespace detail {

template <class... Ts>
struct non_void_properties {};
/// View<DataType, Properties...> without properties that are void, which older programs write.
template <class DataType, class NonVoid, class... Properties>
struct device_view;
template <class DataType, class... NonVoid>
struct device_view<DataType, non_void_properties<NonVoid...>> {
  using type = View<DataType, NonVoid...>;
};
template <class DataType, class... NonVoid, class P, class... Ps>
struct device_view<DataType, non_void_properties<NonVoid...>, P, Ps...>
    : device_view<DataType,
                  std::conditional_t<std::is_void_v<P>, non_void_properties<NonVoid...>,
                                     non_void_properties<NonVoid..., P>>,
                  Ps...> {};
template <class DataType, class... Properties>
using device_view_t = typename device_view<DataType, non_void_properties<>, Properties...>::type;

/// V with data type D and memory traits Traits.
template <class V, class D, class Traits>
using view_with = View<D, typename V::array_layout, typename V::device_type, Traits>;
template <class V, unsigned More>
using more_traits = MemoryTraits<V::memory_traits::flags | More>;

/// The space that a template argument names: the argument itself, or the device type of a View
/// type.
template <class Space>
struct named_space {
  using type = Space;
};
template <class D, class... Ps>
struct named_space<View<D, Ps...>> {
  using type = typename View<D, Ps...>::device_type;
};
/// Whether a space names the side of V. Memory spaces and execution spaces are compared with those
/// of V; a Device is compared as a type if `exactly`, else by its memory space.
template <class Named, class V>
HPK_FUNCTION constexpr bool names_side(bool exactly) {
  using Space = typename named_space<Named>::type;
  if constexpr (is_memory_space_v<Space>) {
    return std::is_same_v<Space, typename V::memory_space>;
  } else if constexpr (is_execution_space_v<Space>) {
    return std::is_same_v<Space, typename V::execution_space>;
  } else {
    return exactly ? std::is_same_v<Space, typename V::device_type>
                   : std::is_same_v<typename Space::memory_space, typename V::memory_space>;
  }
}

}  // namespace detail

namespace classes {
/// Base of a DualView: its types.
template <class DataType, class... Properties>
struct dual_view_types : device_view_t<DataType, Properties...>::traits {
  /// The traits of the device side.
  using traits = typename device_view_t<DataType, Properties...>::traits;
  using host_mirror_space = typename traits::host_mirror_space;  ///< of the host side
  /// The Views of the two sides.
  ///@{
  using t_dev = device_view_t<DataType, Properties...>;
  using t_host = typename t_dev::host_mirror_type;
  ///@}
  /// The Views of the two sides with const elements, with RandomAccess, and unmanaged.
  ///@{
  using t_dev_const =
      view_with<t_dev, typename t_dev::const_data_type, typename t_dev::memory_traits>;
  using t_host_const =
      view_with<t_host, typename t_host::const_data_type, typename t_host::memory_traits>;
  using t_dev_const_randomread =
      view_with<t_dev, typename t_dev::const_data_type, more_traits<t_dev, RandomAccess>>;
  using t_host_const_randomread =
      view_with<t_host, typename t_host::const_data_type, more_traits<t_host, RandomAccess>>;
  using t_dev_um = view_with<t_dev, typename t_dev::data_type, more_traits<t_dev, Unmanaged>>;
  using t_host_um = view_with<t_host, typename t_host::data_type, more_traits<t_host, Unmanaged>>;
  using t_dev_const_um =
      view_with<t_dev, typename t_dev::const_data_type, more_traits<t_dev, Unmanaged>>;
  using t_host_const_um =
      view_with<t_host, typename t_host::const_data_type, more_traits<t_host, Unmanaged>>;
  using t_dev_const_randomread_um = view_with<t_dev, typename t_dev::const_data_type,
                                              more_traits<t_dev, Unmanaged | RandomAccess>>;
  using t_host_const_randomread_um = view_with<t_host, typename t_host::const_data_type,
                                               more_traits<t_host, Unmanaged | RandomAccess>>;
  ///@}

  /// Whether the types of both sides have the same device.
  static constexpr bool impl_dualview_is_single_device =
      std::is_same_v<typename t_dev::device_type, typename t_host::device_type>;

  /// Whether both sides have the same memory space.
  static constexpr bool impl_dualview_stores_single_view =
      std::is_same_v<typename t_dev::memory_space, typename t_host::memory_space>;

  /// 1 if the space names the device side, 0 if the host side, -1 if neither. A space is an
  /// execution space, a memory space or a Device; a View type names its device type.
  template <class Space>
  HPK_FUNCTION static constexpr int get_device_side() {
    if constexpr (!is_memory_space_v<Space> && !is_execution_space_v<Space> &&
                  !is_device_v<Space> && !is_view_v<Space>) {
      return -1;
    } else {
      return names_side<Space, t_dev>(true)     ? 1
             : names_side<Space, t_host>(true)  ? 0
             : names_side<Space, t_dev>(false)  ? 1
             : names_side<Space, t_host>(false) ? 0
                                                : -1;
    }
  }

  /// Whether a space that names the device side also names the host side: both sides have the same
  /// type, or the space is the memory space of both.
  template <class Space>
  static constexpr bool names_both_sides() {
    if constexpr (get_device_side<Space>() != 1) {
      return false;
    } else {
      constexpr bool exactly = names_side<Space, t_dev>(true);
      return names_side<Space, t_dev>(exactly) && names_side<Space, t_host>(exactly);
    }
  }
};
}  // namespace classes

namespace detail {
template <class T>
inline constexpr bool is_dual_view_itself = false;
template <class D, class... Ps>
inline constexpr bool is_dual_view_itself<DualView<D, Ps...>> = true;
}  // namespace detail

/// True for a DualView, const or not.
template <class T>
inline constexpr bool is_dual_view_v = detail::is_dual_view_itself<std::remove_cv_t<T>>;
/// is_dual_view_v as a type.
template <class T>
struct is_dual_view : std::bool_constant<is_dual_view_v<T>> {};

}  // namespace hpk
