// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proxy for an element of a View with the Streaming trait: a reference whose stores bypass the
// caches.
#pragma once

#include <hpk/base/streaming.hpp>
#include <hpk/view/element_operators.hpp>

namespace hpk {

/// A reference to an element whose stores bypass the caches (non-temporal stores; on GPUs
/// evict-first stores). A large result is then not fetched before it is overwritten, and does not
/// evict other data. Faster for whole cache lines of arrays larger than the caches; slower if the
/// data is used again soon. Loads, and types without a suitable size, are plain. Stores of a kernel
/// are visible to later kernels and copies of any space and, after fence(), to every thread.
template <class T>
class streaming_element : public classes::element_operators<streaming_element<T>, T> {
  using operators = classes::element_operators<streaming_element, T>;
  friend operators;

 public:
  using value_type = typename operators::value_type;  ///< T without const

  /// For Views: refers to the element at an address.
  HPK_FUNCTION constexpr explicit streaming_element(T* element) noexcept : element_(element) {}
  streaming_element(const streaming_element&) = default;  ///< refers to the same element
  using operators::operator=;
  /// Stores the value of another element.
  HPK_CALLS_EITHER
  HPK_FUNCTION value_type operator=(const streaming_element& other) const {
    return *this = other.load();
  }
  /// The value.
  HPK_CALLS_EITHER
  HPK_FUNCTION value_type load() const { return *element_; }

 private:
  HPK_CALLS_EITHER
  HPK_FORCEINLINE_FUNCTION void store(const value_type& value) const {
    detail::store_streaming(element_, value);
  }
  template <class Change>
  HPK_FUNCTION value_type change(const Change& to) const {
    const value_type after = to(load());
    store(after);
    return after;
  }
  HPK_FUNCTION value_type add(const value_type& value) const {
    return *this = static_cast<value_type>(load() + value);
  }
  HPK_FUNCTION value_type subtract(const value_type& value) const {
    return *this = static_cast<value_type>(load() - value);
  }

  T* element_;
};

}  // namespace hpk
