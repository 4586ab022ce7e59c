// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterators over Views of rank 1 with any layout: begin, end, cbegin, cend, distance and iter_swap.
// They are random-access iterators for host and device. They know the size of the View, and checked
// builds report accesses outside of it. They do not keep the memory of the View alive.
#pragma once

#include <hpk/core.hpp>
#include <hpk/error.hpp>

#include <compare>
#include <concepts>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace hpk::classes {
/// @cond internal
/// The distance in memory from the first element of a View of rank 1 to element i, for contiguous
/// elements.
struct unit_step {
  HPK_FORCEINLINE_FUNCTION constexpr index_t operator()(index_t i) const noexcept { return i; }
  template <class T>
  HPK_FORCEINLINE_FUNCTION constexpr T* advance(T* first, index_t by) noexcept {
    return first + by;
  }
};
/// The distance from the first element to element i, for elements with a stride.
struct even_step {
  index_t stride = 1;
  HPK_FORCEINLINE_FUNCTION constexpr index_t operator()(index_t i) const noexcept {
    return i * stride;
  }
  template <class T>
  HPK_FORCEINLINE_FUNCTION constexpr T* advance(T* first, index_t by) noexcept {
    return first + by * stride;
  }
};
/// The distance from the first element to element i, for a layout without strides: its mapping
/// computes the distance.
template <class Map>
struct mapped_step {
  Map map;
  index_t from = 0;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION constexpr index_t operator()(index_t i) const {
    return static_cast<index_t>(map(from + i));
  }
  template <class T>
  HPK_FORCEINLINE_FUNCTION constexpr T* advance(T* first, index_t by) noexcept {
    from += by;
    return first;
  }
};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail::algorithms {
using classes::even_step;
using classes::mapped_step;
using classes::unit_step;

template <class V>
constexpr auto find_step() {
  using layout = typename V::array_layout;
  if constexpr (std::is_same_v<layout, LayoutLeft> || std::is_same_v<layout, LayoutRight>) {
    return std::type_identity<unit_step>{};
  } else if constexpr (V::is_always_strided()) {
    return std::type_identity<even_step>{};
  } else {
    return std::type_identity<mapped_step<typename V::mapping_type>>{};
  }
}
template <class V>
using step_of = typename decltype(find_step<V>())::type;

HPK_CALLS_EITHER
template <class V>
HPK_FUNCTION step_of<V> make_step([[maybe_unused]] const V& view) {
  if constexpr (std::is_same_v<step_of<V>, unit_step>) {
    return {};
  } else if constexpr (std::is_same_v<step_of<V>, even_step>) {
    return {static_cast<index_t>(view.stride(0))};
  } else {
    return {hpk::get_mapping(view), 0};
  }
}

/// Elements in the form that kernels of algorithms access. No access is checked.
template <class T, class Reference, class Step>
struct element_row {
  T* first;
  Step step;
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION Reference operator[](index_t i) const {
    if constexpr (std::is_lvalue_reference_v<Reference>) {
      return first[step(i)];
    } else {
      return Reference(first + step(i));
    }
  }
};

/// The allocation record of a View, or null for wrapped memory.
using view_record = decltype(std::declval<const View<int*>&>().record());

/// Throws hpk::error for an access by an iterator that is not at an element.
[[noreturn]] void reject_iterator(view_record record, index_t index, index_t size);
/// Throws hpk::error for an expression with iterators of two Views.
[[noreturn]] void reject_iterators_of_two(view_record a, view_record b);

}  // namespace hpk::detail::algorithms

namespace hpk::classes {
/// An iterator over a View of rank 1, as begin() and end() return it. It holds the address of the
/// first element, the step from element to element, the number of elements, and its current index.
template <class T, class Reference, class Memory, class Step>
class view_iterator {
  template <class, class, class, class>
  friend class view_iterator;

  static constexpr bool has_stride =
      requires(Step step) { step.stride; } || std::is_same_v<Step, unit_step>;

