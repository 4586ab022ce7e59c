// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::mdspan, if the standard library has it: C++23 with libc++ 17 or a recent libstdc++.
#pragma once

#include <hpk/base/types.hpp>

#include <version>
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace hpk::detail {

#ifdef __cpp_lib_mdspan
inline constexpr bool has_std_mdspan = true;
template <class T, class Layout, class Accessor, std::size_t... Es>
struct std_mdspan {
  using type = std::mdspan<T, std::extents<index_t, Es...>, Layout, Accessor>;
};
template <class T>
using std_accessor = std::default_accessor<T>;
#else
/// Whether the standard library has std::mdspan.
inline constexpr bool has_std_mdspan = false;
/// std::mdspan of 64-bit extents Es (dynamic_extent at run time), as `type`.
template <class T, class Layout, class Accessor, std::size_t... Es>
struct std_mdspan;
/// std::default_accessor.
template <class T>
struct std_accessor;
#endif

}  // namespace hpk::detail
