// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of the C interface as hpk::View, and back, without a copy. A C++ kernel for programs in
// other languages takes a `const hpk_view*` and makes the View that it works on:
//
//   extern "C" hpk_status scale(const hpk_view* x, double a) {
//     return hpk::call_from_c([&] {
//       const auto v = hpk::from_c<hpk::View<double*, hpk::HostSpace>>(x);
//       hpk::parallel_for("scale", v.extent(0), HPK_LAMBDA(int i) { v(i) *= a; });
//     });
//   }
#pragma once

#include <hpk/complex.hpp>
#include <hpk/half.hpp>
#include <hpk/view.hpp>

#include <hpk/c/hpk.h>
#include <hpk/c/call.hpp>
#include <hpk/c/instance.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace hpk {

namespace detail::c {

/// The bytes of a View, and their owner.
using bytes_view = View<std::byte*, LayoutRight, AnonymousSpace>;

/// The number of an element type; 0 if the C interface does not have it.
template <class T>
constexpr int type_number() {
  if constexpr (std::is_same_v<T, bool>) {
    return HPK_TYPE_BOOL;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int first = std::is_signed_v<T> ? HPK_TYPE_INT8 : HPK_TYPE_UINT8;
    return sizeof(T) == 1   ? first
           : sizeof(T) == 2 ? first + 1
           : sizeof(T) == 4 ? first + 2
                            : first + 3;
  } else if constexpr (std::is_same_v<T, Experimental::half_t>) {
    return HPK_TYPE_FLOAT16;
  } else if constexpr (std::is_same_v<T, Experimental::bhalf_t>) {
    return HPK_TYPE_BFLOAT16;
  } else if constexpr (std::is_same_v<T, float>) {
    return HPK_TYPE_FLOAT32;
  } else if constexpr (std::is_same_v<T, double>) {
    return HPK_TYPE_FLOAT64;
  } else if constexpr (std::is_same_v<T, complex<float>>) {
    return HPK_TYPE_COMPLEX64;
  } else if constexpr (std::is_same_v<T, complex<double>>) {
    return HPK_TYPE_COMPLEX128;
  } else {
    return 0;
  }
}
template <class T>
constexpr hpk_type expect_type() {
  constexpr int number = type_number<T>();
  static_assert(number != 0,
                "hpk: the C interface has no such element type; write bool, an integer, half_t, "
                "bhalf_t, float, double or hpk::complex");
  return static_cast<hpk_type>(number == 0 ? 1 : number);
}

/// What a View type requires of a view.
struct wanted_view {
  hpk_type type;
  int rank;
  const char* space;  ///< null: any
  bool writable;      ///< the elements are not const
};
/// Throws hpk_last_error's text unless the view is what the View type requires.
void expect_view(const hpk_view* view, const wanted_view& wanted);
/// The owner of the memory of a view.
const bytes_view& memory_of(const hpk_view* view);
/// Makes a view. Of `info`, uses data, type, rank, extents, strides, space and read_only.
hpk_view* make_view(const hpk_view_info& info, const bytes_view& memory);

}  // namespace detail::c

/// The View V of a view: shares its memory and ownership. Throws if element type, rank, memory
/// space, fixed extents or const differ, or if the layout can't have the view's strides: a
/// LayoutStride can have all.
template <class V>
V from_c(const hpk_view* view) {
  static_assert(is_view_v<V>, "hpk::from_c: write the type of a View or of an execution space");
  using value = typename V::value_type;
  using mem = typename V::memory_space;
  detail::c::expect_view(
      view, {detail::c::expect_type<std::remove_const_t<value>>(), static_cast<int>(V::rank()),
             std::is_same_v<mem, AnonymousSpace> ? nullptr : mem::name(), !std::is_const_v<value>});
  const hpk_view_info& info = *hpk_view_get_info(view);
  auto* const data = static_cast<value*>(info.data);
  const auto memory = view_wrap(data, detail::c::memory_of(view));
  using layout = typename V::array_layout;
  const bool is_dense = std::is_same_v<layout, LayoutRight>
                            ? info.layout == HPK_LAYOUT_RIGHT
                            : std::is_same_v<layout, LayoutLeft> &&
                                  (info.layout == HPK_LAYOUT_LEFT ||
                                   (info.layout == HPK_LAYOUT_RIGHT && V::rank() < 2));
  if constexpr (std::is_same_v<layout, LayoutRight> || std::is_same_v<layout, LayoutLeft>) {
    if (is_dense) {
      layout shape;
      for (std::size_t r = 0; r != V::rank(); ++r)
        shape.dimension[r] = static_cast<std::size_t>(info.extents[r]);
      return V(memory, shape);
    }
  }
  LayoutStride shape;
  for (std::size_t r = 0; r != V::rank(); ++r) {
    shape.dimension[r] = static_cast<std::size_t>(info.extents[r]);
    shape.stride[r] = static_cast<std::size_t>(info.strides[r]);
  }
  return View<typename V::data_type, LayoutStride, typename V::device_type,
              typename V::memory_traits>(memory, shape);
}

/// A view of the elements of a View: shares its memory and ownership. The caller releases it by
/// hpk_view_release.
template <class D, class... Ps>
hpk_view* to_c(const View<D, Ps...>& view) {
  using V = View<D, Ps...>;
  using value = typename V::value_type;
  hpk_view_info info{};
  info.data = const_cast<std::remove_const_t<value>*>(view.data());
  info.type = detail::c::expect_type<std::remove_const_t<value>>();
  info.rank = static_cast<int>(V::rank());
  info.read_only = std::is_const_v<value>;
  info.space = V::memory_space::name();
  for (std::size_t r = 0; r != V::rank(); ++r) {
    info.extents[r] = static_cast<std::int64_t>(view.extent(r));
    info.strides[r] = static_cast<std::int64_t>(view.stride(r));
  }
  using bytes = View<std::byte*, LayoutRight, typename V::memory_space>;
  return detail::c::make_view(info, bytes(view_wrap(static_cast<std::byte*>(info.data), view),
                                          view.span() * sizeof(value)));
}

}  // namespace hpk