 public:
  /// As a random-access iterator requires.
  ///@{
  using iterator_category = std::random_access_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using element_type = T;
  using difference_type = index_t;
  using pointer = T*;
  using reference = Reference;
  ///@}
  using memory_space = Memory;  ///< of the View

  /// Makes an iterator that belongs to no View.
  HPK_DEFAULTED_FUNCTION constexpr view_iterator() noexcept = default;
  /// @cond internal
  // Programs call begin(view).
  HPK_FUNCTION constexpr view_iterator(T* first, const Step& step, index_t size, index_t index,
                                       detail::algorithms::view_record record) noexcept
      : first_(first), step_(step), size_(size), index_(index), record_(record) {}
  /// @endcond
  /// Converts to an iterator over const elements.
  template <class U, class R>
    requires(std::is_same_v<const U, T> && !std::is_const_v<U>)
  HPK_FUNCTION constexpr view_iterator(const view_iterator<U, R, Memory, Step>& other) noexcept
      : first_(other.first_),
        step_(other.step_),
        size_(other.size_),
        index_(other.index_),
        record_(other.record_) {}

  /// Returns the current element. Checked builds throw hpk::error if the iterator is not at an
  /// element.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference operator*() const { return (*this)[0]; }
  /// Returns the element `by` positions further, with the same check.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION reference operator[](index_t by) const {
    const index_t i = index_ + by;
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (i < 0 || i >= size_) [[unlikely]] {
        HPK_IF_ON_HOST((detail::algorithms::reject_iterator(record_, i, size_);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk: an iterator accesses an element outside of its View");))
      }
    }
    return detail::algorithms::element_row<T, Reference, Step>{first_, step_}[i];
  }
  /// Accesses a member of the current element, unless elements are proxies.
  HPK_CALLS_EITHER
  HPK_FUNCTION pointer operator->() const
    requires(std::is_lvalue_reference_v<Reference>)
  {
    return &**this;
  }

  /// Moves the iterator by a number of elements. The position is not checked.
  ///@{
  HPK_FUNCTION constexpr view_iterator& operator+=(index_t by) noexcept {
    index_ += by;
    return *this;
  }
  HPK_FUNCTION constexpr view_iterator& operator-=(index_t by) noexcept {
    index_ -= by;
    return *this;
  }
  HPK_FUNCTION constexpr view_iterator& operator++() noexcept { return *this += 1; }
  HPK_FUNCTION constexpr view_iterator& operator--() noexcept { return *this -= 1; }
  HPK_FUNCTION constexpr view_iterator operator++(int) noexcept {
    const view_iterator old = *this;
    ++index_;
    return old;
  }
  HPK_FUNCTION constexpr view_iterator operator--(int) noexcept {
    const view_iterator old = *this;
    --index_;
    return old;
  }
  HPK_FUNCTION friend constexpr view_iterator operator+(view_iterator it, index_t by) noexcept {
    return it += by;
  }
  HPK_FUNCTION friend constexpr view_iterator operator+(index_t by, view_iterator it) noexcept {
    return it += by;
  }
  HPK_FUNCTION friend constexpr view_iterator operator-(view_iterator it, index_t by) noexcept {
    return it -= by;
  }
  ///@}
  /// Iterators over one View and its subviews are subtracted and compared by the positions of their
  /// elements, also iterators over const elements with iterators over non-const ones. Checked
  /// builds throw hpk::error unless a whole number of steps within one allocation leads from one
  /// iterator to the other.
  ///@{
  template <class U, class R>
    requires std::is_same_v<std::remove_cv_t<U>, value_type>
  HPK_FUNCTION constexpr index_t operator-(const view_iterator<U, R, Memory, Step>& other) const {
    expect_reaches(other);
    return steps_from(other);
  }
  template <class U, class R>
    requires std::is_same_v<std::remove_cv_t<U>, value_type>
  HPK_FUNCTION constexpr bool operator==(const view_iterator<U, R, Memory, Step>& other) const {
    expect_reaches(other);
    if constexpr (std::is_same_v<Step, unit_step>) {
      return data() == other.data();
    } else {
      return steps_from(other) == 0;
    }
  }
  template <class U, class R>
    requires std::is_same_v<std::remove_cv_t<U>, value_type>
  HPK_FUNCTION constexpr std::strong_ordering operator<=>(
      const view_iterator<U, R, Memory, Step>& other) const {
    expect_reaches(other);
    return steps_from(other) <=> 0;
  }
  ///@}

