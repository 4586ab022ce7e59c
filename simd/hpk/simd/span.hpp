// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of numbers accessed as vectors, without a copy: simd_span, whose x[i] is a vector if i is
// a simd_index (which simd_for passes to its body), and simd_blocks, an array of vectors whose last
// vector may be partial. Neither owns its memory.
#pragma once

#include <hpk/simd/gather.hpp>
#include <hpk/simd/permute.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

/// N consecutive indices, first() to first() + N - 1. In a Masked one only the first count() are
/// valid.
template <int N, bool Masked = false>
class simd_index {
 public:
  static constexpr detail::vectors::simd_size<N> size{};  ///< N, as `size` or `size()`.
  /// Makes the indices from `first` on. `count`: how many are valid; for a Masked one.
  HPK_FORCEINLINE_FUNCTION constexpr explicit simd_index(std::ptrdiff_t first, int count = N)
      : first_(first), count_(count) {}
  /// The lowest index.
  HPK_FORCEINLINE_FUNCTION constexpr std::ptrdiff_t first() const { return first_; }
  /// The number of valid indices.
  HPK_FORCEINLINE_FUNCTION constexpr int count() const {
    if constexpr (Masked)
      return count_;
    else
      return N;
  }
  /// Return the indices shifted by a distance.
  ///@{
  HPK_FORCEINLINE_FUNCTION friend constexpr simd_index operator+(simd_index i, std::ptrdiff_t by) {
    return simd_index(i.first_ + by, i.count_);
  }
  HPK_FORCEINLINE_FUNCTION friend constexpr simd_index operator-(simd_index i, std::ptrdiff_t by) {
    return simd_index(i.first_ - by, i.count_);
  }
  HPK_FORCEINLINE_FUNCTION friend constexpr simd_index operator+(std::ptrdiff_t by, simd_index i) {
    return i + by;
  }
  ///@}

 private:
  std::ptrdiff_t first_;
  int count_;
};

/// Returns the indices as lanes of type T: first, first + 1, ...
template <class T, int N, bool Masked>
HPK_FORCEINLINE_FUNCTION constexpr simd<T, N> simd_iota(const simd_index<N, Masked>& i) {
  return hpk::iota<simd<T, N>>(static_cast<T>(i.first()));
}
/// Returns the mask of the lanes with valid indices.
template <class T, int N, bool Masked>
HPK_FORCEINLINE_FUNCTION constexpr simd_mask<T, N> simd_lanes(const simd_index<N, Masked>& i) {
  if constexpr (Masked) {
    return detail::vectors::first_lanes<simd_mask<T, N>>(static_cast<std::size_t>(i.count()));
  } else {
    return simd_mask<T, N>(true);
  }
}

/// A vector in memory: it reads as a vector, and assignments write its lanes. If Partial, only the
/// first few lanes are in memory; the others read as zeros and are not written.
template <class T, int N, bool Partial>
class simd_reference : public simd<T, N> {
  using vector = simd<T, N>;

 public:
  /// Refers to N elements at an address, or to the first `in_memory` of them if Partial.
  HPK_FORCEINLINE_FUNCTION constexpr simd_reference(T* at, int in_memory)
      : vector{}, at_(at), count_(in_memory) {
    if constexpr (Partial)
      vector::operator=(hpk::partial_load<vector>(at, in_memory));
    else
      vector::operator=(hpk::unchecked_load<vector>(at));
  }
  /// Refers to the same elements.
  simd_reference(const simd_reference&) = default;
  /// Stores the lanes. Only a temporary can be assigned to, as in x[i] = v. A copy, `auto v =
  /// x[i]`, still refers to the memory; write `simd<T, N> v = x[i]` for an independent vector.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr void operator=(const vector& v) const&& {
    if constexpr (Partial)
      hpk::partial_store(v, at_, count_);
    else
      hpk::unchecked_store(v, at_);
  }
  HPK_FORCEINLINE_FUNCTION constexpr void operator=(const simd_reference& v) const&& {
    static_cast<const simd_reference&&>(*this) = static_cast<const vector&>(v);
  }
  ///@}
  void operator=(const vector& v) & = delete;
  void operator=(const simd_reference& v) & = delete;
#define HPK_DETAIL_REFERENCE(op)                                                         \
  HPK_FORCEINLINE_FUNCTION constexpr void operator op##=(const vector& v) const&& {      \
    static_cast<const simd_reference&&>(*this) = static_cast<const vector&>(*this) op v; \
  }
  /// Store the lanes of `*this op v`; for temporaries, as in x[i] += v.
  ///@{
  HPK_DETAIL_REFERENCE(+)
  HPK_DETAIL_REFERENCE(-)
  HPK_DETAIL_REFERENCE(*)
  HPK_DETAIL_REFERENCE(/)
  ///@}
#undef HPK_DETAIL_REFERENCE

 private:
  T* at_;
  int count_;
};

/// An array of `size` numbers at an address. T may be const.
template <class T>
class simd_span {
  using lane = std::remove_const_t<T>;

