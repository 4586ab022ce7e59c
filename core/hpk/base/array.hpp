// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array: std::array for kernels.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// Ends the program because an index is out of the bounds of an Array.
[[noreturn]] void reject_array_index(long long index, bool negative, std::size_t size);
template <class I>
HPK_FORCEINLINE_FUNCTION constexpr bool is_negative(I index) noexcept {
  if constexpr (std::is_signed_v<I>) {
    return index < I(0);
  } else {
    return false;
  }
}
/// Converts an index to an offset. In checked builds ends the program if the index is not below N.
HPK_CALLS_EITHER
template <std::size_t N, class I>
HPK_FORCEINLINE_FUNCTION constexpr std::size_t array_offset(const I& index) {
  // Enumerations and classes are first converted to an integer.
  if constexpr (!std::is_integral_v<I>) {
    return array_offset<N>(static_cast<long long>(index));
  } else {
    const auto offset = static_cast<std::size_t>(index);
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (offset >= N) [[unlikely]] {
        HPK_IF_ON_HOST(
            (reject_array_index(static_cast<long long>(index), detail::is_negative(index), N);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::Array: an index is not below the size");))
      }
    }
    return offset;
  }
}

}  // namespace hpk::detail

namespace hpk {

/// N contiguous elements of type T, for host and device. An aggregate, Array<int, 3>{1, 2, 3}. The
/// elements are initialised like a T[N]: indeterminate by default, zero with {}.
///
/// If HPK_CHECKS is 1, an index that is not below N ends the program with index and size. A
/// structural type if T is one. As thread-safe as T[N]. Access must be void; only the Kokkos
/// drop-in has Arrays that refer to memory.
template <class T = void, std::size_t N = HPK_INVALID_INDEX, class Access = void>
struct Array {
  static_assert(std::is_void_v<Access> && !std::is_void_v<T>,
                "hpk::Array: write an element type and a number, hpk::Array<int, 3>");
  /// @{
  /// As in std::array.
  using value_type = T;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = T*;
  using const_iterator = const T*;
  /// @}

  /// Public only because aggregates require it.
  T impl_elements[N];

  /// False: an Array without elements is an Array<T, 0>.
  HPK_FUNCTION static constexpr bool empty() noexcept { return false; }
  /// @{
  /// N.
  HPK_FUNCTION static constexpr size_type size() noexcept { return N; }
  HPK_FUNCTION static constexpr size_type max_size() noexcept { return N; }
  /// @}

  /// @{
  /// Element i, where i is of any type that converts to an integer.
  HPK_CALLS_EITHER
  template <class I>
    requires std::is_convertible_v<const I&, size_type>
  HPK_FUNCTION constexpr reference operator[](const I& i) {
    return impl_elements[detail::array_offset<N>(i)];
  }
  HPK_CALLS_EITHER
  template <class I>
    requires std::is_convertible_v<const I&, size_type>
  HPK_FUNCTION constexpr const_reference operator[](const I& i) const {
    return impl_elements[detail::array_offset<N>(i)];
  }
  /// @}
  /// @{
  /// The first, or the last, element.
  HPK_FUNCTION constexpr reference front() { return impl_elements[0]; }
  HPK_FUNCTION constexpr const_reference front() const { return impl_elements[0]; }
  HPK_FUNCTION constexpr reference back() { return impl_elements[N - 1]; }
  HPK_FUNCTION constexpr const_reference back() const { return impl_elements[N - 1]; }
  /// @}
  /// @{
  /// The elements as a pointer, and as a range.
  HPK_FUNCTION constexpr pointer data() noexcept { return impl_elements; }
  HPK_FUNCTION constexpr const_pointer data() const noexcept { return impl_elements; }
  HPK_FUNCTION constexpr iterator begin() noexcept { return impl_elements; }
  HPK_FUNCTION constexpr const_iterator begin() const noexcept { return impl_elements; }
  HPK_FUNCTION constexpr const_iterator cbegin() const noexcept { return impl_elements; }
  HPK_FUNCTION constexpr iterator end() noexcept { return impl_elements + N; }
  HPK_FUNCTION constexpr const_iterator end() const noexcept { return impl_elements + N; }
  HPK_FUNCTION constexpr const_iterator cend() const noexcept { return impl_elements + N; }
  /// @}
  /// Sets every element to the value.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr void fill(const T& value) {
    for (T& element : impl_elements) element = value;
  }

  /// Whether all elements are equal.
  HPK_CALLS_EITHER
  HPK_FUNCTION friend constexpr bool operator==(const Array& a, const Array& b) {
    for (size_type i = 0; i < N; ++i) {
      if (!(a.impl_elements[i] == b.impl_elements[i])) return false;
    }
    return true;
  }
};

/// An Array without elements: data() is null, and no index is valid.
template <class T>
struct Array<T, 0> {
  /// @{
  /// As in Array<T, N>.
  using value_type = T;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = T*;
  using const_iterator = const T*;
  /// @}

