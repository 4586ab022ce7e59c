// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of View that programs written for older Kokkos versions use.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/view/traits.hpp>

#include <cstddef>

namespace hpk::classes {
/// Base class of a View.
template <class Whole>
struct compat_members;
template <class DataType, class... Properties>
struct compat_members<View<DataType, Properties...>> {
  /// The View itself, because elements are never arrays.
  using array_type = View<DataType, Properties...>;
  /// Equals View::rank; formerly an enumerator.
  static constexpr std::size_t Rank = view_traits<DataType, Properties...>::extents::rank;
  /// stride(N), 0 for N >= rank.
  HPK_FUNCTION constexpr std::size_t stride_0() const noexcept { return stride_of<0>(); }
  HPK_FUNCTION constexpr std::size_t stride_1() const noexcept { return stride_of<1>(); }
  HPK_FUNCTION constexpr std::size_t stride_2() const noexcept { return stride_of<2>(); }
  HPK_FUNCTION constexpr std::size_t stride_3() const noexcept { return stride_of<3>(); }
  HPK_FUNCTION constexpr std::size_t stride_4() const noexcept { return stride_of<4>(); }
  HPK_FUNCTION constexpr std::size_t stride_5() const noexcept { return stride_of<5>(); }
  HPK_FUNCTION constexpr std::size_t stride_6() const noexcept { return stride_of<6>(); }
  HPK_FUNCTION constexpr std::size_t stride_7() const noexcept { return stride_of<7>(); }

 private:
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
