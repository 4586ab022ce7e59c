// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based random numbers: Philox and Threefry turn a key and a counter into random bits. A
// number depends only on the seed, the stream, the index, and how many numbers were drawn at this
// index before. The numbers are the same on every space, for any number of workers, and need
// neither state nor pool:
//   const hpk::CounterRandom<> random(seed);
//   ... in a kernel: auto generator = random.at(i); x(i) = generator.drand(); y(i) =
//   generator.normal();
#pragma once

#include <hpk/algorithms/random_engine.hpp>

#include <hpk/core.hpp>

#include <cstdint>

namespace hpk::detail {

/// Throws hpk::error for a stream that the algorithm does not have.
[[noreturn]] void reject_stream(const char* algorithm, std::uint64_t stream);

HPK_FORCEINLINE_FUNCTION constexpr std::uint64_t rotate_left(std::uint64_t x, int by) noexcept {
  return (x << by) | (x >> (64 - by));
}

/// The constant of Threefish's key schedule in Skein 1.3.
inline constexpr std::uint64_t threefry_parity = 0x1bd11bdaa9fc1a22u;

/// One mix step: an addition, a rotation and an exclusive or.
HPK_FORCEINLINE_FUNCTION constexpr void threefry_mix(std::uint64_t& a, std::uint64_t& b,
                                                     int by) noexcept {
  a += b;
  b = rotate_left(b, by) ^ a;
}

}  // namespace hpk::detail

namespace hpk {

// The algorithms are from J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random
// numbers: as easy as 1, 2, 3 (SC 2011), and compute the same numbers as its library Random123.

/// Philox 4x32: 128 bits from a counter of 128 bits and a key of 64 bits. Ten rounds are usual. One
/// block gives 2 doubles or 4 floats.
template <int Rounds = 10>
struct Philox4x32 {
  /// Types of a word, a counter and a key of block().
  ///@{
  using word_type = std::uint32_t;
  using counter_type = Array<std::uint32_t, 4>;
  using key_type = Array<std::uint32_t, 2>;
  ///@}
  /// Number of 64-bit words of a block.
  static constexpr int words = 2;
  /// The last stream of a seed; the first is 0.
  static constexpr std::uint64_t last_stream = 0xffffffffu;
  /// Returns the name that error messages print.
  HPK_FUNCTION static constexpr const char* name() { return "Philox4x32"; }

  /// Returns the random bits of a counter and a key.
  HPK_FORCEINLINE_FUNCTION static constexpr counter_type block(const key_type& key,
                                                               const counter_type& counter) {
    std::uint32_t c0 = counter.impl_elements[0];
    std::uint32_t c1 = counter.impl_elements[1];
    std::uint32_t c2 = counter.impl_elements[2];
    std::uint32_t c3 = counter.impl_elements[3];
    std::uint32_t k0 = key.impl_elements[0];
    std::uint32_t k1 = key.impl_elements[1];
    HPK_UNROLL_16
    for (int round = 0; round < Rounds; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xd2511f53u} * c0;
      const std::uint64_t p1 = std::uint64_t{0xcd9e8d57u} * c2;
      c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<std::uint32_t>(p1);
      c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<std::uint32_t>(p0);
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
    return {c0, c1, c2, c3};
  }
  /// Returns block `draw` of an index of a stream. The key is the seed; the counter is index, draw,
  /// stream.
  HPK_FORCEINLINE_FUNCTION static constexpr Array<std::uint64_t, 2> bits(std::uint64_t seed,
                                                                         std::uint64_t stream,
                                                                         std::uint64_t index,
                                                                         std::uint32_t draw) {
    const counter_type b =
        block({static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
              {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), draw,
               static_cast<std::uint32_t>(stream)});
    return {b.impl_elements[0] | std::uint64_t{b.impl_elements[1]} << 32,
            b.impl_elements[2] | std::uint64_t{b.impl_elements[3]} << 32};
  }
};

/// Threefry 2x64: 128 bits from a counter and a key of 128 bits each. Twenty rounds are usual.
template <int Rounds = 20>
struct Threefry2x64 {
  /// Types of a word, a counter and a key of block().
  ///@{
  using word_type = std::uint64_t;
  using counter_type = Array<std::uint64_t, 2>;
  using key_type = Array<std::uint64_t, 2>;
  ///@}
  static constexpr int words = 2;  ///< Number of 64-bit words of a block.
  static constexpr std::uint64_t last_stream = ~std::uint64_t{0};  ///< The last stream of a seed.
  /// Returns the name that error messages print.
  HPK_FUNCTION static constexpr const char* name() { return "Threefry2x64"; }

