// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in reductions and scans.
#pragma once

#include <hpk/c/detail/copies.hpp>

#include <hpk/parallel.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail::c {

template <class T>
inline constexpr bool is_complex_number = type_number<T>() >= HPK_TYPE_COMPLEX64;
template <class T>
inline constexpr bool is_half = std::is_same_v<T, Experimental::half_t> ||
                                std::is_same_v<T, Experimental::bhalf_t>;

/// The type in which elements are added and multiplied: 64 bits, complex numbers twice as many.
template <class T>
using wide_of = std::conditional_t<
    is_complex_number<T>, complex<double>,
    std::conditional_t<std::is_integral_v<T>,
                       std::conditional_t<std::is_signed_v<T> || std::is_same_v<T, bool>,
                                          std::int64_t, std::uint64_t>,
                       double>>;

template <class T>
HPK_FORCEINLINE_FUNCTION wide_of<T> widen(const T& value) {
  if constexpr (is_half<T>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<wide_of<T>>(value);
  }
}

/// The value as a scalar of the C interface.
template <class T>
hpk_scalar scalar_of(const T& value) {
  hpk_scalar result{};
  result.type = expect_type<T>();
  if constexpr (std::is_same_v<wide_of<T>, std::int64_t>) {
    result.i = widen(value);
    result.u = static_cast<std::uint64_t>(result.i);
  } else if constexpr (std::is_same_v<wide_of<T>, std::uint64_t>) {
    result.u = widen(value);
    result.i = static_cast<std::int64_t>(result.u);
  } else if constexpr (is_complex_number<T>) {
    result.f = static_cast<double>(value.real());
    result.imag = static_cast<double>(value.imag());
  } else {
    result.f = widen(value);
  }
  return result;
}

/// Calls f(view) with the view if it has no gaps, otherwise with a copy without gaps.
template <class F>
void with_dense(const char* function, const hpk_view& view, const F& f) {
  if (is_dense(view.info)) {
    f(view);
  } else {
    const owned_view copy(make_dense(function, view, HPK_LAYOUT_RIGHT));
    f(*copy.get());
  }
}

/// Calls f(exec, x) with the elements of a view without gaps as a View of rank 1.
template <class F>
void with_elements(const char* function, const hpk_view& view, const hpk_instance* on, const F& f) {
  with_memory_space(view.info.space, [&]<class M>(std::type_identity<M>) {
    with_instance<M>(function, view.info.label, on, [&](const auto& exec) {
      with_type(view.info.type,
                [&]<class T>(std::type_identity<T>) { f(exec, elements_of<T, M>(view)); });
    });
  });
}

}  // namespace hpk::detail::c