  /// Returns the address of the current element.
  HPK_CALLS_EITHER
  HPK_FUNCTION constexpr T* data() const { return first_ + step_(index_); }
  /// Returns the distance in memory to the next element, in elements.
  HPK_FUNCTION constexpr index_t stride() const noexcept
    requires(has_stride)
  {
    if constexpr (std::is_same_v<Step, unit_step>) {
      return 1;
    } else {
      return step_.stride;
    }
  }
  /// Return the current index in the View, and the number of elements of the View.
  ///@{
  HPK_FUNCTION constexpr index_t index() const noexcept { return index_; }
  HPK_FUNCTION constexpr index_t size() const noexcept { return size_; }
  ///@}
  /// Whether a whole number of steps leads to the other iterator: both belong to one View, or to
  /// parts of one allocation with the same stride. For memory that hpk did not allocate, one View
  /// must contain the other.
  template <class U, class R>
  HPK_FUNCTION constexpr bool reaches(
      const view_iterator<U, R, Memory, Step>& other) const noexcept {
    if constexpr (!has_stride) {
      return first_ == other.first_ && size_ == other.size_;
    } else {
      const index_t step = stride();
      if (step != other.stride()) return false;
      if (first_ == other.first_) return true;
      if (step == 0 || (first_ - other.first_) % step != 0) return false;
      return (record_ != nullptr && record_ == other.record_) || contains(other) ||
             other.contains(*this);
    }
  }
  /// @cond internal
  /// For the library: returns the elements from this position on, as a row.
  HPK_FUNCTION constexpr detail::algorithms::element_row<T, Reference, Step> row() const noexcept {
    Step step = step_;
    T* const first = step.advance(first_, index_);
    return {first, step};
  }
  /// For the library: returns the allocation record of the View.
  HPK_FUNCTION constexpr detail::algorithms::view_record record() const noexcept { return record_; }
  /// @endcond

 private:
  template <class U, class R>
  HPK_FUNCTION constexpr index_t steps_from(const view_iterator<U, R, Memory, Step>& other) const {
    if constexpr (std::is_same_v<Step, unit_step>) {
      return data() - other.data();
    } else {
      if constexpr (has_stride) {
        if (first_ != other.first_ && step_.stride != 0)
          return (first_ - other.first_) / step_.stride + index_ - other.index_;
      }
      return index_ - other.index_;
    }
  }
  template <class U, class R>
  HPK_FUNCTION constexpr bool contains(
      const view_iterator<U, R, Memory, Step>& other) const noexcept {
    return first_ <= other.first_ &&
           other.first_ + other.size_ * stride() <= first_ + size_ * stride();
  }
  template <class U, class R>
  HPK_FUNCTION constexpr void expect_reaches(
      [[maybe_unused]] const view_iterator<U, R, Memory, Step>& other) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (!reaches(other)) [[unlikely]] {
        HPK_IF_ON_HOST((detail::algorithms::reject_iterators_of_two(record_, other.record_);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk: an expression has iterators of two Views; compare "
                                     "iterators of one View or its subviews, of one stride");))
      }
    }
  }

  T* first_ = nullptr;
  Step step_{};
  index_t size_ = 0;
  index_t index_ = 0;
  detail::algorithms::view_record record_ = nullptr;
};
}  // namespace hpk::classes