  /// Returns the random bits of a counter and a key.
  HPK_FORCEINLINE_FUNCTION static constexpr counter_type block(const key_type& key,
                                                               const counter_type& counter) {
    constexpr int by[8] = {16, 42, 12, 31, 16, 32, 24, 21};
    const std::uint64_t k[3] = {
        key.impl_elements[0], key.impl_elements[1],
        detail::threefry_parity ^ key.impl_elements[0] ^ key.impl_elements[1]};
    std::uint64_t x0 = counter.impl_elements[0] + k[0];
    std::uint64_t x1 = counter.impl_elements[1] + k[1];
    HPK_UNROLL_16
    for (int group = 0; group < (Rounds + 3) / 4; ++group) {
      HPK_UNROLL_16
      for (int r = 0; r < 4; ++r) {
        if (4 * group + r < Rounds) detail::threefry_mix(x0, x1, by[(4 * group + r) % 8]);
      }
      if (4 * group + 4 <= Rounds) {
        x0 += k[(group + 1) % 3];
        x1 += k[(group + 2) % 3] + static_cast<std::uint64_t>(group + 1);
      }
    }
    return {x0, x1};
  }
  /// Returns block `draw` of an index of a stream. The key is seed, stream; the counter is index,
  /// draw.
  HPK_FORCEINLINE_FUNCTION static constexpr counter_type bits(std::uint64_t seed,
                                                              std::uint64_t stream,
                                                              std::uint64_t index,
                                                              std::uint32_t draw) {
    return block({seed, stream}, {index, draw});
  }
};

/// Threefry 4x64: 256 bits from a counter and a key of 256 bits each. Twenty rounds are usual. It
/// needs no multiplications, and one block gives 4 doubles or 8 floats.
template <int Rounds = 20>
struct Threefry4x64 {
  /// Types of a word, a counter and a key of block().
  ///@{
  using word_type = std::uint64_t;
  using counter_type = Array<std::uint64_t, 4>;
  using key_type = Array<std::uint64_t, 4>;
  ///@}
  static constexpr int words = 4;  ///< Number of 64-bit words of a block.
  static constexpr std::uint64_t last_stream = ~std::uint64_t{0};  ///< The last stream of a seed.
  /// Returns the name that error messages print.
  HPK_FUNCTION static constexpr const char* name() { return "Threefry4x64"; }

  /// Returns the random bits of a counter and a key.
  HPK_FORCEINLINE_FUNCTION static constexpr counter_type block(const key_type& key,
                                                               const counter_type& counter) {
    constexpr int by[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37},
                              {25, 33}, {46, 12}, {58, 22}, {32, 32}};
    const auto& key_words = key.impl_elements;
    const std::uint64_t k[5] = {
        key_words[0], key_words[1], key_words[2], key_words[3],
        detail::threefry_parity ^ key_words[0] ^ key_words[1] ^ key_words[2] ^ key_words[3]};
    std::uint64_t x0 = counter.impl_elements[0] + k[0];
    std::uint64_t x1 = counter.impl_elements[1] + k[1];
    std::uint64_t x2 = counter.impl_elements[2] + k[2];
    std::uint64_t x3 = counter.impl_elements[3] + k[3];
    HPK_UNROLL_16
    for (int group = 0; group < (Rounds + 3) / 4; ++group) {
      HPK_UNROLL_16
      for (int r = 0; r < 4; ++r) {
        const int round = 4 * group + r;
        if (round >= Rounds) continue;
        if (round % 2 == 0) {
          detail::threefry_mix(x0, x1, by[round % 8][0]);
          detail::threefry_mix(x2, x3, by[round % 8][1]);
        } else {
          detail::threefry_mix(x0, x3, by[round % 8][0]);
          detail::threefry_mix(x2, x1, by[round % 8][1]);
        }
      }
      if (4 * group + 4 <= Rounds) {
        x0 += k[(group + 1) % 5];
        x1 += k[(group + 2) % 5];
        x2 += k[(group + 3) % 5];
        x3 += k[(group + 4) % 5] + static_cast<std::uint64_t>(group + 1);
      }
    }
    return {x0, x1, x2, x3};
  }
  /// Returns block `draw` of an index of a stream. The key is seed, stream, 0, 0; the counter is
  /// index, draw, 0, 0.
  HPK_FORCEINLINE_FUNCTION static constexpr counter_type bits(std::uint64_t seed,
                                                              std::uint64_t stream,
                                                              std::uint64_t index,
                                                              std::uint32_t draw) {
    return block({seed, stream, 0, 0}, {index, draw, 0, 0});
  }
};

/// The default algorithm, and an algorithm with larger blocks and more streams.
///@{
using Philox = Philox4x32<10>;
using Threefry = Threefry4x64<20>;
///@}

