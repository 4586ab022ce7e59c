// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of View for compatibility: members that programs for other versions of Kokkos use, and
// conversions of a View and its parts to mdspan.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/view/traits.hpp>

#include <cstddef>

namespace hpk::detail {
/// Converts Views of type V to mdspans and their parts; defined in <hpk/mdspan.hpp>.
template <class V>
struct include_hpk_mdspan_hpp;
}  // namespace hpk::detail

namespace hpk::classes {
/// Base class of a View.
template <class Whole>
struct compat_members;
template <class DataType, class... Properties>
struct compat_members<View<DataType, Properties...>> {
  /// The View itself, because elements are never arrays.
  using array_type = View<DataType, Properties...>;
  /// Equals View::rank.
  static constexpr std::size_t Rank = view_traits<DataType, Properties...>::extents::rank;
  /// stride(N) of the number N in the name; 0 for N >= rank.
  ///@{
  HPK_FUNCTION constexpr std::size_t stride_0() const noexcept { return stride_of<0>(); }
  HPK_FUNCTION constexpr std::size_t stride_1() const noexcept { return stride_of<1>(); }
  HPK_FUNCTION constexpr std::size_t stride_2() const noexcept { return stride_of<2>(); }
  HPK_FUNCTION constexpr std::size_t stride_3() const noexcept { return stride_of<3>(); }
  HPK_FUNCTION constexpr std::size_t stride_4() const noexcept { return stride_of<4>(); }
  HPK_FUNCTION constexpr std::size_t stride_5() const noexcept { return stride_of<5>(); }
  HPK_FUNCTION constexpr std::size_t stride_6() const noexcept { return stride_of<6>(); }
  HPK_FUNCTION constexpr std::size_t stride_7() const noexcept { return stride_of<7>(); }
  ///@}

  // The rest is defined in <hpk/mdspan.hpp>, which the caller includes.
  /// The layout and the access of the elements as the policies of an mdspan, as get_mapping() and
  /// get_accessor() return them. Include <hpk/mdspan.hpp>.
  ///@{
  HPK_CALLS_EITHER
  template <class V = array_type>
  HPK_FUNCTION constexpr typename V::mapping_type mapping() const {
    return include_hpk_mdspan_hpp<V>::mapping(self());
  }
  template <class V = array_type>
  HPK_FUNCTION constexpr typename V::accessor_type accessor() const noexcept {
    return include_hpk_mdspan_hpp<V>::accessor(self());
  }
  ///@}
  /// Returns an hpk::mdspan of the elements, with the extents and layout of the View. Access is
  /// plain, or through `accessor`, which then determines the element type. The mdspan owns nothing.
  /// Include <hpk/mdspan.hpp>.
  ///@{
  HPK_CALLS_EITHER
  template <class V = array_type>
  HPK_FUNCTION constexpr auto to_mdspan() const {
    return include_hpk_mdspan_hpp<V>::plain(self());
  }
  HPK_CALLS_EITHER
  template <class Accessor, class V = array_type>
  HPK_FUNCTION constexpr auto to_mdspan(const Accessor& accessor) const {
    return include_hpk_mdspan_hpp<V>::with(self(), accessor);
  }
  ///@}
  /// Converts to an hpk::mdspan of the same rank to which mdspan_type converts, such as one with
  /// const elements or with run-time instead of fixed extents. Also converts to an mdspan of
  /// another strided layout or with fixed extents; throws hpk::error if it can't have the View's
  /// strides or extents.
  HPK_CALLS_EITHER
  template <class T, class Extents, class Layout, class Accessor, class V = array_type>
    requires(include_hpk_mdspan_hpp<V>::template converts<mdspan<T, Extents, Layout, Accessor>>)
  HPK_FUNCTION constexpr operator mdspan<T, Extents, Layout, Accessor>() const {
    return include_hpk_mdspan_hpp<V>::template as<mdspan<T, Extents, Layout, Accessor>>(self());
  }

 private:
  HPK_FUNCTION constexpr const array_type& self() const noexcept {
    return *static_cast<const array_type*>(this);
  }
  template <std::size_t N>
  HPK_FUNCTION constexpr std::size_t stride_of() const noexcept {
    if constexpr (N < Rank) {
      return static_cast<const array_type*>(this)->stride(N);
    } else {
      return 0;
    }
  }
};
}  // namespace hpk::classes