 public:
  /// Type of an element, with and without const.
  ///@{
  using element_type = T;
  using value_type = lane;
  ///@}
  /// Refers to memory of the caller.
  HPK_FORCEINLINE_FUNCTION constexpr simd_span(T* data, std::integral auto size)
      : data_(data), size_(static_cast<std::size_t>(size)) {}
  /// The arguments of the constructor.
  ///@{
  HPK_FORCEINLINE_FUNCTION constexpr T* data() const { return data_; }
  HPK_FORCEINLINE_FUNCTION constexpr std::size_t size() const { return size_; }
  ///@}

  /// Returns the elements of N indices: a vector for const elements, else a reference to one. In
  /// checked builds throws an error if a valid index is outside the span.
  template <int N, bool Masked>
  HPK_FORCEINLINE_FUNCTION constexpr auto operator[](const simd_index<N, Masked>& i) const {
    detail::vectors::check_span(i.first(), i.count(), size_);
    if constexpr (!std::is_const_v<T>) {
      return simd_reference<lane, N, Masked>(data_ + i.first(), i.count());
    } else if constexpr (Masked) {
      return hpk::partial_load<simd<lane, N>>(data_ + i.first(), i.count());
    } else {
      return hpk::unchecked_load<simd<lane, N>>(data_ + i.first());
    }
  }
  /// Gathers the elements of a vector of indices.
  template <std::integral I, class Abi>
  HPK_FORCEINLINE_FUNCTION constexpr basic_simd<lane, Abi> operator[](
      const basic_simd<I, Abi>& i) const {
    return hpk::unchecked_gather_from(*this, i);
  }
  /// Returns one element.
  HPK_FORCEINLINE_FUNCTION constexpr T& operator[](std::integral auto i) const {
    detail::vectors::check_span(static_cast<long long>(i), 1, size_);
    return data_[i];
  }

 private:
  T* data_;
  std::size_t size_;
};

/// Returns a simd_span of the numbers at an address, or of a View or other contiguous range, for
/// the body of simd_for. A View with gaps is an error.
///@{
template <class T>
HPK_FORCEINLINE_FUNCTION constexpr simd_span<T> as_simd_span(T* data, std::integral auto size) {
  return {data, size};
}
HPK_CALLS_EITHER
template <detail::vectors::simd_range R>
HPK_FORCEINLINE_FUNCTION constexpr auto as_simd_span(R&& range) {
  const auto size = static_cast<std::size_t>(range.size());
  if constexpr (requires { range.span_is_contiguous(); }) {
    if (!range.span_is_contiguous()) {
      HPK_IF_ON_HOST(
          (detail::vectors::raise_simd_gaps(size, static_cast<std::size_t>(range.span()));))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::as_simd_span: the View has gaps between elements");))
    }
  }
  return simd_span<std::remove_reference_t<decltype(*range.data())>>(range.data(), size);
}
///@}

/// An array of numbers as an array of vectors V: block j has the elements from j * V::size() on. If
/// the numbers end within the last block, its other lanes read as zeros and are not written.
template <class V, class T>
class simd_blocks {
  static_assert(std::is_same_v<typename V::value_type, std::remove_const_t<T>>,
                "hpk::simd_blocks: the vectors have lanes of another type than the elements; write "
                "as_simd_blocks<simd<T>> for elements of type T");
  static constexpr int lanes = V::size();

 public:
  /// Refers to `size` numbers of the caller.
  HPK_FORCEINLINE_FUNCTION constexpr simd_blocks(T* data, std::integral auto size)
      : data_(data), size_(static_cast<std::size_t>(size)) {}
  /// Returns the number of blocks, including a partial last one.
  HPK_FORCEINLINE_FUNCTION constexpr std::size_t size() const {
    return (size_ + lanes - 1) / lanes;
  }
  /// Returns block j.
  HPK_FORCEINLINE_FUNCTION constexpr auto operator[](std::size_t j) const {
    detail::vectors::check_span(static_cast<long long>(j * lanes), 1, size_);
    const std::size_t left = size_ - j * lanes;
    const int count = left < static_cast<std::size_t>(lanes) ? static_cast<int>(left) : lanes;
    if constexpr (std::is_const_v<T>) {
      // A whole block is loaded without a mask: the mask costs more than this test.
      return count == lanes ? hpk::unchecked_load<V>(data_ + j * lanes)
                            : hpk::partial_load<V>(data_ + j * lanes, count);
    } else {
      return simd_reference<std::remove_const_t<T>, lanes, true>(data_ + j * lanes, count);
    }
  }

 private:
  T* data_;
  std::size_t size_;
};

/// Returns the numbers at an address, or of a View or range that as_simd_span takes, as an array of
/// vectors.
///@{
template <class V, class T>
HPK_FORCEINLINE_FUNCTION constexpr simd_blocks<V, T> as_simd_blocks(T* data,
                                                                    std::integral auto size) {
  return {data, size};
}
template <class V, detail::vectors::simd_range R>
HPK_FORCEINLINE_FUNCTION constexpr auto as_simd_blocks(R&& range) {
  const auto span = hpk::as_simd_span(range);
  return simd_blocks<V, typename decltype(span)::element_type>(span.data(), span.size());
}
///@}

}  // namespace hpk
