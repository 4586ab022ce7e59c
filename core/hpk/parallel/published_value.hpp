// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value in memory that one lane publishes and lanes of other groups of the launch wait for. Each
// word holds four bytes of it and a flag, and is stored and loaded as a whole. So the words need no
// order among each other, and there is no fence, whatever the size of the value.
#pragma once

#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/seam/turn.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// Some bytes of a value, and whether they are there.
struct alignas(8) flagged_word {
  std::uint32_t bits;
  std::uint32_t is_there;
};

/// The memory of a value V, which is copied as bytes. Memory of zeros holds no value yet.
template <class V>
class published_value {
 public:
  /// Stores the value, once.
  HPK_INLINE_FUNCTION void publish(const V& value) {
    std::uint32_t bits[words] = {};
    __builtin_memcpy(static_cast<void*>(bits), &value, sizeof(V));
    for (int k = 0; k < words; ++k) primitive_store(&words_[k], flagged_word{bits[k], 1});
  }
  /// Waits until the value is there. By law L7, only for one that a group publishes which has
  /// started.
  HPK_INLINE_FUNCTION V wait() {
    // The words of a batch are loaded at the same time.
    constexpr int batch = words < 16 ? words : 16;
    std::uint32_t bits[words];
    for (int begin = 0; begin < words; begin += batch) {
      const int first = begin < words - batch ? begin : words - batch;
      for (int round = 0;; ++round) {
        flagged_word seen[batch];
        std::uint32_t is_there = 1;
        HPK_UNROLL_16
        for (int k = 0; k < batch; ++k) seen[k] = primitive_load(&words_[first + k]);
        HPK_UNROLL_16
        for (int k = 0; k < batch; ++k) {
          bits[first + k] = seen[k].bits;
          is_there &= seen[k].is_there;
        }
        if (is_there != 0) break;
        HPK_IF_ON_HOST((seam::pause_between_polls(round);))
      }
    }
    V value;
    __builtin_memcpy(static_cast<void*>(&value), bits, sizeof(V));
    return value;
  }

 private:
  static constexpr int words = static_cast<int>((sizeof(V) + 3) / 4);
  flagged_word words_[words];
};

}  // namespace hpk::detail
