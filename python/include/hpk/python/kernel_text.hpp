// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source of a compiled kernel text includes. The text is inside of namespace
// hpk::kernel_text, so `exp(x)` is hpk::exp, and a text may write all names of hpk without `hpk::`.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/array.hpp>
#include <hpk/atomic.hpp>
#include <hpk/complex.hpp>
#include <hpk/half.hpp>
#include <hpk/math.hpp>
#include <hpk/min_max.hpp>
#include <hpk/printf.hpp>
#include <hpk/swap.hpp>
#include <hpk/view.hpp>

#include <hpk/c/call.hpp>
#include <hpk/c/view.hpp>
#include <hpk/python/kernel_call.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace hpk::kernel_text {

// The names that hpk has in a namespace of its own.
using namespace hpk::Experimental;  // NOLINT(google-build-using-namespace)

/// The type in which a reduction adds and multiplies: 64 bits for integers.
template <class T>
using total_t =
    std::conditional_t<std::is_same_v<T, bool> || (std::is_integral_v<T> && std::is_signed_v<T>),
                       std::int64_t, std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>>;

/// Stores a result.
template <class T>
void store(hpk_scalar& result, const T& value) {
  result.type = detail::c::expect_type<T>();
  if constexpr (std::is_integral_v<T>) {
    result.i = static_cast<std::int64_t>(value);
    result.u = static_cast<std::uint64_t>(value);
  } else if constexpr (requires { value.imag(); }) {
    result.f = value.real();
    result.imag = value.imag();
  } else {
    result.f = static_cast<double>(value);
  }
}

}  // namespace hpk::kernel_text
