// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the old value and the argument that atomic operations compute. Integers wrap.
#pragma once

#include <hpk/base/macros.hpp>

#include <concepts>
#include <type_traits>

namespace hpk::detail {

/// An integer type with arithmetic.
template <class T>
concept atomic_integral = std::integral<T> && !std::same_as<T, bool>;

/// The type in which an integer wraps: unsigned, and too wide to be promoted to int.
template <class T>
using wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

// Each operation has apply(before, value). Flags mark operations for integers only, and operations
// that may omit the store if the value is unchanged.
#define HPK_DETAIL_OPERATION(expression)                                   \
  HPK_CALLS_EITHER                                                         \
  template <class T>                                                       \
    requires requires(const T& before, const T& value) { expression; }     \
  static HPK_INLINE_FUNCTION auto apply(const T& before, const T& value) { \
    return expression;                                                     \
  }
#define HPK_DETAIL_WRAPPING_OPERATION(op)                                         \
  HPK_CALLS_EITHER                                                                \
  template <class T>                                                              \
    requires requires(const T& a) { a op a; }                                     \
  static HPK_INLINE_FUNCTION auto apply(const T& before, const T& value) {        \
    if constexpr (atomic_integral<T>) {                                           \
      return static_cast<wrapping<T>>(before) op static_cast<wrapping<T>>(value); \
    } else {                                                                      \
      return before op value;                                                     \
    }                                                                             \
  }

struct add_operation {
  static constexpr bool of_integers = false, may_skip = false;
  HPK_DETAIL_WRAPPING_OPERATION(+)
};
struct sub_operation {
  static constexpr bool of_integers = false, may_skip = false;
  HPK_DETAIL_WRAPPING_OPERATION(-)
};
struct mul_operation {
  static constexpr bool of_integers = false, may_skip = false;
  HPK_DETAIL_WRAPPING_OPERATION(*)
};
struct div_operation {
  static constexpr bool of_integers = false, may_skip = false;
  HPK_DETAIL_OPERATION(before / value)
};
struct max_operation {
  static constexpr bool of_integers = false, may_skip = true;
  HPK_DETAIL_OPERATION(before < value ? value : before)
};
struct min_operation {
  static constexpr bool of_integers = false, may_skip = true;
  HPK_DETAIL_OPERATION(value < before ? value : before)
};
struct mod_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(before % value)
};
struct and_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(before& value)
};
struct or_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(before | value)
};
struct xor_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(before ^ value)
};
struct nand_operation {
  static constexpr bool of_integers = true, may_skip = false;
  template <class T>
  static HPK_INLINE_FUNCTION auto apply(const T& before, const T& value) {
    if constexpr (std::same_as<T, bool>) {
      return !(before && value);
    } else {
      return ~(before & value);
    }
  }
};
struct lshift_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(before << value)
};
struct rshift_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(before >> value)
};
/// Increments up to the value, then restarts from 0.
struct inc_mod_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(static_cast<T>(before >= value ? 0 : before + 1))
};
/// Decrements down to 0, then restarts from the value. An object above the value restarts too.
struct dec_mod_operation {
  static constexpr bool of_integers = true, may_skip = false;
  HPK_DETAIL_OPERATION(static_cast<T>(before == 0 || before > value ? value : before - 1))
};

#undef HPK_DETAIL_OPERATION
#undef HPK_DETAIL_WRAPPING_OPERATION

/// The value after an operation.
HPK_CALLS_EITHER
template <class Operation, class T>
HPK_INLINE_FUNCTION T applied(const T& before, const T& value) {
  return static_cast<T>(Operation::apply(before, value));
}

}  // namespace hpk::detail
