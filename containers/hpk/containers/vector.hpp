// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vector: the interface of std::vector, on the host, over a DualView, for programs that use
// Kokkos::vector. New programs use std::vector with deep_copy, or AppendBuffer.
#pragma once

#include <hpk/containers/dual_view.hpp>
#include <hpk/core.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {
/// Errors: each function throws hpk::error.
[[noreturn]] void reject_vector_index(std::size_t index, std::size_t size,
                                      const std::source_location& where = {});
[[noreturn]] void reject_vector_place(const char* call, std::ptrdiff_t place, std::size_t size,
                                      const std::source_location& where);
}  // namespace detail

namespace classes {
/// @cond internal
/// The DualView that is the base of a vector.
template <class Scalar, class Arg1Type>
struct vector_base {
  using type = DualView<Scalar*, LayoutLeft, Arg1Type>;
};
template <class Scalar>
struct vector_base<Scalar, void> {
  using type = DualView<Scalar*, LayoutLeft>;
};
/// @endcond
}  // namespace classes

/// A DualView with a size that is edited on the host. view_device() and view_host() have span()
/// elements. Arg1Type: the space of the device side.
///   v.push_back(1); v.host_to_device();  // or on_device(), which copies if the host has changed
/// Members that change size or values modify the host side and synchronise it first if it is stale.
/// Writing to an element does not mark the host side as modified: call modify_host(). All members
/// are for the host, except operator() and size(), which kernels of host spaces may call. A copy of
/// a vector shares the current elements, but has a separate size, like Views after a resize.
///
/// Growth allocates 10 percent more than needed (set_overallocation). Errors: hpk::error with
/// index, size and call site. Threads: one thread at a time.
template <class Scalar, class Arg1Type = void>
class vector : public classes::vector_base<Scalar, Arg1Type>::type {
  using dual = typename classes::vector_base<Scalar, Arg1Type>::type;

 public:
  /// Types as in std::vector, and of the sides of the DualView.
  ///@{
  using value_type = Scalar;
  using pointer = Scalar*;
  using const_pointer = const Scalar*;
  using reference = Scalar&;
  using const_reference = const Scalar&;
  using iterator = Scalar*;
  using const_iterator = const Scalar*;
  using size_type = std::size_t;
  using device_view = typename dual::t_dev;
  using host_view = typename dual::t_host;
  ///@}

  /// Makes an empty vector.
  vector() = default;
  /// Makes n elements with a value.
  explicit(!HPK_PERMISSIVE) vector(size_type n, const Scalar& value = Scalar()) {
    assign(n, value);
  }

  /// Element i. Builds with HPK_CHECKS report an i that is out of range.
  ///@{
  HPK_FUNCTION reference operator()(size_type i) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (i >= size_) {
        HPK_IF_ON_HOST((detail::reject_vector_index(i, size_);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::vector: an index is outside of the size");))
      }
    }
    return host()(i);
  }
  HPK_FUNCTION reference operator[](size_type i) const { return (*this)(i); }
  ///@}
  reference front() const { return (*this)(0); }         ///< Precondition: not empty.
  reference back() const { return (*this)(size_ - 1); }  ///< Precondition: not empty.
  pointer data() const { return host().data(); }         ///< The elements on the host.

