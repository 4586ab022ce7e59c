// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value in memory that one lane publishes and for which lanes of other groups of the launch wait.
// Each word holds four bytes of the value and a flag, and is stored and loaded as a whole. So words
// need no order among each other, and values of any size need no fence.
#pragma once

#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/seam/turn.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// Four bytes of a value, and whether they are published.
struct alignas(8) flagged_word {
  std::uint32_t bits;
  std::uint32_t is_there;
};

/// The memory of a value V, which is copied as bytes. Memory filled with zeros holds no value yet.
template <class V>
class published_value {
 public:
  /// Stores the value, once.
  HPK_INLINE_FUNCTION void publish(const V& value) {
    // Batch by batch: a copy of a large value would take as much memory again.
    for (int begin = 0; begin < words; begin += batch) {
      const int first = first_of(begin);
      std::uint32_t bits[std::size_t{batch}] = {};
      __builtin_memcpy(static_cast<void*>(bits), part_of(value, first), bytes_of(first));
      HPK_UNROLL_16
      for (int k = 0; k < batch; ++k) primitive_store(&words_[first + k], flagged_word{bits[k], 1});
    }
  }
  /// Waits until the value is published. The publishing group must have started (law L7).
  HPK_INLINE_FUNCTION V wait() {
    V value;
    for (int begin = 0; begin < words; begin += batch) {
      const int first = first_of(begin);
      // The words of a batch are loaded together.
      std::uint32_t bits[std::size_t{batch}];
      for ([[maybe_unused]] int round = 0;; ++round) {
        flagged_word seen[std::size_t{batch}];
        std::uint32_t is_there = 1;
        HPK_UNROLL_16
        for (int k = 0; k < batch; ++k) seen[k] = primitive_load(&words_[first + k]);
        HPK_UNROLL_16
        for (int k = 0; k < batch; ++k) {
          bits[k] = seen[k].bits;
          is_there &= seen[k].is_there;
        }
        if (is_there != 0) break;
        HPK_IF_ON_HOST((seam::pause_between_polls(round);))
      }
      __builtin_memcpy(static_cast<void*>(part_of(value, first)), bits, bytes_of(first));
    }
    return value;
  }

 private:
  static constexpr int words = static_cast<int>((sizeof(V) + 3) / 4);
  static constexpr int batch = words < 16 ? words : 16;
  // Returns the first word of the batch that begins at a word; the last batch overlaps the previous
  // one.
  HPK_INLINE_FUNCTION static constexpr int first_of(int begin) {
    return begin < words - batch ? begin : words - batch;
  }
  // Returns the number of bytes of a value that the words of a batch hold.
  HPK_INLINE_FUNCTION static constexpr std::size_t bytes_of(int first) {
    const auto left = static_cast<int>(sizeof(V)) - 4 * first;
    return static_cast<std::size_t>(left < 4 * batch ? left : 4 * batch);
  }
  template <class T>
  HPK_INLINE_FUNCTION static auto* part_of(T& value, int first) {
    using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return reinterpret_cast<byte*>(&value) + 4 * first;
  }
  flagged_word words_[std::size_t{words}];
};

}  // namespace hpk::detail
