// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortran arrays as Views, for functions with bind(C) that are written by hand. HPK_FORTRAN
// (<hpk/fortran.hpp>) writes such functions.
#pragma once

#include <hpk/view.hpp>

#include <hpk/c/view.hpp>
#include <hpk/fortran/detail/descriptor.hpp>

#include <type_traits>

namespace hpk {

namespace detail::fortran {

/// Explains at compile time why Fortran arrays can't be Views of this type; true if they can.
template <class V>
constexpr bool check_array_view() {
  using value = typename V::non_const_value_type;
  using layout = typename V::array_layout;
  constexpr bool in_host_space = std::is_same_v<typename V::memory_space, HostSpace>;
  constexpr int number = c::type_number<value>();
  constexpr bool has_type = number >= HPK_TYPE_BOOL && number <= HPK_TYPE_COMPLEX128 &&
                            !(number >= HPK_TYPE_UINT8 && number <= HPK_TYPE_BFLOAT16);
  constexpr bool has_layout = std::is_same_v<layout, LayoutLeft> ||
                              std::is_same_v<layout, LayoutStride> ||
                              (std::is_same_v<layout, LayoutRight> && V::rank() < 2);
  static_assert(in_host_space,
                "hpk: Fortran arrays are in host memory; write HostSpace as the space of the View");
  static_assert(has_type,
                "hpk: Fortran has no such element type; write bool, std::int8_t to std::int64_t, "
                "float, double or hpk::complex");
  static_assert(has_layout,
                "hpk: the first index of a Fortran array is the fastest; write LayoutLeft, or "
                "LayoutStride to take any section");
  static_assert(V::rank() > 0,
                "hpk: a Fortran array has rank 1 or more; write double& for a scalar");
  return in_host_space && has_type && has_layout && V::rank() > 0;
}

template <class V>
constexpr wanted_array wanted_of() {
  wanted_array wanted{static_cast<hpk_type>(c::type_number<typename V::non_const_value_type>()),
                      static_cast<int>(V::rank()),
                      !std::is_same_v<typename V::array_layout, LayoutStride>,
                      {}};
  for (std::size_t r = 0; r != V::rank(); ++r) {
    wanted.fixed_extents[r] =
        r < V::rank_dynamic() ? -1 : static_cast<std::int64_t>(V::static_extent(r));
  }
  return wanted;
}

}  // namespace detail::fortran

/// The View of a Fortran array, without a copy: same indices, from 0. The array must outlive the
/// View. V is a View of HostSpace with LayoutLeft, for which the array must be contiguous, or with
/// LayoutStride. Throws std::runtime_error if element type, rank, fixed extents or strides differ.
template <class V>
V from_fortran(const CFI_cdesc_t* array) {
  if constexpr (detail::fortran::check_array_view<V>()) {
    constexpr auto wanted = detail::fortran::wanted_of<V>();
    const auto found = detail::fortran::read_array(array, wanted);
    auto* const data = static_cast<typename V::value_type*>(found.data);
    typename V::array_layout shape;
    for (std::size_t r = 0; r != V::rank(); ++r) {
      shape.dimension[r] = static_cast<std::size_t>(found.extents[r]);
      if constexpr (std::is_same_v<typename V::array_layout, LayoutStride>)
        shape.stride[r] = static_cast<std::size_t>(found.strides[r]);
    }
    return V(data, shape);
  } else {
    return V();
  }
}

/// The characters of a Fortran text, character(len=*, kind=c_char), without trailing blanks.
inline std::string_view text_from_fortran(const CFI_cdesc_t* text) noexcept {
  return detail::fortran::read_text(text);
}

namespace detail::fortran {
/// Reports the exception that is being handled, of `name`, and of the argument if that is not "".
/// Inside a catch block only.
void report_exception(const char* name, std::string_view argument, int* stat,
                      CFI_cdesc_t* errmsg) noexcept;
}  // namespace detail::fortran

/// Calls f() and sets stat to 0. If f throws, stat becomes an hpk_status other than 0, and errmsg
/// the text of the exception after `name`; if stat is absent (null), the program stops with the
/// text, by ERROR STOP.
template <class F>
void call_from_fortran(const char* name, int* stat, CFI_cdesc_t* errmsg, F&& f) noexcept {
  try {
    f();
    if (stat != nullptr) *stat = HPK_OK;
  } catch (...) {
    detail::fortran::report_exception(name, {}, stat, errmsg);
  }
}

}  // namespace hpk
