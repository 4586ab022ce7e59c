// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random_XorShift64, Random_XorShift1024, Random_SFC64: generators whose state changes with each
// draw. They come from the pools of random_pool.hpp, or are made from a seed. Equal seeds give
// equal numbers on every space.
#pragma once

#include <hpk/algorithms/random_draw.hpp>

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// The slot of a pool that a generator must be returned to. Its row is null if the generator does
/// not come from a pool.
using pool_slot = seam::held_slot;
/// The mark of a slot that was taken without a lock.
inline constexpr std::uint64_t unlocked = 2;

/// The words of a generator in its slot.
struct slot_words {
  std::uint64_t* first = nullptr;
  std::ptrdiff_t step = 1;
  HPK_FORCEINLINE_FUNCTION std::uint64_t operator()(unsigned k) const {
    return first[static_cast<std::ptrdiff_t>(k) * step];
  }
  HPK_FORCEINLINE_FUNCTION void set(unsigned k, std::uint64_t word) const {
    first[static_cast<std::ptrdiff_t>(k) * step] = word;
  }
};

/// Access of pools to generators. A generator can be made from the words of its slot, words(k), and
/// stores itself there with words.set(k, word).
struct pool_access {
  template <class Generator, class Words>
  HPK_FORCEINLINE_FUNCTION static Generator make(std::uint64_t seed, const pool_slot& slot,
                                                 const Words& words) {
    return Generator(seed, slot, words);
  }
  template <class Generator, class Words>
  HPK_FORCEINLINE_FUNCTION static void store(const Generator& generator, const Words& words) {
    generator.store(words);
  }
  /// Rotates the state so that the next 16 draws use its words in index order: unrolled draws then
  /// use constant indices.
  template <class Generator>
  HPK_FORCEINLINE_FUNCTION static void align(Generator& generator) {
    generator.align();
  }
  /// Draws the next number of a generator whose state is this word.
  template <class Generator>
  HPK_FORCEINLINE_FUNCTION static std::uint64_t next(std::uint64_t& state) {
    return Generator::next(state);
  }
  template <class Generator>
  HPK_FORCEINLINE_FUNCTION static const pool_slot& slot(const Generator& generator) {
    return generator.slot_;
  }
};

/// Returns word k that belongs to a seed. It is never zero. Seeds that differ in one bit give
/// unrelated words.
HPK_FORCEINLINE_FUNCTION constexpr std::uint64_t seeded_word(std::uint64_t seed,
                                                             std::uint64_t k) noexcept {
  const std::uint64_t word = mix_bits(mix_bits(seed + golden_step) + (k + 1) * golden_step);
  return word != 0 ? word : golden_step;
}

}  // namespace hpk::detail

namespace hpk {

/// The generator xorshift64* of S. Vigna (An experimental exploration of Marsaglia's xorshift
/// generators, scrambled, ACM Transactions on Mathematical Software 42, 2016): 8 bytes of state,
/// period 2^64 - 1. 32-bit numbers are the upper half of 64-bit ones. Only one thread at a time may
/// use an object.
template <class Device = DefaultExecutionSpace>
class Random_XorShift64 : public classes::random_draws<Random_XorShift64<Device>> {
 public:
  /// Device of the pools that make such generators.
  using device_type = typename Device::device_type;

  /// Makes the generator of any seed.
  HPK_FUNCTION explicit Random_XorShift64(std::uint64_t seed = 0)
      : state_(detail::seeded_word(seed, 0)) {}
  /// Makes the generator with exactly this state, which must not be 0.
  HPK_FUNCTION static Random_XorShift64 from_state(std::uint64_t state) {
    HPK_EXPECTS(state != 0);
    Random_XorShift64 generator;
    generator.state_ = state;
    return generator;
  }
  /// Returns the state.
  HPK_FUNCTION std::uint64_t state() const noexcept { return state_; }

