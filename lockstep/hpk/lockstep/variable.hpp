// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Context variables: one value for each index of a domain. The worker that runs the index stores
// the value, which lasts from loop to loop.
#pragma once

#include <hpk/lockstep/detail/errors.hpp>
#include <hpk/lockstep/index.hpp>
#include <hpk/parallel.hpp>

#include <new>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// Values without constructors and destructors: a plain array, which compilers can split into
/// registers.
template <class T, std::uint32_t N>
struct plain_values {
  static constexpr bool plain = true;
  T all[N];
};
/// Other values: raw memory, with the range of places that hold values.
template <class T, std::uint32_t N>
struct constructed_values {
  static constexpr bool plain = false;
  union {
    T all[N];
  };
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  HPK_CALLS_EITHER
  HPK_FUNCTION constructed_values() {}
  constructed_values(const constructed_values&) = delete;
  constructed_values& operator=(const constructed_values&) = delete;
  HPK_CALLS_EITHER
  HPK_FUNCTION ~constructed_values() {
    for (; last != first; --last) all[last - 1].~T();
  }
  /// Constructs a value from make() after the existing ones.
  HPK_CALLS_EITHER
  template <class Make>
  HPK_FUNCTION void construct(std::uint32_t place, const Make& make) {
    ::new (static_cast<void*>(all + place)) T(make());
    if (first == last) first = last = place;
    ++last;
  }
};
template <class T, std::uint32_t N>
using lockstep_values = std::conditional_t<std::is_trivially_default_constructible_v<T> &&
                                               std::is_trivially_destructible_v<T>,
                                           plain_values<T, N>, constructed_values<T, N>>;

/// Tags that select the constructors of variables.
struct from_nothing {};
struct from_arguments {};
struct from_functor {};

}  // namespace hpk::detail

namespace hpk::lockstep {

/// A context variable: a T for each index of the domain of a loop. A worker stores the values of
/// its indices: on devices in registers if the loops have fixed sizes and few rounds, on hosts in
/// an array on its stack with a place for each index. Created by make_variable, or by a loop whose
/// functor returns a value. Use it only in loops of the same shape (domain, pack, configuration):
/// as an argument after the functor, or as v[i] with the idx of the loop.
///
/// Errors: another shape, or an integer instead of the idx, does not compile. v[i] with an idx of
/// another shape, worker or call is an hpk::error in checked builds. Not copyable.
template <class T, class Shape>
class variable {
  static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>,
                "hpk::lockstep::variable: the type is that of a value, neither const nor a "
                "reference nor an array; write hpk::Array<double, 3>");

 public:
  using value_type = T;  ///< the type of each value
  /// For the library: loops and variables must have the same shape.
  using impl_shape = Shape;

  /// For the library: constructs the values of a worker's indices, see make_variable and loop.
  ///@{
  HPK_CALLS_EITHER
  template <class Loop>
  HPK_FUNCTION variable(detail::from_nothing, const Loop& each) : worker_(each.impl_rank()) {
    if constexpr (!values::plain)
      each.impl_visit([&](std::uint32_t, std::uint32_t place) {
        values_.construct(place, [] { return T(); });
      });
  }
  HPK_CALLS_EITHER
  template <class Loop, class... Args>
  HPK_FUNCTION variable(detail::from_arguments, const Loop& each, const Args&... args)
      : worker_(each.impl_rank()) {
    each.impl_visit([&](std::uint32_t, std::uint32_t place) {
      if constexpr (values::plain) {
        values_.all[place] = T(args...);
      } else {
        values_.construct(place, [&]() -> T { return T(args...); });
      }
    });
  }
  HPK_CALLS_EITHER
  template <class Loop, class Make>
  HPK_FUNCTION variable(detail::from_functor, const Loop& each, const Make& make)
      : worker_(each.impl_rank()) {
    each.impl_visit([&](std::uint32_t index, std::uint32_t place) {
      if constexpr (values::plain) {
        values_.all[place] = make(index, place);
      } else {
        values_.construct(place, [&]() -> T { return make(index, place); });
      }
    });
  }
  ///@}
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

  /// The value at the index of the current call.
  ///@{
  HPK_FORCEINLINE_FUNCTION T& operator[](const idx& i) {
    check(i);
    return values_.all[detail::lockstep_access::slot(i)];
  }
  HPK_FORCEINLINE_FUNCTION const T& operator[](const idx& i) const {
    check(i);
    return values_.all[detail::lockstep_access::slot(i)];
  }
  ///@}
  /// An integer index is a compile-time error.
  template <class I>
    requires std::is_integral_v<I>
  HPK_FUNCTION T& operator[](I) const {
    static_assert(detail::always_false<I>,
                  "hpk::lockstep::variable: a worker reaches the values of its own indices only; "
                  "let the functor take a hpk::lockstep::idx i and write v[i]");
  }

  /// For the library: the value at a place.
  ///@{
  HPK_FORCEINLINE_FUNCTION T& impl_at(std::uint32_t place) noexcept { return values_.all[place]; }
  HPK_FORCEINLINE_FUNCTION const T& impl_at(std::uint32_t place) const noexcept {
    return values_.all[place];
  }
  ///@}

 private:
  using values = detail::lockstep_values<T, Shape::capacity>;

  HPK_FORCEINLINE_FUNCTION void check([[maybe_unused]] const idx& i) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      using at = detail::lockstep_access;
      if (at::domain(i) != Shape::domain || at::simd(i) != Shape::simd) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_other_shape({Shape::domain, Shape::simd},
                                                   {at::domain(i), at::simd(i)});))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::lockstep: a variable is used in a loop of another "
                                     "shape than its own");))
      }
      if (i.linear() >= Shape::domain) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_inactive(i.linear(), Shape::domain);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::lockstep: an index that is not active has no "
                                     "variables");))
      }
      if (at::worker(i) != worker_) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_other_worker(i.linear(), at::worker(i), worker_);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::lockstep: a worker uses the variable of another "
                                     "worker's index");))
      }
      // Checked last, because the running index of another worker may not be accessible. It is null
      // if a file without checks runs the loop.
      if (at::current(i) != nullptr && *at::current(i) != i.linear()) [[unlikely]] {
        HPK_IF_ON_HOST((detail::reject_other_index(i.linear(), *at::current(i));))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::lockstep: the variable of an index is used while "
                                     "another one runs");))
      }
    }
  }

  values values_;
  int worker_;
};

/// Whether T is a context variable.
///@{
template <class T>
inline constexpr bool is_variable_v = false;
template <class T, class Shape>
inline constexpr bool is_variable_v<variable<T, Shape>> = true;
///@}

}  // namespace hpk::lockstep
