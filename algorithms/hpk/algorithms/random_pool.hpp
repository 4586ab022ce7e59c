// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools of random number generators for kernels. An iteration takes a generator for its exclusive
// use and returns it afterwards.
//   const hpk::Random_XorShift64_Pool<> pool(seed);
//   ... in a kernel: auto generator = pool.get_state(); x(i) = generator.drand();
//   pool.free_state(generator);
// The schedule determines which iteration gets which generator. random_counter.hpp, and fill_random
// with any source, provide numbers that do not depend on the schedule.
#pragma once

#include <hpk/algorithms/random_counter.hpp>
#include <hpk/algorithms/random_engine.hpp>

#include <hpk/atomic.hpp>
#include <hpk/core.hpp>
#include <hpk/unique_token.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace hpk::detail {

/// Name of a pool class, and the distance between its slots, in 64-bit words.
struct pool_facts {
  const char* name;
  std::ptrdiff_t stride;
};

/// Takes a generator for a host thread. While all are taken, it waits as long as other threads free
/// and take some. Throws hpk::error if the calling thread holds all of them, or if none was freed
/// for a minute.
pool_slot take_slot(const seam::slot_row& locks, const char* pool);
/// Throws hpk::error unless a generator, which is not in the slot cache of a thread, is currently
/// taken from this pool of `count` states that begin at `first`. The slot is passed as three
/// numbers, because passing it by reference would force its generator into memory.
void expect_taken(const std::uint64_t* row, std::uint64_t* at, std::uint64_t mark,
                  const std::uint64_t* first, long long count, const pool_facts& pool);
/// Frees the generator that expect_taken() has checked.
void free_slot(std::uint64_t* at, std::uint64_t mark);
/// Throws hpk::error for get_state(index) with a wrong index, or for get_state() of a pool without
/// states.
[[noreturn]] void reject_slot(const char* pool, long long index, long long count);
/// Throws hpk::error unless count >= 1, first >= 0 and first + count < 2^31.
void check_pool_size(const char* pool, long long first, long long count,
                     const std::source_location& where);

/// Takes a generator for a lane of a GPU. Aborts the kernel if none becomes free for seconds.
HPK_INLINE_FUNCTION pool_slot
take_pool_slot_on_device([[maybe_unused]] const seam::slot_row& locks) {
  pool_slot slot;
  HPK_IF_ON_DEVICE((if (!take_slot_on_device(locks, unlocked + 1 + device_thread_number(), slot))
                        hpk::abort("hpk random pool: get_state() finds no free generator; call "
                                   "free_state() for each, or make the pool with more states");))
  return slot;
}