namespace hpk::detail::algorithms {
using classes::view_iterator;

template <class T>
inline constexpr bool is_view_iterator_v = false;
template <class T, class R, class M, class S>
inline constexpr bool is_view_iterator_v<view_iterator<T, R, M, S>> = true;

/// The iterator type over a View, with elements of type T.
template <class V, class T = typename V::value_type>
using iterator_of =
    view_iterator<T,
                  std::conditional_t<std::is_const_v<T> && V::reference_type_is_lvalue_reference,
                                     T&, typename V::reference_type>,
                  typename V::memory_space, step_of<V>>;

HPK_CALLS_EITHER
template <class T, class V>
HPK_FUNCTION auto iterate(const V& view, bool from_end) {
  static_assert(V::rank() == 1,
                "hpk::begin: the View's rank is not 1; take a row with hpk::subview(view, i, "
                "hpk::ALL), or the elements in memory order as View<T*>(view.data(), view.size())");
  const index_t size = static_cast<index_t>(view.extent(0));
  return iterator_of<V, T>(view.data(), make_step(view), size, from_end ? size : 0, view.record());
}

/// Exchanges element i of row a with element k of row b.
HPK_CALLS_EITHER
template <class A, class B>
HPK_FORCEINLINE_FUNCTION void exchange(const A& a, index_t i, const B& b, index_t k) {
  if constexpr (requires { hpk_swap(a[i], b[k]); }) {
    hpk_swap(a[i], b[k]);
  } else {
    const auto saved = *(b.first + b.step(k));
    b[k] = *(a.first + a.step(i));
    a[i] = saved;
  }
}
/// Exchanges elements i of two rows.
template <class A, class B>
struct swap_elements {
  A a;
  B b;
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION void operator()(I i) const {
    exchange(a, static_cast<index_t>(i), b, static_cast<index_t>(i));
  }
};

}  // namespace hpk::detail::algorithms

namespace hpk::Experimental {

/// Returns an iterator to the first element of a View of rank 1 with any layout. It is a
/// random-access iterator for host and device. It converts to an iterator over const elements, and
/// does not keep the memory alive.
HPK_CALLS_EITHER
template <class D, class... Ps>
HPK_FUNCTION auto begin(const View<D, Ps...>& view) {
  return detail::algorithms::iterate<typename View<D, Ps...>::value_type>(view, false);
}
/// Returns an iterator to the position after the last element.
HPK_CALLS_EITHER
template <class D, class... Ps>
HPK_FUNCTION auto end(const View<D, Ps...>& view) {
  return detail::algorithms::iterate<typename View<D, Ps...>::value_type>(view, true);
}
/// Returns begin(view) as an iterator over const elements.
HPK_CALLS_EITHER
template <class D, class... Ps>
HPK_FUNCTION auto cbegin(const View<D, Ps...>& view) {
  return detail::algorithms::iterate<const typename View<D, Ps...>::value_type>(view, false);
}
/// Returns end(view) as an iterator over const elements.
HPK_CALLS_EITHER
template <class D, class... Ps>
HPK_FUNCTION auto cend(const View<D, Ps...>& view) {
  return detail::algorithms::iterate<const typename View<D, Ps...>::value_type>(view, true);
}

/// Returns last - first, the number of steps from one iterator to the other.
template <class First, class Last>
  requires requires(const First& a, const Last& b) { b - a; }
HPK_FUNCTION constexpr auto distance(const First& first, const Last& last) {
  return last - first;
}

/// Exchanges the elements at two iterators. For host code; returns after the exchange. Elements
/// outside of HostSpace are exchanged by a kernel of the execution space of their memory. In
/// kernels call hpk::hpk_swap(*a, *b).
template <class A, class B>
  requires(detail::algorithms::is_view_iterator_v<A> && detail::algorithms::is_view_iterator_v<B>)
void iter_swap(const A& a, const B& b,
               const std::source_location& where = std::source_location::current()) {
  static_assert(std::is_same_v<typename A::memory_space, typename B::memory_space>,
                "hpk::iter_swap: the elements are in different memory spaces; copy one to the "
                "other with hpk::deep_copy");
  const detail::algorithms::swap_elements kernel{a.row(), b.row()};
  if constexpr (std::is_same_v<typename A::memory_space, HostSpace>) {
    kernel(0);
  } else {
    using exec = typename A::memory_space::execution_space;
    const exec space;
    parallel_for("hpk::iter_swap", RangePolicy<exec>(space, 0, 1), kernel, where);
    space.fence("hpk::iter_swap: fence after the exchange");
  }
}

}  // namespace hpk::Experimental