  /// @{
  /// As in Array<T, N>: the range is empty.
  HPK_FUNCTION static constexpr bool empty() noexcept { return true; }
  HPK_FUNCTION static constexpr size_type size() noexcept { return 0; }
  HPK_FUNCTION static constexpr size_type max_size() noexcept { return 0; }
  /// @}
  /// Ends the program, because no index is valid.
  template <class I>
  HPK_FUNCTION reference operator[](const I&) const {
    hpk::abort("hpk::Array: an Array of size 0 has no element");
  }
  /// @{
  /// As in Array<T, N>; pointers and iterators are null.
  HPK_FUNCTION constexpr pointer data() noexcept { return nullptr; }
  HPK_FUNCTION constexpr const_pointer data() const noexcept { return nullptr; }
  HPK_FUNCTION constexpr iterator begin() noexcept { return nullptr; }
  HPK_FUNCTION constexpr const_iterator begin() const noexcept { return nullptr; }
  HPK_FUNCTION constexpr const_iterator cbegin() const noexcept { return nullptr; }
  HPK_FUNCTION constexpr iterator end() noexcept { return nullptr; }
  HPK_FUNCTION constexpr const_iterator end() const noexcept { return nullptr; }
  HPK_FUNCTION constexpr const_iterator cend() const noexcept { return nullptr; }
  HPK_FUNCTION constexpr void fill(const T&) {}
  HPK_FUNCTION friend constexpr bool operator==(const Array&, const Array&) { return true; }
  /// @}
};

/// Array(1, 2, 3) is an Array<int, 3>; the first value determines the type.
template <class T, class... Ts>
HPK_DEDUCTION_GUIDE Array(T, Ts...) -> Array<T, 1 + sizeof...(Ts)>;

namespace detail {
HPK_CALLS_EITHER
template <class T, std::size_t N, std::size_t... Is>
HPK_FUNCTION constexpr Array<std::remove_cv_t<T>, N> copy_array(T (&from)[N],
                                                                std::index_sequence<Is...>) {
  return {{from[Is]...}};
}
HPK_CALLS_EITHER
template <class T, std::size_t N, std::size_t... Is>
HPK_FUNCTION constexpr Array<std::remove_cv_t<T>, N> move_array(T (&&from)[N],
                                                                std::index_sequence<Is...>) {
  return {{static_cast<T&&>(from[Is])...}};
}
}  // namespace detail

/// @{
/// An Array of the elements of a C array, copied or moved.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<std::remove_cv_t<T>, N> to_array(T (&from)[N]) {
  return detail::copy_array(from, std::make_index_sequence<N>());
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<std::remove_cv_t<T>, N> to_array(T (&&from)[N]) {
  return detail::move_array(static_cast<T(&&)[N]>(from), std::make_index_sequence<N>());
}
/// @}

/// @{
/// Element I, where I is known at compile time.
template <std::size_t I, class T, std::size_t N>
HPK_FUNCTION constexpr T& get(Array<T, N>& a) noexcept {
  static_assert(I < N, "hpk::get: the index is not below the size of the Array");
  return a.impl_elements[I];
}
template <std::size_t I, class T, std::size_t N>
HPK_FUNCTION constexpr const T& get(const Array<T, N>& a) noexcept {
  static_assert(I < N, "hpk::get: the index is not below the size of the Array");
  return a.impl_elements[I];
}
template <std::size_t I, class T, std::size_t N>
HPK_FUNCTION constexpr T&& get(Array<T, N>&& a) noexcept {
  static_assert(I < N, "hpk::get: the index is not below the size of the Array");
  return static_cast<T&&>(a.impl_elements[I]);
}
template <std::size_t I, class T, std::size_t N>
HPK_FUNCTION constexpr const T&& get(const Array<T, N>&& a) noexcept {
  static_assert(I < N, "hpk::get: the index is not below the size of the Array");
  return static_cast<const T&&>(a.impl_elements[I]);
}
/// @}

/// @{
/// begin and end of an Array, by argument-dependent lookup.
template <class T, std::size_t N>
HPK_FUNCTION constexpr T* begin(Array<T, N>& a) noexcept {
  return a.data();
}
template <class T, std::size_t N>
HPK_FUNCTION constexpr const T* begin(const Array<T, N>& a) noexcept {
  return a.data();
}
template <class T, std::size_t N>
HPK_FUNCTION constexpr T* end(Array<T, N>& a) noexcept {
  return a.data() + N;
}
template <class T, std::size_t N>
HPK_FUNCTION constexpr const T* end(const Array<T, N>& a) noexcept {
  return a.data() + N;
}
/// @}

}  // namespace hpk

// Support for structured bindings.
template <class T, std::size_t N>
struct std::tuple_size<hpk::Array<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, class T, std::size_t N>
struct std::tuple_element<I, hpk::Array<T, N>> {
  static_assert(I < N, "hpk: the index is not below the size of the Array");
  using type = T;
};
