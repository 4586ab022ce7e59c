// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vector: what std::vector offers, on the host, over a pair of a host and a device View, for
// programs that use Kokkos::vector. New programs have std::vector with deep_copy, or AppendBuffer.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {
/// Errors of vectors.
[[noreturn]] void reject_vector_index(std::size_t index, std::size_t size,
                                      const std::source_location& where = {});
[[noreturn]] void reject_vector_place(const char* call, std::ptrdiff_t place, std::size_t size,
                                      const std::source_location& where);
[[noreturn]] void reject_vector_stale(const char* call, bool device,
                                      const std::source_location& where);
}  // namespace detail

/// A resizable array that is edited on the host. Space is that of view_device(), with the elements
/// for kernels; the host has a copy in view_host(), or the same memory where it can access that.
///   v.push_back(1); v.host_to_device();  // or on_device(), which copies if the host has changed
/// All members are for the host, except operator() and size() in kernels of host spaces. A copy of
/// a vector shares its elements as they are, but has a size of its own, as Views do.
///
/// Growth allocates 10 percent more than asked for (set_overallocation). Errors: hpk::error with
/// index, size and call site. Threads: one at a time.
template <class Scalar, class Arg1Type = void>
class vector {
 public:
  using value_type = Scalar;
  using pointer = Scalar*;
  using const_pointer = const Scalar*;
  using reference = Scalar&;
  using const_reference = const Scalar&;
  using iterator = Scalar*;
  using const_iterator = const Scalar*;
  using size_type = std::size_t;
  using device_view =
      View<Scalar*, LayoutLeft, typename ViewTraits<Scalar*, Arg1Type>::device_type>;
  using host_view = typename device_view::host_mirror_type;
  using t_dev = device_view;
  using t_host = host_view;
  using execution_space = typename device_view::execution_space;
  using memory_space = typename device_view::memory_space;

  /// Empty.
  vector() = default;
  /// n elements of a value.
  explicit vector(size_type n, const Scalar& value = Scalar()) { assign(n, value); }

  /// Element i. Builds with HPK_CHECKS report an i that is outside.
  HPK_FUNCTION reference operator()(size_type i) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (i >= size_) {
        HPK_IF_ON_HOST((detail::reject_vector_index(i, size_);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::vector: an index is outside of the size");))
      }
    }
    return host_(i);
  }
  HPK_FUNCTION reference operator[](size_type i) const { return (*this)(i); }
  reference front() const { return (*this)(0); }
  reference back() const { return (*this)(size_ - 1); }
  pointer data() const { return host_.data(); }

  HPK_FUNCTION size_type size() const { return size_; }
  /// The elements that there is room for.
  HPK_FUNCTION size_type span() const { return host_.extent(0); }
  size_type capacity() const { return span(); }
  size_type max_size() const { return std::size_t{1} << 32; }
  bool empty() const { return size_ == 0; }
  bool is_allocated() const { return host_.is_allocated(); }
  iterator begin() const { return host_.data(); }
  iterator end() const { return host_.data() + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }

  /// Changes the size; new elements have the value.
  void resize(size_type n, const Scalar& value = Scalar()) {
    const Scalar kept = value;
    make_room(n);
    for (size_type i = size_; i < n; ++i) host_(i) = kept;
    size_ = n;
    host_changed_ = true;
  }
  /// n elements of a value.
  void assign(size_type n, const Scalar& value) {
    const Scalar kept = value;
    size_ = 0;
    resize(n, kept);
  }
  /// The elements between two iterators.
  template <class Iterator>
    requires(!std::is_convertible_v<Iterator, size_type>)
  void assign(Iterator first, Iterator last) {
    vector fresh;
    for (; first != last; ++first) fresh.push_back(*first);
    fresh.extra_ = extra_;
    *this = fresh;
  }
  /// Makes room for n elements, so that growth up to n allocates nothing.
  void reserve(size_type n) {
    if (n > span()) allocate(n);
  }
  void push_back(const Scalar& value) { resize(size_ + 1, value); }
  /// Removes the last element. Throws hpk::error if there is none.
  void pop_back(const std::source_location& where = std::source_location::current()) {
    if (size_ == 0) detail::reject_vector_place("pop_back()", 0, size_, where);
    --size_;
  }
  /// Removes all elements; the room stays.
  void clear() { size_ = 0; }

