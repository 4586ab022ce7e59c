// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes the elements of a View by run-time data, for code that reads memory without its type.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/base/type_name.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {
template <class Scalar, class Index>
struct ValLocScalar;
template <class Scalar, class Index>
struct MinMaxLocScalar;
}  // namespace hpk

namespace hpk::detail {

/// The kinds of numbers of which an element may consist. opaque: the element is neither a number
/// nor a known array of numbers.
enum class scalar_kind : std::uint8_t {
  opaque,
  floating,
  brain_floating,  ///< bfloat16
  signed_integer,
  unsigned_integer,
  boolean,
};

/// Whether a T consists exactly of its elements, by size() or tuple_size. False for a span, which
/// points to its elements.
template <class T>
concept holds_all_elements = requires {
  requires std::bool_constant<T::size() * sizeof(typename T::value_type) == sizeof(T)>::value;
} || requires { requires std::tuple_size<T>::value * sizeof(typename T::value_type) == sizeof(T); };

/// Classes that consist of numbers of one type: arrays and complex numbers of any library.
template <class T>
concept has_scalars =
    std::is_class_v<T> && std::is_trivially_copyable_v<T> && requires(const T& v) {
      typename T::value_type;
      requires sizeof(T) % sizeof(typename T::value_type) == 0;
      requires holds_all_elements<T> || requires { v.real(), v.imag(); };
    };

/// The type of the numbers that make up a T: T itself if it is a number.
template <class T>
struct scalars_of {
  using type = T;
};
template <has_scalars T>
struct scalars_of<T> : scalars_of<std::remove_cv_t<typename T::value_type>> {};

/// The kind of a number.
template <class T>
constexpr scalar_kind find_kind() {
  if constexpr (std::is_same_v<T, bool>) {
    return scalar_kind::boolean;
  } else if constexpr (std::is_enum_v<T>) {
    return find_kind<std::underlying_type_t<T>>();
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? scalar_kind::signed_integer : scalar_kind::unsigned_integer;
  } else if constexpr (std::numeric_limits<T>::is_specialized && sizeof(T) == 2) {
    // half_t and bhalf_t, and types like them. Larger classes may have other formats.
    constexpr int digits = std::numeric_limits<T>::digits;
    return digits == 8    ? scalar_kind::brain_floating
           : digits == 11 ? scalar_kind::floating
                          : scalar_kind::opaque;
  } else if constexpr (std::is_floating_point_v<T>) {
    return scalar_kind::floating;
  } else {
    return scalar_kind::opaque;
  }
}

/// An element type. Objects are constants with static storage.
struct element_type {
  std::string_view name;
  std::size_t bytes;
  std::size_t scalar_bytes;  ///< size of one of its numbers; `bytes` if opaque
  scalar_kind kind;
  /// Whether its numbers have the 80-bit format of x86, which uses 10 of the 16 bytes.
  bool is_extended;
  bool is_bytes;  ///< trivially copyable: its bytes are its value
  /// Whether it may have padding bytes, whose values are meaningless.
  bool may_have_padding;
  /// Sets the padding bytes of one element to 0. Null without padding, or if the program's compiler
  /// cannot clear padding: clang can do so only for ValLocScalar and MinMaxLocScalar.
  void (*clear_padding)(void* element);
  /// Copies and destroys `count` elements of host memory, so that their copy constructors describe
  /// Views to an inspection. Null if is_bytes, or if copies may throw (copies of Views do not
  /// throw).
  void (*copy_each)(const void* elements, std::size_t count);
};

template <class T>
constexpr element_type describe_element() {
  using scalar = typename scalars_of<T>::type;
  constexpr scalar_kind kind = find_kind<scalar>();
  constexpr bool is_bytes = std::is_trivially_copyable_v<T>;
  constexpr bool padded =
      is_bytes && kind == scalar_kind::opaque && !std::has_unique_object_representations_v<T>;
  constexpr std::size_t scalar_bytes = kind == scalar_kind::opaque ? sizeof(T) : sizeof(scalar);
  constexpr bool extended = kind == scalar_kind::floating && sizeof(scalar) == 16 &&
                            std::numeric_limits<scalar>::digits == 64;
  element_type found{type_name<T>(), sizeof(T), scalar_bytes, kind,   extended,
                     is_bytes,       padded,    nullptr,      nullptr};
  if constexpr (padded && clears_padding<T>) {
    found.clear_padding = [](void* element) { clear_padding(*static_cast<T*>(element)); };
  } else if constexpr (padded) {
    if constexpr (is_specialization_v<T, ValLocScalar>) {
      found.clear_padding = [](void* element) {
        T& v = *static_cast<T*>(element);
        const auto val = v.val;
        const auto loc = v.loc;
        __builtin_memset(element, 0, sizeof(T));
        v.val = val;
        v.loc = loc;
      };
    } else if constexpr (is_specialization_v<T, MinMaxLocScalar>) {
      found.clear_padding = [](void* element) {
        T& v = *static_cast<T*>(element);
        const T copy = v;
        __builtin_memset(element, 0, sizeof(T));
        v.min_val = copy.min_val;
        v.max_val = copy.max_val;
        v.min_loc = copy.min_loc;
        v.max_loc = copy.max_loc;
      };
    }
  }
  if constexpr (!is_bytes && std::is_nothrow_copy_constructible_v<T>) {
    found.copy_each = [](const void* elements, std::size_t count) {
      for (std::size_t k = 0; k != count; ++k) [[maybe_unused]]
        const T copy(static_cast<const T*>(elements)[k]);
    };
  }
  return found;
}

/// The description of T.
template <class T>
inline constexpr element_type element_type_of = describe_element<T>();

}  // namespace hpk::detail