  HPK_FUNCTION size_type size() const { return size_; }  ///< The number of elements.
  /// The number of elements that fit into the memory.
  HPK_FUNCTION size_type span() const { return host().extent(0); }
  size_type capacity() const { return span(); }                ///< The same as span().
  size_type max_size() const { return std::size_t{1} << 32; }  ///< 2^32, which is not checked.
  bool empty() const { return size_ == 0; }                    ///< Whether size() is 0.
  /// Iterators over the elements on the host; growth invalidates them.
  ///@{
  iterator begin() const { return host().data(); }
  iterator end() const { return host().data() + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  ///@}

  /// Changes the size. New elements have the given value.
  void resize(size_type n, const Scalar& value = Scalar()) {
    const Scalar copied = value;
    make_room(n);
    for (size_type i = size_; i < n; ++i) host()(i) = copied;
    size_ = n;
    dual::modify_host();
  }
  /// Replaces all elements by n elements with a value.
  void assign(size_type n, const Scalar& value) {
    const Scalar copied = value;
    size_ = 0;
    resize(n, copied);
  }
  /// Replaces all elements by the elements between two iterators.
  template <class Iterator>
    requires(!std::is_convertible_v<Iterator, size_type>)
  void assign(Iterator first, Iterator last) {
    vector fresh;
    for (; first != last; ++first) fresh.push_back(*first);
    fresh.extra_ = extra_;
    *this = fresh;
  }
  /// Allocates memory for n elements, so that growth up to n allocates nothing.
  void reserve(size_type n) {
    if (n > span()) allocate(n);
  }
  /// Appends an element.
  void push_back(const Scalar& value) { resize(size_ + 1, value); }
  /// Removes the last element. Throws hpk::error if the vector is empty.
  void pop_back(const std::source_location& where = std::source_location::current()) {
    if (size_ == 0) detail::reject_vector_place("pop_back()", 0, size_, where);
    --size_;
  }
  /// Removes all elements. The capacity stays.
  void clear() { size_ = 0; }

  /// Inserts before a position and returns the position of the first new element. Throws hpk::error
  /// if the position is out of range.
  ///@{
  iterator insert(iterator at, const Scalar& value,
                  const std::source_location& where = std::source_location::current()) {
    return insert(at, size_type{1}, value, where);
  }
  iterator insert(iterator at, size_type count, const Scalar& value,
                  const std::source_location& where = std::source_location::current()) {
    const Scalar copied = value;
    const iterator first = open(at, count, where);
    for (size_type i = 0; i != count; ++i) first[i] = copied;
    return first;
  }
  ///@}
  /// Inserts the elements between two iterators, which must not be iterators of this vector.
  template <class Iterator>
    requires(!std::is_convertible_v<Iterator, size_type>)
  iterator insert(iterator at, Iterator begin, Iterator end,
                  const std::source_location& where = std::source_location::current()) {
    size_type count = 0;
    for (Iterator i = begin; i != end; ++i) ++count;
    const iterator first = open(at, count, where);
    for (iterator to = first; begin != end; ++begin) *to++ = *begin;
    return first;
  }

  /// Returns the position of the first element that equals a value, or end().
  iterator find(const Scalar& value) const {
    iterator at = begin();
    while (at != end() && !(*at == value)) ++at;
    return at;
  }
  /// Searches the ascending elements first to last. Returns the index of the first element that is
  /// not less than a value; `last` if all elements are less; `first` if the range is empty.
  size_type lower_bound(const size_type& first, const size_type& last, const Scalar& value) const {
    if (first >= last || first >= size_) return first;
    size_type low = first;
    size_type high = hpk::min(last, size_ - 1) + 1;
    while (low != high) {
      const size_type middle = low + (high - low) / 2;
      if (host()(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return hpk::min(low, last);
  }

  /// Copies all elements to the host, or to the device, regardless of which side is newer.
  ///@{
  void device_to_host() {
    fence("hpk::vector::device_to_host");
    deep_copy(host(), dual::view_device());
    dual::clear_sync_state();
  }
  void host_to_device() const {
    deep_copy(dual::view_device(), host());
    dual::clear_sync_state();
  }
  ///@}
  /// Prepares changes of elements on the host, or in kernels: synchronises that side and marks it
  /// as modified.
  ///@{
  void on_host(const std::source_location& where = std::source_location::current()) {
    dual::sync_host(where);
    dual::modify_host(where);
  }
  void on_device(const std::source_location& where = std::source_location::current()) {
    dual::sync_device(where);
    dual::modify_device(where);
  }
  ///@}

  /// Sets how much more than needed growth allocates: 0.1 is 10 percent.
  void set_overallocation(float extra) { extra_ = 1.0 + static_cast<double>(extra); }

 private:
  HPK_FUNCTION const host_view& host() const { return dual::view_host(); }
  // Synchronises the host side and allocates memory for n elements if there is less.
  void make_room(size_type n) {
    dual::sync_host();
    if (n > span()) allocate(static_cast<size_type>(static_cast<double>(n) * extra_) + 1);
  }
  void allocate(size_type n) {
    if (dual::is_allocated()) {
      dual::sync_host();
      dual::resize(n);
    } else {
      static_cast<dual&>(*this) = dual("hpk::vector", n);
    }
    dual::modify_host();
  }
  iterator open(iterator at, size_type count, const std::source_location& where) {
    const std::ptrdiff_t place = at == nullptr ? 0 : at - begin();
    if (place < 0 || place > static_cast<std::ptrdiff_t>(size_))
      detail::reject_vector_place("insert()", place, size_, where);
    const size_type before = size_;
    resize(size_ + count);
    const auto first = static_cast<size_type>(place);
    if (count != 0) {
      for (size_type i = before; i != first; --i) host()(i - 1 + count) = std::move(host()(i - 1));
    }
    return begin() + place;
  }

  size_type size_ = 0;
  double extra_ = 1.1;
};

}  // namespace hpk