/// The numbers of one index of a stream, in order; made by CounterRandom::at(index). It has all
/// draws of the other generators. Only one thread at a time may use an object.
///
/// After 2^32 blocks of bits the numbers of an index repeat.
template <class Algorithm = Philox>
class CounterGenerator : public classes::random_draws<CounterGenerator<Algorithm>> {
 public:
  using algorithm = Algorithm;  ///< Makes the bits: Philox4x32, Threefry2x64 or Threefry4x64.

  /// Makes the generator of an index, before its first number.
  HPK_FORCEINLINE_FUNCTION CounterGenerator(std::uint64_t seed, std::uint64_t stream,
                                            std::uint64_t index)
      : seed_(seed), stream_(stream), index_(index) {}

 private:
  friend class classes::random_draws<CounterGenerator>;
  friend struct detail::pool_access;
  static constexpr std::uint32_t halves = 2 * Algorithm::words;

  HPK_FORCEINLINE_FUNCTION void refill() {
    block_ = Algorithm::bits(seed_, stream_, index_, draw_++);
    next_ = 0;
  }
  // Selected, not indexed: compilers keep an array with unknown indices in memory instead of
  // registers.
  HPK_FORCEINLINE_FUNCTION std::uint64_t word(std::uint32_t k) const {
    if constexpr (Algorithm::words == 2) {
      return k == 0 ? block_.impl_elements[0] : block_.impl_elements[1];
    } else {
      const std::uint64_t low = k == 0 ? block_.impl_elements[0] : block_.impl_elements[1];
      const std::uint64_t high = k == 2 ? block_.impl_elements[2] : block_.impl_elements[3];
      return k < 2 ? low : high;
    }
  }
  HPK_FORCEINLINE_FUNCTION std::uint64_t next64() {
    // A remaining half word stays unused.
    next_ += next_ & 1;
    if (next_ == halves) refill();
    const std::uint64_t bits = word(next_ / 2);
    next_ += 2;
    return bits;
  }
  HPK_FORCEINLINE_FUNCTION std::uint32_t next32() {
    if (next_ == halves) refill();
    const std::uint64_t bits = word(next_ / 2);
    const bool upper = (next_ & 1) != 0;
    ++next_;
    return static_cast<std::uint32_t>(upper ? bits >> 32 : bits);
  }
  // In a pool each slot has one stream, and each get_state() uses one index until free_state().
  template <class Words>
  HPK_FORCEINLINE_FUNCTION CounterGenerator(std::uint64_t seed, const detail::pool_slot& slot,
                                            const Words& words)
      : seed_(seed), stream_(words(1)), index_(words(0)), slot_(slot) {}
  template <class Words>
  HPK_FORCEINLINE_FUNCTION void store(const Words& words) const {
    words.set(0, index_ + 1);
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t index_;
  Array<std::uint64_t, static_cast<std::size_t>(Algorithm::words)> block_{};
  std::uint32_t draw_ = 0;
  std::uint32_t next_ = halves;
  detail::pool_slot slot_;
};

/// The random numbers of a seed and a stream, captured by value in kernels. at(i) returns the
/// generator of index i, whose numbers depend only on seed, stream and i. Different seeds, and
/// different streams of a seed, give different numbers; no two (stream, index, draw) of a seed use
/// the same counter and key. An object has two words of memory. Any thread may use it.
///
/// Floating-point draws except normal() have the same bits on every space. Distributions that call
/// mathematical functions may differ in the last digits between a host and a GPU.
template <class Algorithm = Philox>
class CounterRandom {
 public:
  using algorithm = Algorithm;  ///< Makes the bits: Philox4x32, Threefry2x64 or Threefry4x64.
  using generator_type = CounterGenerator<Algorithm>;  ///< Result of at().

  /// Makes the source of the numbers of a seed and a stream. On hosts it throws hpk::error if the
  /// algorithm does not have the stream: Philox4x32 has 2^32.
  HPK_FUNCTION explicit CounterRandom(std::uint64_t seed = 0, std::uint64_t stream = 0)
      : seed_(seed), stream_(stream) {
    if (stream > Algorithm::last_stream) {
      HPK_IF_ON_HOST((detail::reject_stream(Algorithm::name(), stream);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::CounterRandom: the algorithm does not have this "
                                   "stream");))
    }
  }

  /// Return the arguments of the constructor.
  ///@{
  HPK_FUNCTION std::uint64_t seed() const noexcept { return seed_; }
  HPK_FUNCTION std::uint64_t stream() const noexcept { return stream_; }
  ///@}
  /// Returns the generator of an index, for example of a particle, or of an element and a time
  /// step.
  ///@{
  HPK_FORCEINLINE_FUNCTION generator_type at(std::uint64_t index) const {
    return generator_type(seed_, stream_, index);
  }
  HPK_FORCEINLINE_FUNCTION generator_type operator()(std::uint64_t index) const {
    return at(index);
  }
  ///@}

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace hpk
