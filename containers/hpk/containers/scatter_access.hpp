// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ScatterAccess, through which kernels contribute, and the proxy of one element.
#pragma once

#include <hpk/containers/detail/scatter_copies.hpp>
#include <hpk/containers/scatter_operations.hpp>

#include <type_traits>

namespace hpk {

namespace detail {

/// How contributions are joined: by plain operations, by atomic operations, or as the ScatterView
/// decides when it is constructed.
enum class scatter_kind { plain, atomic, run_time };

/// The label for messages about a wrong index; null in builds that do not check.
struct scatter_checks {
  const std::string* label = nullptr;
};

/// Rejects, at compile time, indices that are passed to a ScatterView itself.
template <class T, class... Is>
HPK_FUNCTION T& refuse_scatter_call() {
  static_assert(always_false<Is...>,
                "hpk::ScatterView: elements are reached through access(); write auto access = "
                "scatter.access(); access(i) += value");
  HPK_UNREACHABLE();
}

}  // namespace detail

/// An element to which values are contributed. Made by ScatterAccess for immediate use. It refers
/// to the element, which can't be read.
template <class T, class Op, class Scope, detail::scatter_kind Kind>
class ScatterElement {
 public:
  using value_type = T;  ///< Type of a contribution.

  /// @cond internal
  HPK_FORCEINLINE_FUNCTION ScatterElement(T* to, bool atomic) : to_(to), atomic_(atomic) {}
  /// @endcond
  ScatterElement(const ScatterElement&) = delete;
  ScatterElement& operator=(const ScatterElement&) = delete;

  /// Contributes a value: adds it, multiplies by it, or keeps the smaller or larger value,
  /// depending on the operation.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void update(const T& value) const {
    if constexpr (Kind == detail::scatter_kind::plain) {
      Op().join(*to_, value);
    } else if constexpr (Kind == detail::scatter_kind::atomic) {
      detail::scatter_atomically<Op, Scope>(to_, value);
    } else {
      if (atomic_) {
        detail::scatter_atomically<Op, Scope>(to_, value);
      } else {
        Op().join(*to_, value);
      }
    }
  }
  /// The same, by the name that reducers use.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void join(const T& value) const { update(value); }
  /// Sets the element to the identity, which drops its contributions. Not atomic with contributions
  /// of other lanes.
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void reset() const {
    T value;
    Op().init(value);
    if constexpr (Kind == detail::scatter_kind::plain) {
      *to_ = value;
    } else {
      atomic_store(to_, value, MemoryOrderRelaxed(), Scope());
    }
  }

  /// For sums: contribute value, -value, 1 or -1.
  ///@{
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator+=(const T& value) const
    requires std::is_same_v<Op, ScatterSum>
  {
    update(value);
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator-=(const T& value) const
    requires std::is_same_v<Op, ScatterSum>
  {
    update(static_cast<T>(-value));
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator++() const
    requires std::is_same_v<Op, ScatterSum>
  {
    update(static_cast<T>(1));
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator++(int) const
    requires std::is_same_v<Op, ScatterSum>
  {
    update(static_cast<T>(1));
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator--() const
    requires std::is_same_v<Op, ScatterSum>
  {
    update(static_cast<T>(-static_cast<T>(1)));
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator--(int) const
    requires std::is_same_v<Op, ScatterSum>
  {
    update(static_cast<T>(-static_cast<T>(1)));
  }
  ///@}
  /// For products: contribute value or 1 / value. Integers have no /=.
  ///@{
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator*=(const T& value) const
    requires std::is_same_v<Op, ScatterProd>
  {
    update(value);
  }
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void operator/=(const T& value) const
    requires std::is_same_v<Op, ScatterProd>
  {
    static_assert(!std::is_integral_v<T>,
                  "hpk::ScatterView: 1 / value is 0 for integers; contribute products by *=");
    update(static_cast<T>(static_cast<T>(1) / value));
  }
  ///@}

 private:
  T* to_;
  bool atomic_;
};

/// Access to a ScatterView for the contributions of one iteration, or of one lane over a longer
/// time: access(i, j) += value. Made by ScatterView::access() in a kernel. It refers to the
/// ScatterView, and only the thread that made it may use it. On hosts it holds an address, and
/// making one takes two loads.
template <class ViewType, class Op, class Scope, detail::scatter_kind Kind>
class ScatterAccess {
 public:
  /// Types of a contribution, and of the result of operator().
  ///@{
  using value_type = typename ViewType::non_const_value_type;
  using element_type = ScatterElement<value_type, Op, Scope, Kind>;
  ///@}

  /// @cond internal
  HPK_FORCEINLINE_FUNCTION ScatterAccess(const ViewType& to, bool atomic,
                                         detail::scatter_checks checks)
      : to_(to), checks_(checks), atomic_(atomic) {}
  /// @endcond
  /// Accesses can be moved, but not copied.
  ///@{
  ScatterAccess(const ScatterAccess&) = delete;
  ScatterAccess(ScatterAccess&&) = default;
  ScatterAccess& operator=(const ScatterAccess&) = delete;
  ScatterAccess& operator=(ScatterAccess&&) = default;
  ~ScatterAccess() = default;
  ///@}

  /// The element at the indices, one for each dimension.
  HPK_CALLS_EITHER
  template <class... Is>
  HPK_FORCEINLINE_FUNCTION element_type operator()(Is... is) const {
    static_assert(sizeof...(Is) == static_cast<std::size_t>(ViewType::rank),
                  "hpk::ScatterView: an access takes one index for each dimension");
    if constexpr (static_cast<bool>(HPK_CHECKS)) HPK_IF_ON_HOST((check(is...);))
    return element_type(&to_(is...), atomic_);
  }
  /// The element at an index, for rank 1.
  HPK_CALLS_EITHER
  template <class I>
  HPK_FORCEINLINE_FUNCTION element_type operator[](I i) const {
    static_assert(ViewType::rank == 1,
                  "hpk::ScatterView: operator[] is for rank 1; write access(i, j, ...)");
    return (*this)(i);
  }

 private:
  template <class... Is>
  void check(Is... is) const {
    if (checks_.label == nullptr) return;
    const index_t index[] = {static_cast<index_t>(is)..., 0};
    index_t extents[sizeof...(Is) + 1] = {};
    bool inside = true;
    for (std::size_t r = 0; r != sizeof...(Is); ++r) {
      extents[r] = static_cast<index_t>(to_.extent(r));
      inside = inside && index[r] >= 0 && index[r] < extents[r];
    }
    if (!inside)
      detail::reject_scatter_index(*checks_.label, {static_cast<index_t>(is)...}, extents);
  }

  ViewType to_;
  detail::scatter_checks checks_;
  bool atomic_;
};

}  // namespace hpk
