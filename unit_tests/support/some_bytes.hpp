// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of any number of bytes without alignment: for tests of atomics that no instruction
// supports.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>

namespace hpk_test {

template <std::size_t Bytes>
struct some_bytes {
  unsigned char bytes[Bytes];
  friend HPK_FUNCTION some_bytes operator+(some_bytes a, const some_bytes& b) {
    for (std::size_t k = 0; k < Bytes; ++k)
      a.bytes[k] = static_cast<unsigned char>(a.bytes[k] + b.bytes[k]);
    return a;
  }
  friend bool operator==(const some_bytes&, const some_bytes&) = default;
  /// Returns a value whose bytes all equal `value`.
  static some_bytes of(int value) {
    some_bytes all;
    for (unsigned char& byte : all.bytes) byte = static_cast<unsigned char>(value);
    return all;
  }
};

}  // namespace hpk_test
