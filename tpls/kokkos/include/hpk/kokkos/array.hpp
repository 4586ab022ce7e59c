// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array and kokkos_swap, which Kokkos' header also provides, and the Arrays that refer to memory,
// which Kokkos has deprecated.
#pragma once

#include <Kokkos_Macros.hpp>

#include <hpk/array.hpp>
#include <hpk/kokkos/swap.hpp>

#include <cstddef>

namespace hpk {
/// Swaps the elements of two Arrays, by the program's kokkos_swap for them if it has one.
HPK_CALLS_EITHER
template <class T, std::size_t N>
  requires(N > 0)
HPK_FUNCTION constexpr void kokkos_swap(Array<T, N>& a,
                                        Array<T, N>& b) noexcept(detail::swaps_without_throw<T>) {
  kokkos_swap(a.impl_elements, b.impl_elements);
}
template <class T>
HPK_FUNCTION constexpr void kokkos_swap(Array<T, 0>&, Array<T, 0>&) noexcept {}
}  // namespace hpk

#if HPK_KOKKOS_OLDER_NAMES

namespace hpk {

/// Tags for Arrays that refer to memory.
template <>
struct Array<void, HPK_INVALID_INDEX, void> {
  struct contiguous {};
  struct strided {};
};

namespace detail {
/// Elements in memory of the program, with distance `stride`. Assignment copies elements.
template <class T>
class array_of_pointer {
 public:
  using value_type = T;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  HPK_FUNCTION constexpr array_of_pointer(T* data, std::size_t size, std::size_t stride)
      : data_(data), size_(size), stride_(stride) {}
  array_of_pointer(const array_of_pointer&) = default;
  HPK_FUNCTION constexpr array_of_pointer& operator=(const array_of_pointer& other) {
    return take(other);
  }
  /// Copies elements from another Array, as many as both have.
  template <class Other>
  HPK_FUNCTION constexpr array_of_pointer& take(const Other& other) {
    const std::size_t count = size_ < other.size() ? size_ : other.size();
    for (std::size_t i = 0; i < count; ++i) (*this)[i] = other[i];
    return *this;
  }

  HPK_FUNCTION constexpr std::size_t size() const { return size_; }
  HPK_FUNCTION constexpr std::size_t max_size() const { return size_; }
  HPK_FUNCTION constexpr bool empty() const { return size_ == 0; }
  template <class I>
  HPK_FUNCTION constexpr T& operator[](const I& i) const {
    return data_[static_cast<std::size_t>(i) * stride_];
  }
  HPK_FUNCTION constexpr T* data() const { return data_; }

 private:
  T* data_;
  std::size_t size_;
  std::size_t stride_;
};
}  // namespace detail

/// An Array that refers to contiguous elements.
template <class T>
struct Array<T, HPK_INVALID_INDEX, Array<>::contiguous> : detail::array_of_pointer<T> {
  HPK_FUNCTION constexpr Array(T* data, std::size_t size, std::size_t /*unused*/ = 0)
      : detail::array_of_pointer<T>(data, size, 1) {}
  Array(const Array&) = default;
  Array& operator=(const Array&) = default;
  template <std::size_t N, class P>
  HPK_FUNCTION constexpr Array& operator=(const Array<T, N, P>& other) {
    this->take(other);
    return *this;
  }
};
/// An Array that refers to elements with a stride.
template <class T>
struct Array<T, HPK_INVALID_INDEX, Array<>::strided> : detail::array_of_pointer<T> {
  using detail::array_of_pointer<T>::array_of_pointer;
  Array(const Array&) = default;
  Array& operator=(const Array&) = default;
  template <std::size_t N, class P>
  HPK_FUNCTION constexpr Array& operator=(const Array<T, N, P>& other) {
    this->take(other);
    return *this;
  }
};

}  // namespace hpk

#endif
