// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that take no space when they are empty. hpk does not use [[no_unique_address]] for this
// purpose, because nvcc 13 and g++ disagree about its layout: device code reserves space for such
// an empty member at the end of a class and host code does not, so a kernel would read its
// arguments from wrong offsets.
#pragma once

#include <hpk/base/macros.hpp>

namespace hpk::detail {

/// A base class that holds a T, and is empty if T is. `Id` distinguishes the bases of one class.
/// (Builtins test T, because they add no lines to an error message about a wrong T.)
template <class T, int Id = 0, bool = __is_empty(T) && !__is_final(T)>
struct compressed {
  T value_;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION constexpr compressed() noexcept(__is_nothrow_constructible(T))
      : value_() {}
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION constexpr explicit compressed(const T& value) : value_(value) {}
  HPK_FORCEINLINE_FUNCTION constexpr T& value() noexcept { return value_; }
  HPK_FORCEINLINE_FUNCTION constexpr const T& value() const noexcept { return value_; }
};
template <class T, int Id>
struct compressed<T, Id, true> : T {
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION constexpr compressed() noexcept(__is_nothrow_constructible(T)) : T() {}
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION constexpr explicit compressed(const T& value) : T(value) {}
  HPK_FORCEINLINE_FUNCTION constexpr T& value() noexcept { return *this; }
  HPK_FORCEINLINE_FUNCTION constexpr const T& value() const noexcept { return *this; }
};

/// An address, its mapping from indices, and extra data. The mapping and the extra data take no
/// space when they are empty.
template <class Handle, class Map, class Extra>
class mapped_handle : compressed<Map, 0>, compressed<Extra, 1> {
  using map_part = compressed<Map, 0>;
  using rest_part = compressed<Extra, 1>;

 public:
  Handle data{};

  mapped_handle() = default;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION constexpr mapped_handle(const Handle& handle, const Map& map,
                                                   const Extra& rest)
      : map_part(map), rest_part(rest), data(handle) {}
  HPK_FORCEINLINE_FUNCTION constexpr Map& map() noexcept { return map_part::value(); }
  HPK_FORCEINLINE_FUNCTION constexpr const Map& map() const noexcept { return map_part::value(); }
  HPK_FORCEINLINE_FUNCTION constexpr Extra& rest() noexcept { return rest_part::value(); }
  HPK_FORCEINLINE_FUNCTION constexpr const Extra& rest() const noexcept {
    return rest_part::value();
  }
};

}  // namespace hpk::detail
