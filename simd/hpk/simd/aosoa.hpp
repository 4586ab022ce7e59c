// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of structures of arrays: elements with M members of one type are stored in blocks of N
// elements, where the N values of each member form a vector. A loop over elements then loads
// vectors, and all members of an element share a few cache lines.
#pragma once

#include <hpk/simd/span.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

/// `size` elements of M members of type T (which may be const) in blocks of N. Member m of element
/// i is the number at index (i / N * M + m) * N + i % N. Does not own the memory.
template <class T, int M, int N = detail::vectors::native_lanes<std::remove_const_t<T>>>
class simd_aosoa {
  static_assert(M > 0 && N > 0,
                "hpk::simd_aosoa<T, M, N>: write M members, 1 or more, and N elements in a block");
  using lane = std::remove_const_t<T>;

 public:
  static constexpr detail::vectors::simd_size<N> block{};    ///< N, as `block` or `block()`.
  static constexpr detail::vectors::simd_size<M> members{};  ///< M, as `members` or `members()`.

  /// Returns the count of numbers that `size` elements take, in whole blocks.
  HPK_FORCEINLINE_FUNCTION static constexpr std::size_t required_span(std::size_t size) {
    return (size + N - 1) / N * M * N;
  }
  /// Refers to required_span(size) numbers at an address that is a multiple of alignof(simd<T, N>),
  /// as the data of Views is.
  HPK_FORCEINLINE_FUNCTION constexpr simd_aosoa(T* data, std::integral auto size)
      : data_(data), size_(static_cast<std::size_t>(size)) {
    detail::vectors::check_alignment(data, alignof(simd<lane, N>));
  }
  /// The address given to the constructor.
  HPK_FORCEINLINE_FUNCTION constexpr T* data() const { return data_; }
  /// The number of elements.
  HPK_FORCEINLINE_FUNCTION constexpr std::size_t size() const { return size_; }

  /// Returns member m of element i.
  HPK_FORCEINLINE_FUNCTION constexpr T& operator()(std::integral auto i, int m) const {
    detail::vectors::check_span(static_cast<long long>(i), 1, size_);
    const auto at = static_cast<std::size_t>(i);
    return data_[place(at / N, m) + at % N];
  }
  /// Returns member m of the elements of a simd_index: a whole block, whose first index is a
  /// multiple of N; one element; or the elements of a shorter last block.
  ///@{
  template <bool Masked>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const simd_index<N, Masked>& i, int m) const {
    detail::vectors::check_span(i.first(), i.count(), size_);
    HPK_EXPECTS(i.first() % N == 0);
    return at<N, Masked>(place(static_cast<std::size_t>(i.first()) / N, m), i.count());
  }
  HPK_FORCEINLINE_FUNCTION constexpr auto operator()(const simd_index<1>& i, int m) const
    requires(N != 1)
  {
    detail::vectors::check_span(i.first(), 1, size_);
    const auto first = static_cast<std::size_t>(i.first());
    return at<1, false>(place(first / N, m) + first % N, 1);
  }
  ///@}

 private:
  HPK_FORCEINLINE_FUNCTION static constexpr std::size_t place(std::size_t block_number, int m) {
    HPK_EXPECTS(m >= 0 && m < M);
    return (block_number * M + static_cast<std::size_t>(m)) * N;
  }
  template <int W, bool Masked>
  HPK_FORCEINLINE_FUNCTION constexpr auto at(std::size_t number, int count) const {
    if constexpr (!std::is_const_v<T>) {
      return simd_reference<lane, W, Masked>(data_ + number, count);
    } else if constexpr (Masked) {
      return hpk::partial_load<simd<lane, W>>(data_ + number, count);
    } else {
      return hpk::unchecked_load<simd<lane, W>>(data_ + number);
    }
  }

  T* data_;
  std::size_t size_;
};

}  // namespace hpk
