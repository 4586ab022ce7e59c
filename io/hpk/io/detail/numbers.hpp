// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the kind of a number to its type, for .cpp files.
#pragma once

#include <hpk/io/detail/elements.hpp>

#include <cstdint>

namespace hpk::detail {

/// Calls `call(T{})` with the type of the kind; with no type for number_kind::none.
template <class Call>
void with_type_of(number_kind kind, Call&& call) {
  switch (kind) {
    case number_kind::none:
      return;
    case number_kind::boolean:
      return call(bool{});
    case number_kind::int8:
      return call(std::int8_t{});
    case number_kind::int16:
      return call(std::int16_t{});
    case number_kind::int32:
      return call(std::int32_t{});
    case number_kind::int64:
      return call(std::int64_t{});
    case number_kind::uint8:
      return call(std::uint8_t{});
    case number_kind::uint16:
      return call(std::uint16_t{});
    case number_kind::uint32:
      return call(std::uint32_t{});
    case number_kind::uint64:
      return call(std::uint64_t{});
    case number_kind::half:
      return call(half_functions::small_float<5, 10>{});
    case number_kind::bhalf:
      return call(half_functions::small_float<8, 7>{});
    case number_kind::float32:
      return call(float{});
    case number_kind::float64:
      return call(double{});
    case number_kind::long_double:
      return call(static_cast<long double>(0));
  }
}

}  // namespace hpk::detail