 private:
  friend class classes::random_draws<Random_XorShift64>;
  friend struct detail::pool_access;

  HPK_FORCEINLINE_FUNCTION static std::uint64_t next(std::uint64_t& state) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717u;
  }
  HPK_FORCEINLINE_FUNCTION std::uint64_t next64() { return next(state_); }
  HPK_FORCEINLINE_FUNCTION std::uint32_t next32() {
    return static_cast<std::uint32_t>(next64() >> 32);
  }
  template <class Words>
  HPK_FORCEINLINE_FUNCTION Random_XorShift64(std::uint64_t, const detail::pool_slot& slot,
                                             const Words& words)
      : state_(words(0)), slot_(slot) {}
  template <class Words>
  HPK_FORCEINLINE_FUNCTION void store(const Words& words) const {
    words.set(0, state_);
  }

  std::uint64_t state_;
  detail::pool_slot slot_;
};

/// The generator xorshift1024* of the same article: 128 bytes of state, period 2^1024 - 1.
/// Otherwise like Random_XorShift64. A generator from a pool reads parts of its state from the
/// pool, so the pool must exist until free_state(). Copies of the generator do not need the pool.
template <class Device = DefaultExecutionSpace>
class Random_XorShift1024 : public classes::random_draws<Random_XorShift1024<Device>> {
 public:
  /// Device of the pools that make such generators.
  using device_type = typename Device::device_type;

  /// Makes the generator of any seed.
  HPK_FUNCTION explicit Random_XorShift1024(std::uint64_t seed = 0) {
    for (unsigned k = 0; k < words; ++k) state_[k] = detail::seeded_word(seed, k);
    last_ = state_[0];
  }
  /// Makes the generator with exactly these 16 words, of which at least one must not be 0.
  HPK_FUNCTION static Random_XorShift1024 from_state(const Array<std::uint64_t, 16>& state) {
    Random_XorShift1024 generator;
    std::uint64_t all = 0;
    for (unsigned k = 0; k < words; ++k) {
      generator.state_[k] = state[k];
      all |= state[k];
    }
    generator.last_ = state[0];
    HPK_EXPECTS(all != 0);
    return generator;
  }
  /// Copies the whole state. The copy needs no pool and does not change if the pool's state
  /// changes.
  ///@{
  HPK_FUNCTION Random_XorShift1024(const Random_XorShift1024& other) noexcept
      : last_(other.last_), position_(other.position_), slot_(other.slot_) {
    for (unsigned k = 0; k < words; ++k) state_[k] = other.word(k);
  }
  HPK_FUNCTION Random_XorShift1024& operator=(const Random_XorShift1024& other) noexcept {
    if (this == &other) return *this;
    for (unsigned k = 0; k < words; ++k) state_[k] = other.word(k);
    last_ = other.last_;
    position_ = other.position_;
    in_slot_ = 0;
    slot_ = other.slot_;
    return *this;
  }
  ///@}

 private:
  friend class classes::random_draws<Random_XorShift1024>;
  friend struct detail::pool_access;
  static constexpr unsigned words = 16;

