// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the template arguments of a View once: data type, then layout, space and memory traits,
// each optional, in this order; or element type and extents in place of the data type. ViewTraits
// is the public result.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/spaces/space.hpp>
#include <hpk/view/atomic_ref.hpp>
#include <hpk/view/data_type.hpp>
#include <hpk/view/mapping.hpp>
#include <hpk/view/memory_traits.hpp>
#include <hpk/view/streaming_element.hpp>

namespace hpk::Experimental {
template <class T, class Space, class Traits>
struct Accessor;
template <std::size_t Padding = dynamic_extent>
struct layout_left_padded;
template <std::size_t Padding = dynamic_extent>
struct layout_right_padded;
}  // namespace hpk::Experimental

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

/// Whether the kinds strictly ascend; `void` is ignored.
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

/// The execution space and the memory space of a space argument.
template <class S>
struct space_pair {
  using execution_space = typename S::execution_space;
  using memory_space = typename S::memory_space;
};

/// The memory space of a host mirror: the space of the View if it is known to be host-accessible,
/// else HostSpace.
template <class Mem>
using host_mirror_memory =
    std::conditional_t<seam::host_may_access<Mem> && !seam::is_anonymous<Mem>, Mem, HostSpace>;

/// The parsed arguments of View<DataType, Properties...>.
template <class DataType, class... Properties>
struct view_traits {
  static_assert(are_complete<Properties...>);
  static constexpr bool known = ((property_kind<Properties>() != 3) && ...);
  static_assert(known,
                "hpk::View: a template argument is not a layout, space or memory traits; write "
                "View<T*, Layout, Space, MemoryTraits<...>>, each optional");
  static_assert(!known || in_order<Properties...>(),
                "hpk::View: template arguments come as layout, space, memory traits, each at most "
                "once; write View<T*, Layout, Space, MemoryTraits<...>>");
  static_assert(!std::is_reference_v<DataType> && !std::is_void_v<DataType>,
                "hpk::View: the data type must be an element type with * and [N]; write View<T*>");

  using data_type = DataType;
  /// The accessor of an mdspan. `Usual` is the accessor for the memory traits.
  template <class Usual>
  using accessor = Usual;
  using data = data_type_traits<DataType>;
  using element = typename data::element;
  using extents = typename data::extents;
  static_assert(data::parts::stars_last || HPK_PERMISSIVE,
                "hpk::View: run-time extents come before fixed ones, and elements are no arrays; "
                "write all * before the [N]: View<T*[N]>");
  static_assert(extents::rank <= max_rank, "hpk::View: the rank is 8 at most");

  using spaces = space_pair<find_first<is_space_argument, DefaultExecutionSpace, Properties...>>;
  using execution_space = typename spaces::execution_space;
  using memory_space = typename spaces::memory_space;
  using array_layout =
      find_first<is_layout_argument, typename execution_space::array_layout, Properties...>;
  using memory_traits = find_first<is_traits_argument, MemoryTraits<>, Properties...>;
  using mapping = detail::mapping<array_layout, extents>;
  /// The number of which the pitch is a multiple, if only extents are given.
  static constexpr index_t padding = 1;
};

/// The data type of an array of T with the given extents: T**, or array_with_extents if stars and
/// brackets can't express the extents.
template <class T, class Extents>
using data_type_with =
    typename data_type_of<T,
                          typename data_type_traits<array_with_extents<T, Extents>>::extents>::type;

/// The View layout for a padded mdspan layout, LayoutLeft or LayoutRight, which support padding,
/// and the number of which the pitch is a multiple.
template <class Layout>
struct padding_of {
  using layout = Layout;
  static constexpr index_t value = 1;
};
template <std::size_t Padding>
struct padding_of<Experimental::layout_left_padded<Padding>> {
  using layout = LayoutLeft;
  static constexpr index_t value = Padding == dynamic_extent ? 1 : static_cast<index_t>(Padding);
};
template <std::size_t Padding>
struct padding_of<Experimental::layout_right_padded<Padding>> {
  using layout = LayoutRight;
  static constexpr index_t value = Padding == dynamic_extent ? 1 : static_cast<index_t>(Padding);
};
template <class Layout>
using unpadded_layout = typename padding_of<Layout>::layout;

// Element type and extents in place of a data type.
template <class T, class I, std::size_t... Es, class... Properties>
struct view_traits<T, hpk::extents<I, Es...>, Properties...>
    : view_traits<data_type_with<T, hpk::extents<I, Es...>>, unpadded_layout<Properties>...> {
  static constexpr index_t padding = (padding_of<Properties>::value * ... * 1);
  static_assert(!std::is_pointer_v<T> && !std::is_array_v<T>,
                "hpk::View: before extents comes the element type, without * and [N]; write "
                "View<T, hpk::dextents<int, 2>>");
};
// An accessor in place of space and memory traits.
template <class T, class I, std::size_t... Es, class Layout, class E, class Space, class Traits>
struct view_traits<T, hpk::extents<I, Es...>, Layout, Experimental::Accessor<E, Space, Traits>>
    : view_traits<T, hpk::extents<I, Es...>, Layout, Space, Traits> {
  template <class>
  using accessor = Experimental::Accessor<E, Space, Traits>;
  static_assert(
      std::is_same_v<T, E>,
      "hpk::View: the accessor has another element type; write the same element type twice");
};

}  // namespace hpk::detail

