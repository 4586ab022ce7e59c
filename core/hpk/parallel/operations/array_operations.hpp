// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array reductions: the operations on their values, the destination of the result, and the plan of
// the blocks.
#pragma once

#include <hpk/parallel/kernel/walk.hpp>
#include <hpk/parallel/operations/reduce_target.hpp>

namespace hpk::detail {

template <auto>
struct constant;
template <class F>
concept has_static_length = !std::is_member_pointer_v<decltype(&F::value_count)>;
/// Whether value_count is a compile-time constant.
template <class F>
concept has_known_length = has_static_length<F> && requires { typename constant<F::value_count>; };

/// The functor_operations of arrays of run-time length.
template <class F, class Tag, class T>
class functor_operations<F, Tag, T[]> : public functor_members<F, Tag, T[]> {
  using members = functor_members<F, Tag, T[]>;

 public:
  /// The length if it is a compile-time constant, else 0.
  static constexpr index_t known_length = [] {
    if constexpr (has_known_length<F>) {
      return static_cast<index_t>(F::value_count);
    } else {
      return index_t{0};
    }
  }();

  HPK_FUNCTION functor_operations(const F& functor, index_t length)
      : members(functor), length_(length) {}
  /// Returns the same operations, bound to a copy of the functor.
  HPK_FUNCTION functor_operations of(const F& functor) const {
    return functor_operations(functor, length_);
  }
  /// Returns the length: a constant if known_length is set, so that loops over the array unroll.
  HPK_FUNCTION constexpr index_t length() const {
    return known_length != 0 ? known_length : length_;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(T* value) const {
    if constexpr (members::own_init) {
      call_member<init_member, Tag>(members::functor(), value);
    } else {
      for (index_t k = 0; k < length(); ++k) value[k] = T();
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(T* HPK_RESTRICT to, const T* HPK_RESTRICT from) const {
    if constexpr (members::own_join) {
      call_member<join_member, Tag>(members::functor(), to, from);
    } else {
      for (index_t k = 0; k < length(); ++k) to[k] += from[k];
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(T* value) const {
    if constexpr (members::own_final) call_member<final_member, Tag>(members::functor(), value);
  }

 private:
  index_t length_;
};

/// The memory that receives the elements of a result, every `stride`-th E; null if they are
/// discarded.
template <class E>
struct array_place {
  E* where = nullptr;
  index_t length = 0;  ///< 0: unknown
  index_t stride = 1;
  bool blocking = true;

  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION void store(T* values, index_t count) const {
    if (where == nullptr) return;
    for (index_t k = 0; k < count; ++k)
      where[k * stride] = static_cast<E>(static_cast<T&&>(values[k]));
  }
};

/// Plans the blocks of an array reduction, of at least `chunk` iterations (8 if `chunk` is 0).
/// Their number is at most `most` and at most the number of arrays of `bytes_each` bytes that fit
/// `memory`, but the latter limit is never below 16.
constexpr block_plan plan_array_blocks(index_t n, index_t most, std::size_t memory,
                                       std::size_t bytes_each, index_t chunk) noexcept {
  if (n <= 0) return {0, 1};
  const auto fit = static_cast<index_t>(memory / (bytes_each == 0 ? 1 : bytes_each));
  const index_t blocks = fit < 16 ? 16 : fit < most ? fit : most;
  const index_t share = n / blocks + (n % blocks != 0);
  const index_t least = chunk == 0 ? 8 : chunk;
  return {n, share < least ? least : share};
}
template <class Machine>
constexpr block_plan plan_array_blocks(index_t n, std::size_t bytes_each, index_t chunk) noexcept {
  if constexpr (Machine::lane::single) {
    return plan_array_blocks(n, n < 65536 ? 32 : 256, std::size_t{1} << 20, bytes_each, chunk);
  } else {
    return plan_array_blocks(n, 8192, std::size_t{64} << 20, bytes_each, chunk);
  }
}
/// The largest array, in bytes, that a host folds on the stack, where the compiler knows that no
/// other pointer refers to it.
inline constexpr std::size_t small_array = 512;
/// The most elements T of a small array; 0 if T must not be placed on the stack.
template <class T>
inline constexpr index_t most_small =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>
        ? static_cast<index_t>(small_array / sizeof(T))
        : 0;
/// The number of elements reserved for a small array: its length if that is a compile-time
/// constant, else the most that fit.
template <class T, class Operations>
inline constexpr auto small_array_room = static_cast<std::size_t>(
    Operations::known_length > 0 && Operations::known_length <= most_small<T>
        ? Operations::known_length
        : most_small<T>);

}  // namespace hpk::detail