/// The generators of a fill from a pool: one for each group of elements, so that the result depends
/// neither on the schedule nor on the number of states.
template <class Generator, int Group>
struct stateful_fill {
  static constexpr int group = Group;
  static constexpr int lanes = 1;
  std::uint64_t seed;
  HPK_FORCEINLINE_FUNCTION Generator at(std::uint64_t k) const { return Generator(seed + k); }
};
/// A fill by generators whose draws depend on each other in a long chain. The elements of a
/// group alternate between several generators, the lanes, whose chains are independent. Lane l of
/// group k is generator lanes * k + l of all generators of the fill's seed.
template <class Generator>
struct laned_fill {
  static constexpr int group = 128;
  static constexpr int lanes = 8;
  std::uint64_t seed;
  HPK_FORCEINLINE_FUNCTION std::uint64_t state(std::uint64_t lane) const {
    return seeded_word(seed, lane);
  }
  HPK_FORCEINLINE_FUNCTION Generator at(std::uint64_t lane) const {
    return Generator::from_state(state(lane));
  }
};
/// Properties of generators with a state of `Words` 64-bit words, for pools. A slot has InSlot
/// words; additional words are 0 at first.
template <class Fill, unsigned Words, unsigned InSlot = Words>
struct stateful_kind {
  static constexpr unsigned words = Words;
  static constexpr unsigned in_slot = InSlot;
  HPK_FUNCTION static std::uint64_t first_word(std::uint64_t seed, std::uint64_t k) {
    return seeded_word(seed, k);
  }
  static auto fill(std::uint64_t seed, std::uint64_t k) { return Fill{seeded_word(~seed, k)}; }
};
template <class Generator>
struct pool_kind;
template <class Device>
struct pool_kind<Random_XorShift64<Device>>
    : stateful_kind<laned_fill<Random_XorShift64<Device>>, 1> {
  static constexpr const char* name = "hpk::Random_XorShift64_Pool";
};
template <class Device>
struct pool_kind<Random_XorShift1024<Device>>
    : stateful_kind<stateful_fill<Random_XorShift1024<Device>, 128>, 16, 17> {
  static constexpr const char* name = "hpk::Random_XorShift1024_Pool";
};
template <class Device>
struct pool_kind<Random_SFC64<Device>> : stateful_kind<stateful_fill<Random_SFC64<Device>, 32>, 4> {
  static constexpr const char* name = "hpk::Random_SFC64_Pool";
};
template <class Algorithm>
struct pool_kind<CounterGenerator<Algorithm>> {
  static constexpr unsigned words = 2;
  static constexpr unsigned in_slot = words;
  static constexpr const char* name = "hpk::Random_Counter_Pool";
  // Word 0 of a state is the next index, which begins at 0. Word 1 is the stream, which is the
  // number of the state.
  HPK_FUNCTION static std::uint64_t first_word(std::uint64_t, std::uint64_t k) {
    return k % 2 == 0 ? 0 : k / 2;
  }
  // The states use the lower streams, fills the upper ones.
  static auto fill(std::uint64_t seed, std::uint64_t k) {
    return CounterRandom<Algorithm>(seed, (k & 0x7fffffffu) | 0x80000000u);
  }
};

/// Writes the initial words of the generators of a pool.
template <class Kind, int LockWords, class View>
struct seed_slots {
  View slots;
  std::uint64_t seed;
  index_t first;
  HPK_FUNCTION void operator()(index_t i) const {
    for (int k = 0; k < LockWords; ++k) slots(i, k) = 0;
    for (unsigned k = 0; k < Kind::words; ++k)
      slots(i, k + LockWords) =
          Kind::first_word(seed, static_cast<std::uint64_t>(first + i) * Kind::words + k);
    for (unsigned k = Kind::words; k < Kind::in_slot; ++k) slots(i, k + LockWords) = 0;
  }
};

}  // namespace hpk::detail

namespace hpk {

/// A pool of generators in the memory of Device (an execution space, a memory space, or a Device).
/// Programs use the aliases below, like Random_XorShift64_Pool<Device>. Copies share the states;
/// kernels capture them by value.
///
/// get_state() returns any free generator, so the schedule determines which iteration draws which
/// numbers. Only get_state(i) and fill_random do not depend on the schedule.
template <class Generator, class Device>
class RandomPool {
  using kind = detail::pool_kind<Generator>;

 public:
  /// Type of a generator, and Device and execution space of the states.
  ///@{
  using generator_type = Generator;
  using device_type = typename Device::device_type;
  using execution_space = typename Device::execution_space;
  ///@}