namespace hpk {

template <class DataType, class... Properties>
class View;
template <class T, class Extents, class Layout, class Accessor>
class mdspan;
template <class T>
struct default_accessor;
template <class T>
struct atomic_accessor;
template <class T>
struct streaming_accessor;

/// The properties of View<DataType, Properties...> that its template arguments determine. The View
/// has the same members, except the constants. Also works for types that no View can have.
template <class DataType, class... Properties>
struct ViewTraits {
 private:
  using types = detail::view_traits<DataType, Properties...>;
  using list = typename types::extents;
  template <class Element, class Extents>
  using data_type_of = typename detail::data_type_of<Element, Extents>::type;

 public:
  /// The number of dimensions.
  static constexpr std::size_t rank = static_cast<std::size_t>(list::rank);
  /// The number of run-time extents.
  static constexpr std::size_t rank_dynamic = static_cast<std::size_t>(list::rank_dynamic);

  /// @{
  /// The element type as given, with const, and without const. value_type and element_type are the
  /// same.
  using value_type = typename types::element;
  using const_value_type = const value_type;
  using non_const_value_type = std::remove_const_t<value_type>;
  using element_type = value_type;
  /// @}

  /// @{
  /// The data type as given, with const elements, and with non-const elements.
  using data_type = typename types::data_type;
  using const_data_type = data_type_of<const_value_type, list>;
  using non_const_data_type = data_type_of<non_const_value_type, list>;
  /// @}
  /// @{
  /// The data types with only run-time extents.
  using runtime_data_type = data_type_of<value_type, detail::run_time_extents<list>>;
  using runtime_const_data_type = data_type_of<const_value_type, detail::run_time_extents<list>>;
  /// @}
  /// @{
  /// The same as data_type, const_data_type and non_const_data_type, because elements are never
  /// arrays. For older programs.
  using scalar_array_type = data_type;
  using const_scalar_array_type = const_data_type;
  using non_const_scalar_array_type = non_const_data_type;
  /// @}

  /// LayoutLeft, LayoutRight, LayoutStride or a user-defined layout.
  using array_layout = typename types::array_layout;
  /// The layout as an mdspan layout policy; hpk's layouts are such policies.
  using layout_type = array_layout;
  /// The same layout for all equivalent layouts at this rank: LayoutLeft for rank 0, and for
  /// LayoutRight of rank 1.
  using uniform_layout =
      std::conditional_t<rank == 0 || (rank == 1 && std::is_same_v<array_layout, LayoutRight>),
                         LayoutLeft, array_layout>;

  /// @{
  /// The spaces and traits of the template arguments, or the defaults.
  using execution_space = typename types::execution_space;
  using memory_space = typename types::memory_space;
  using device_type = Device<execution_space, memory_space>;
  using memory_traits = typename types::memory_traits;
  /// @}
  /// @{
  /// The space of a host mirror: the View's memory space if it is host-accessible, else HostSpace.
  using host_mirror_device =
      Device<DefaultHostExecutionSpace, detail::host_mirror_memory<memory_space>>;
  using host_mirror_space =
      std::conditional_t<std::is_same_v<typename host_mirror_device::memory_space, HostSpace>,
                         HostSpace, host_mirror_device>;
  /// @}

  /// @{
  /// Sizes and ranks: 64 bits on every space (rule "64-bit sizes"). Indices: signed and 64 bits, or
  /// the index type of the extents if it has fewer bits.
  using size_type = std::size_t;
  using index_type = typename list::index_type;
  using rank_type = std::size_t;
  /// @}
  /// @{
  /// A plain pointer to elements, which does not keep the memory alive.
  using pointer_type = value_type*;
  using data_handle_type = pointer_type;
  /// @}
  /// @{
  /// A reference to an element; a proxy with the trait Atomic or Streaming.
  using reference_type = std::conditional_t<
      memory_traits::is_atomic, AtomicRef<value_type>,
      std::conditional_t<memory_traits::is_streaming, streaming_element<value_type>, value_type&>>;
  using reference = reference_type;
  /// @}

  /// The extents as in std::mdspan.
  using extents_type = typename detail::standard_extents<list>::type;
  /// The mapping from indices to offsets as in std::mdspan; defined in <hpk/mdspan.hpp>.
  using mapping_type = typename detail::own_mapping<array_layout, extents_type>::type;
  /// The mdspan accessor policy; defined in <hpk/mdspan.hpp>.
  using accessor_type = typename types::template accessor<std::conditional_t<
      memory_traits::is_atomic, atomic_accessor<value_type>,
      std::conditional_t<memory_traits::is_streaming, streaming_accessor<value_type>,
                         default_accessor<value_type>>>>;
  /// The hpk::mdspan with the elements, extents, layout and accessor of the View.
  using mdspan_type = mdspan<value_type, extents_type, layout_type, accessor_type>;

  /// Whether the memory space is HostSpace.
  static constexpr bool is_hostspace = std::is_same_v<memory_space, HostSpace>;
  /// Whether the View may own memory.
  static constexpr bool is_managed = !memory_traits::is_unmanaged;
  /// Whether the View has the trait RandomAccess.
  static constexpr bool is_random_access = memory_traits::is_random_access;
};

namespace detail {
/// The View type with uniform traits and the given data type and memory.
template <class Traits, class Data, class Mem>
using uniform_view = View<Data, typename Traits::uniform_layout,
                          Device<typename Traits::execution_space, Mem>, MemoryTraits<>>;
}  // namespace detail

}  // namespace hpk