  /// Inserts before a position, and returns where the first new element is. Throws hpk::error if it
  /// lies outside.
  iterator insert(iterator at, const Scalar& value,
                  const std::source_location& where = std::source_location::current()) {
    return insert(at, size_type{1}, value, where);
  }
  iterator insert(iterator at, size_type count, const Scalar& value,
                  const std::source_location& where = std::source_location::current()) {
    const Scalar kept = value;
    const iterator first = open(at, count, where);
    for (size_type i = 0; i != count; ++i) first[i] = kept;
    return first;
  }
  /// The elements between two iterators, which are not of this vector.
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

  /// The position of the first element that equals a value; end() if there is none.
  iterator find(const Scalar& value) const {
    iterator at = begin();
    while (at != end() && !(*at == value)) ++at;
    return at;
  }
  /// In the ascending elements first to last: the index of the first that is not less than a value,
  /// or `last`, or `first` if there are none.
  size_type lower_bound(const size_type& first, const size_type& last, const Scalar& value) const {
    if (first >= last || first >= size_) return first;
    size_type low = first;
    size_type high = hpk::min(last, size_ - 1) + 1;
    while (low != high) {
      const size_type middle = low + (high - low) / 2;
      if (host_(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return hpk::min(low, last);
  }

  /// Copies all elements to the host, or to the device.
  void device_to_host() {
    fence("hpk::vector::device_to_host");
    deep_copy(host_, device_);
    host_changed_ = device_changed_ = false;
  }
  void host_to_device() const {
    deep_copy(device_, host_);
    host_changed_ = device_changed_ = false;
  }
  /// The host, or kernels, are going to change elements: copies what the other side has changed.
  /// Throws hpk::error if both have changed.
  void on_host(const std::source_location& where = std::source_location::current()) {
    if (host_changed_ && device_changed_) detail::reject_vector_stale("on_host()", false, where);
    if (device_changed_) device_to_host();
    host_changed_ = true;
  }
  void on_device(const std::source_location& where = std::source_location::current()) {
    if (host_changed_ && device_changed_) detail::reject_vector_stale("on_device()", true, where);
    if (host_changed_) host_to_device();
    device_changed_ = true;
  }
  /// The elements on the device, and on the host; span() of them.
  const device_view& view_device() const { return device_; }
  const host_view& view_host() const { return host_; }

  /// How much more than needed growth allocates: 0.1 are 10 percent.
  void set_overallocation(float extra) { extra_ = 1.0 + static_cast<double>(extra); }

 private:
  void make_room(size_type n) {
    if (n > span()) allocate(static_cast<size_type>(static_cast<double>(n) * extra_) + 1);
  }
  void allocate(size_type n) {
    // What only the device knows comes along.
    if (device_changed_ && !host_changed_) device_to_host();
    const std::string label = device_.is_allocated() ? device_.label() : std::string("hpk::vector");
    const device_view device(label, n);
    const host_view host = create_mirror_view(device);
    for (size_type i = 0; i < size_; ++i) host(i) = host_(i);
    device_ = device;
    host_ = host;
    host_changed_ = true;
  }
  iterator open(iterator at, size_type count, const std::source_location& where) {
    const std::ptrdiff_t place = at == nullptr ? 0 : at - begin();
    if (place < 0 || place > static_cast<std::ptrdiff_t>(size_))
      detail::reject_vector_place("insert()", place, size_, where);
    const size_type before = size_;
    resize(size_ + count);
    const auto first = static_cast<size_type>(place);
    if (count != 0) {
      for (size_type i = before; i != first; --i) host_(i - 1 + count) = std::move(host_(i - 1));
    }
    return begin() + place;
  }

  device_view device_;
  host_view host_;
  size_type size_ = 0;
  double extra_ = 1.1;
  mutable bool host_changed_ = false;
  mutable bool device_changed_ = false;
};

}  // namespace hpk