  /// Makes a pool without states. get_state() needs a pool with states.
  RandomPool() = default;
  /// Makes the states of a seed: num_states, or by default as many as lanes of the space run at the
  /// same time. State k depends only on the seed and k. Throws hpk::error unless there is at least
  /// one state.
  ///@{
  explicit RandomPool(std::uint64_t seed,
                      const std::source_location& where = std::source_location::current())
      : RandomPool(execution_space(), seed, where) {
    finish();
  }
  RandomPool(std::uint64_t seed, index_t num_states,
             const std::source_location& where = std::source_location::current())
      : RandomPool(execution_space(), seed, 0, num_states, where) {
    finish();
  }
  ///@}
  /// Makes states first_state and following of the seed. Processes with ranges that do not overlap
  /// have different states and fills.
  RandomPool(std::uint64_t seed, index_t first_state, index_t num_states,
             const std::source_location& where = std::source_location::current())
      : RandomPool(execution_space(), seed, first_state, num_states, where) {
    finish();
  }
  /// Does the same on an instance, without a fence. Later work of this instance can use the pool.
  ///@{
  // A template, because otherwise a seed might convert to a space.
  template <std::same_as<execution_space> Exec>
  explicit RandomPool(const Exec& exec, std::uint64_t seed,
                      const std::source_location& where = std::source_location::current())
      : RandomPool(exec, seed, 0, exec.concurrency(), where) {}
  template <std::same_as<execution_space> Exec>
  RandomPool(const Exec& exec, std::uint64_t seed, index_t num_states,
             const std::source_location& where = std::source_location::current())
      : RandomPool(exec, seed, 0, num_states, where) {}
  RandomPool(const execution_space& exec, std::uint64_t seed, index_t first_state,
             index_t num_states,
             const std::source_location& where = std::source_location::current())
      : seed_(seed), first_(first_state) {
    detail::check_pool_size(kind::name, first_state, num_states, where);
    slots_ = view(view_alloc(exec, WithoutInitializing, kind::name), num_states, row);
    fills_ = View<std::uint64_t, HostSpace>(kind::name);
    parallel_for(kind::name, RangePolicy<execution_space>(exec, 0, num_states),
                 detail::seed_slots<kind, lock_words, view>{slots_, seed, first_state}, where);
  }
  ///@}
  /// Gives this handle new states. Its copies retain the old ones.
  void init(std::uint64_t seed, index_t num_states,
            const std::source_location& where = std::source_location::current()) {
    *this = RandomPool(seed, num_states, where);
  }

  /// Returns the number of states.
  HPK_FUNCTION index_t size() const { return static_cast<index_t>(slots_.extent(0)); }
  /// Returns the seed of the constructor, or 0 for a pool without states.
  HPK_FUNCTION std::uint64_t seed() const { return seed_; }