  HPK_FORCEINLINE_FUNCTION std::uint64_t next64() {
    position_ = (position_ + 1) & (words - 1);
    std::uint64_t s1;
    if (in_slot_ != 0) {
      --in_slot_;
      s1 = slot_state_(position_);
    } else {
      s1 = state_[position_];
    }
    s1 ^= s1 << 31;
    s1 ^= s1 >> 11;
    last_ = s1 ^ last_ ^ (last_ >> 30);
    state_[position_] = last_;
    return last_ * 1181783497276652981u;
  }
  HPK_FORCEINLINE_FUNCTION std::uint32_t next32() {
    return static_cast<std::uint32_t>(next64() >> 32);
  }
  // Returns word k of the state. The in_slot_ words after the position, in circular order, are
  // still in the slot.
  HPK_FUNCTION std::uint64_t word(unsigned k) const {
    const unsigned distance = (k - position_ - 1) & (words - 1);
    return distance < in_slot_ ? slot_state_(k) : state_[k];
  }
  // A draw reads two words and changes one, so the other words stay in the slot. The position is
  // stored after them.
  template <class Words>
  HPK_FORCEINLINE_FUNCTION Random_XorShift1024(std::uint64_t, const detail::pool_slot& slot,
                                               const Words& from)
      : slot_state_(from),
        position_(static_cast<unsigned>(from(words))),
        in_slot_(words),
        slot_(slot) {
    last_ = from(position_);
  }
  template <class Words>
  HPK_FORCEINLINE_FUNCTION void store(const Words& to) const {
    for (unsigned k = in_slot_; k < words; ++k) {
      const unsigned at = (position_ - (k - in_slot_)) & (words - 1);
      to.set(at, state_[at]);
    }
    to.set(words, position_);
  }
  HPK_FORCEINLINE_FUNCTION void align() {
    if (position_ == 0) return;
    std::uint64_t rotated[words];
    for (unsigned k = 0; k < words; ++k) rotated[k] = state_[(position_ + k) & (words - 1)];
    for (unsigned k = 0; k < words; ++k) state_[k] = rotated[k];
    position_ = 0;
  }

  std::uint64_t state_[words];
  std::uint64_t last_;  // the word at index position_
  detail::slot_words slot_state_{};
  unsigned position_ = 0;
  unsigned in_slot_ = 0;  // number of words after the position that are still in the slot
  detail::pool_slot slot_;
};

/// The generator sfc64 of C. Doty-Humphrey (PractRand): 32 bytes of state. One word is a counter,
/// so the period is at least 2^64 and every state is valid. Needs no multiplications. Otherwise
/// like Random_XorShift64.
template <class Device = DefaultExecutionSpace>
class Random_SFC64 : public classes::random_draws<Random_SFC64<Device>> {
 public:
  /// Device of the pools that make such generators.
  using device_type = typename Device::device_type;

  /// Makes the generator of any seed.
  HPK_FUNCTION explicit Random_SFC64(std::uint64_t seed = 0) {
    for (unsigned k = 0; k < words; ++k) state_[k] = detail::seeded_word(seed, k);
  }
  /// Makes the generator with exactly these words. The last one is the counter.
  HPK_FUNCTION static Random_SFC64 from_state(const Array<std::uint64_t, 4>& state) {
    Random_SFC64 generator;
    for (unsigned k = 0; k < words; ++k) generator.state_[k] = state[k];
    return generator;
  }

 private:
  friend class classes::random_draws<Random_SFC64>;
  friend struct detail::pool_access;
  static constexpr unsigned words = 4;

  HPK_FORCEINLINE_FUNCTION std::uint64_t next64() {
    const std::uint64_t sum = state_[0] + state_[1] + state_[3]++;
    state_[0] = state_[1] ^ (state_[1] >> 11);
    state_[1] = state_[2] + (state_[2] << 3);
    state_[2] = ((state_[2] << 24) | (state_[2] >> 40)) + sum;
    return sum;
  }
  HPK_FORCEINLINE_FUNCTION std::uint32_t next32() {
    return static_cast<std::uint32_t>(next64() >> 32);
  }
  template <class Words>
  HPK_FORCEINLINE_FUNCTION Random_SFC64(std::uint64_t, const detail::pool_slot& slot,
                                        const Words& from)
      : slot_(slot) {
    for (unsigned k = 0; k < words; ++k) state_[k] = from(k);
  }
  template <class Words>
  HPK_FORCEINLINE_FUNCTION void store(const Words& to) const {
    for (unsigned k = 0; k < words; ++k) to.set(k, state_[k]);
  }
  HPK_FORCEINLINE_FUNCTION void align() {}

  std::uint64_t state_[words];
  detail::pool_slot slot_;
};

}  // namespace hpk