  /// Returns a generator for the exclusive use of the caller until free_state(). Any thread may
  /// call it, in kernels of the space, and in host code if the memory is host-accessible. It waits
  /// while no generator is free. On hosts a thread retains a freed generator, which has its own
  /// cache line, and takes it again without a locked instruction, until another thread finds no
  /// free generator.
  ///
  /// Errors: on hosts hpk::error if the pool has no states, if the thread holds all of them, or if
  /// none was freed for a minute. GPUs abort the kernel after seconds.
  HPK_FORCEINLINE_FUNCTION Generator get_state() const {
    detail::pool_slot slot;
    HPK_IF_ON_HOST((bool reused = false;
                    if constexpr (on_host) reused = seam::take_owned_slot(locks(), slot);
                    if (!reused) [[unlikely]] slot = detail::take_slot(locks(), kind::name);))
    HPK_IF_ON_DEVICE((if (size() == 0) hpk::abort("hpk random pool: get_state() of a pool that has "
                                                  "no states; make it with a seed");
                      slot = detail::take_pool_slot_on_device(locks());))
    return detail::pool_access::make<Generator>(seed_, slot, words(slot));
  }
  /// Returns generator `index` without a lock. The caller guarantees that until free_state() no
  /// other thread uses this generator, and that get_state() without an index is not called. In
  /// checked builds an index outside of the pool is an error.
  HPK_FUNCTION Generator get_state(index_t index) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (index < 0 || index >= size()) {
        HPK_IF_ON_HOST((detail::reject_slot(kind::name, index, size());))
        HPK_IF_ON_DEVICE((hpk::abort("hpk random pool: get_state(index) of an index that the pool "
                                     "does not have");))
      }
    }
    const detail::pool_slot slot{slots_.data(), locks().at(index), detail::unlocked};
    return detail::pool_access::make<Generator>(seed_, slot, words(slot));
  }
  /// Returns a generator to the pool. Must be called once for each get_state(). On hosts it throws
  /// hpk::error if the generator is not currently taken from this pool; on GPUs it aborts in
  /// checked builds.
  HPK_FORCEINLINE_FUNCTION void free_state(const Generator& generator) const {
    const detail::pool_slot slot = detail::pool_access::slot(generator);
    HPK_IF_ON_HOST((if (is_held_by_keeper(slot)) [[likely]] {
      detail::pool_access::store(generator, words(slot));
      return seam::return_owned_slot(slot);
    }))
    HPK_IF_ON_HOST((
        detail::expect_taken(slot.row, slot.at, slot.mark, slots_.data(), size(), facts);
        detail::pool_access::store(generator, words(slot)); detail::free_slot(slot.at, slot.mark);))
    HPK_IF_ON_DEVICE(
        (HPK_EXPECTS(slot.row == slots_.data());
         HPK_EXPECTS(slot.mark == detail::unlocked || atomic_load(slot.at) == slot.mark);
         detail::pool_access::store(generator, words(slot)); if (slot.mark != detail::unlocked)
             atomic_store(slot.at, std::uint64_t{0}, MemoryOrderRelease());))
  }

  /// Returns the generators of the next fill_random. A pool and its copies count their fills
  /// together.
  auto impl_next_fill() const {
    const std::uint64_t k = fills_.data() == nullptr ? 0 : atomic_fetch_inc(fills_.data());
    return kind::fill(
        first_ == 0 ? seed_ : detail::seeded_word(seed_, static_cast<std::uint64_t>(first_)), k);
  }

 private:
  using view = View<std::uint64_t**, Device>;
  static constexpr bool on_host = SpaceAccessibility<execution_space, HostSpace>::accessible;
  // On hosts each generator has separate cache lines, and a thread may retain it.
  static constexpr int lock_words = on_host ? 2 : 1;
  static constexpr index_t row =
      on_host ? (lock_words + kind::in_slot + 7) / 8 * 8 : lock_words + kind::in_slot;

  static constexpr detail::pool_facts facts{kind::name, row};

  HPK_FORCEINLINE_FUNCTION seam::slot_row locks() const {
    return {slots_.data(), static_cast<std::int64_t>(slots_.extent(0)),
            on_host ? row : static_cast<std::ptrdiff_t>(slots_.stride(0)), on_host};
  }
  HPK_FORCEINLINE_FUNCTION detail::slot_words words(const detail::pool_slot& slot) const {
    const auto step = on_host ? 1 : static_cast<std::ptrdiff_t>(slots_.stride(1));
    return {slot.at + lock_words * step, step};
  }
  HPK_FORCEINLINE bool is_held_by_keeper(const detail::pool_slot& slot) const {
    if constexpr (on_host) {
      if (slot.row != slots_.data()) [[unlikely]]
        return false;
      if (slot.row == nullptr) [[unlikely]]
        return false;
      return seam::is_held_by_owner(slot);
    } else {
      return false;
    }
  }
  static void finish() { execution_space().fence("hpk random pool: made"); }

  std::uint64_t seed_ = 0;
  index_t first_ = 0;
  view slots_;
  View<std::uint64_t, HostSpace> fills_;
};

/// Pools of Random_XorShift64, Random_XorShift1024 and Random_SFC64.
///@{
template <class Device = DefaultExecutionSpace>
using Random_XorShift64_Pool = RandomPool<Random_XorShift64<Device>, Device>;
template <class Device = DefaultExecutionSpace>
using Random_XorShift1024_Pool = RandomPool<Random_XorShift1024<Device>, Device>;
template <class Device = DefaultExecutionSpace>
using Random_SFC64_Pool = RandomPool<Random_SFC64<Device>, Device>;
///@}

/// Pools of counter-based generators with the same members, for programs that are written for
/// pools. State k is stream k of the seed, and every get_state() uses the next index of this
/// stream.
///@{
template <class Algorithm, class Device = DefaultExecutionSpace>
using Random_Counter_Pool = RandomPool<CounterGenerator<Algorithm>, Device>;
template <class Device = DefaultExecutionSpace>
using Random_Philox_Pool = Random_Counter_Pool<Philox, Device>;
template <class Device = DefaultExecutionSpace>
using Random_Threefry_Pool = Random_Counter_Pool<Threefry, Device>;
///@}

}  // namespace hpk
