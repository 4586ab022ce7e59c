// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools of random number generators for kernels: an iteration takes a generator that nobody else
// has, and gives it back.
//   const hpk::Random_XorShift64_Pool<> pool(seed);
//   ... in a kernel: auto generator = pool.get_state(); x(i) = generator.drand();
//   pool.free_state(generator);
// Which iteration gets which generator depends on the schedule. Numbers that don't are in
// random_counter.hpp, and in fill_random.hpp, also from pools.
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

/// The name of a class of pools, and how many words apart its slots are.
struct pool_facts {
  const char* name;
  std::ptrdiff_t stride;
};

/// Takes a generator for a thread of the host. If all are taken, it waits as long as others take
/// and free some. Throws hpk::error if the thread has all of them, or none was freed for a minute.
pool_slot take_slot(const seam::slot_row& locks, const char* pool);
/// Throws unless a generator that no thread keeps is taken: free_state() of one that the pool of
/// `count` states from `first` on did not hand out, or not any more. The slot comes as three
/// numbers, or its generator would lie in memory.
void expect_taken(const std::uint64_t* row, std::uint64_t* at, std::uint64_t mark,
                  const std::uint64_t* first, long long count, const pool_facts& pool);
/// Frees such a generator.
void free_slot(std::uint64_t* at, std::uint64_t mark);
/// Throws: get_state(index) of a pool of `count`, or get_state() of a pool that has none.
[[noreturn]] void reject_slot(const char* pool, long long index, long long count);
/// Throws unless there are states, first >= 0, and first + count < 2^31.
void check_pool_size(const char* pool, long long first, long long count,
                     const std::source_location& where);

/// Takes a generator for a lane of a GPU; if none gets free for seconds, it ends the kernel.
HPK_INLINE_FUNCTION pool_slot take_slot_on_device([[maybe_unused]] const seam::slot_row& locks) {
  pool_slot slot;
  HPK_IF_ON_DEVICE(
      (const auto self = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
       auto k = static_cast<std::int64_t>(self % static_cast<unsigned>(locks.count));
       for (long tries = 0; tries < (1L << 26); ++tries) {
         slot = {locks.first, locks.at(k), unlocked + 1 + self};
         if (atomic_load(slot.at) == 0 &&
             atomic_compare_exchange(slot.at, std::uint64_t{0}, slot.mark, MemoryOrderAcquire()) ==
                 0)
           return slot;
         if (++k == locks.count) k = 0;
       } hpk::abort("hpk random pool: get_state() finds no generator that is free; call "
                    "free_state() for each, or make the pool with more states");))
  return slot;
}

/// The numbers of a fill from a pool: a generator for each group of elements, so that nothing
/// depends on who fills which, nor on the number of states.
template <class Generator, int Group>
struct stateful_fill {
  static constexpr int group = Group;
  static constexpr int lanes = 1;
  std::uint64_t seed;
  HPK_FORCEINLINE_FUNCTION Generator at(std::uint64_t k) const { return Generator(seed + k); }
};
/// The same where a number waits for the one before it: the elements of a group take turns with
/// several generators, the lanes, which don't wait for each other. Lane l of group k is number
/// lanes * k + l of all generators of the fill's seed.
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
/// What a pool of generators with a state of `Words` words needs to know of them. A slot has as
/// many words, or more, which are 0 at first.
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
  // The index 0 of the stream of the state.
  HPK_FUNCTION static std::uint64_t first_word(std::uint64_t, std::uint64_t k) {
    return k % 2 == 0 ? 0 : k / 2;
  }
  // The lower streams are those of the states.
  static auto fill(std::uint64_t seed, std::uint64_t k) {
    return CounterRandom<Algorithm>(seed, (k & 0x7fffffffu) | 0x80000000u);
  }
};

/// The first words of the generators of a pool.
template <class Kind, int Front, class View>
struct seed_slots {
  View slots;
  std::uint64_t seed;
  index_t first;
  HPK_FUNCTION void operator()(index_t i) const {
    for (int k = 0; k < Front; ++k) slots(i, k) = 0;
    for (unsigned k = 0; k < Kind::words; ++k)
      slots(i, k + Front) =
          Kind::first_word(seed, static_cast<std::uint64_t>(first + i) * Kind::words + k);
    for (unsigned k = Kind::words; k < Kind::in_slot; ++k) slots(i, k + Front) = 0;
  }
};

}  // namespace hpk::detail

namespace hpk {

/// A pool of generators, in the memory of Device (an execution space, a memory space, or a Device).
/// Programs write Random_XorShift64_Pool<Device> and the like, below. Copies share the states;
/// capture them by value.
///
/// get_state() hands out what is free, so which iteration draws which numbers depends on the
/// schedule. What does not: get_state(i), and fill_random.
template <class Generator, class Device>
class RandomPool {
  using kind = detail::pool_kind<Generator>;

 public:
  using generator_type = Generator;
  using device_type = typename Device::device_type;
  using execution_space = typename Device::execution_space;

  /// Nothing; get_state() needs states.
  RandomPool() = default;
  /// The states of a seed, as many as lanes of the space run at the same time, or num_states. Equal
  /// seeds give equal states: state k depends on seed and k alone. Throws hpk::error unless there
  /// is a state.
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
  /// States first_state and following of the seed: processes whose ranges don't overlap have states
  /// of their own, and fills.
  RandomPool(std::uint64_t seed, index_t first_state, index_t num_states,
             const std::source_location& where = std::source_location::current())
      : RandomPool(execution_space(), seed, first_state, num_states, where) {
    finish();
  }
  /// The same, made on an instance, whose later work can use it; not fenced.
  // A template, because a seed may convert to a space.
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
                 detail::seed_slots<kind, front, view>{slots_, seed, first_state}, where);
  }
  /// Gives this handle new states; copies keep theirs.
  void init(std::uint64_t seed, index_t num_states,
            const std::source_location& where = std::source_location::current()) {
    *this = RandomPool(seed, num_states, where);
  }

  /// The number of states.
  HPK_FUNCTION index_t size() const { return static_cast<index_t>(slots_.extent(0)); }
  HPK_FUNCTION std::uint64_t seed() const { return seed_; }

  /// A generator that nobody else has until it is freed. Any thread, in kernels of the space, and
  /// outside if the memory is host-accessible. If none is free it waits. On hosts a thread keeps a
  /// generator, in a cache line of its own, and takes it again without a locked instruction, until
  /// another thread finds none that is free.
  ///
  /// Errors: on hosts hpk::error if the pool has no states, if the thread holds all of them, or if
  /// none was freed for a minute. GPUs end the kernel after seconds.
  HPK_FORCEINLINE_FUNCTION Generator get_state() const {
    detail::pool_slot slot;
    HPK_IF_ON_HOST((bool kept = false;
                    if constexpr (on_host) kept = seam::take_kept_slot(locks(), slot);
                    if (!kept) [[unlikely]] slot = detail::take_slot(locks(), kind::name);))
    HPK_IF_ON_DEVICE((if (size() == 0) hpk::abort("hpk random pool: get_state() of a pool that has "
                                                  "no states; make it with a seed");
                      slot = detail::take_slot_on_device(locks());))
    return detail::pool_access::make<Generator>(seed_, slot, words(slot));
  }
  /// Generator `index`, locked by nobody: the caller promises that until free_state() no other
  /// thread has it, and that no get_state() without an index runs. In checked builds an index
  /// outside of the pool is an error.
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
  /// Takes a generator back, once. On hosts hpk::error if it is not one that was taken from this
  /// pool and not freed since, in checked builds an abort on GPUs.
  HPK_FORCEINLINE_FUNCTION void free_state(const Generator& generator) const {
    const detail::pool_slot slot = detail::pool_access::slot(generator);
    HPK_IF_ON_HOST((if (is_kept(slot)) [[likely]] {
      detail::pool_access::store(generator, words(slot));
      return seam::return_kept_slot(slot);
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

  /// The numbers for the next fill_random; the fills of a pool and its copies are counted.
  auto impl_next_fill() const {
    const std::uint64_t k = fills_.data() == nullptr ? 0 : atomic_fetch_inc(fills_.data());
    return kind::fill(
        first_ == 0 ? seed_ : detail::seeded_word(seed_, static_cast<std::uint64_t>(first_)), k);
  }

 private:
  using view = View<std::uint64_t**, Device>;
  static constexpr bool on_host = SpaceAccessibility<execution_space, HostSpace>::accessible;
  // On hosts a generator has cache lines of its own, and a thread may keep it.
  static constexpr int front = on_host ? 2 : 1;
  static constexpr index_t row =
      on_host ? (front + kind::in_slot + 7) / 8 * 8 : front + kind::in_slot;

  static constexpr detail::pool_facts facts{kind::name, row};

  HPK_FORCEINLINE_FUNCTION seam::slot_row locks() const {
    return {slots_.data(), static_cast<std::int64_t>(slots_.extent(0)),
            on_host ? row : static_cast<std::ptrdiff_t>(slots_.stride(0)), on_host};
  }
  HPK_FORCEINLINE_FUNCTION detail::slot_words words(const detail::pool_slot& slot) const {
    const auto step = on_host ? 1 : static_cast<std::ptrdiff_t>(slots_.stride(1));
    return {slot.at + front * step, step};
  }
  HPK_FORCEINLINE bool is_kept(const detail::pool_slot& slot) const {
    if constexpr (on_host) {
      if (slot.row != slots_.data()) [[unlikely]]
        return false;
      if (slot.row == nullptr) [[unlikely]]
        return false;
      return seam::is_held_by_keeper(slot);
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
template <class Device = DefaultExecutionSpace>
using Random_XorShift64_Pool = RandomPool<Random_XorShift64<Device>, Device>;
template <class Device = DefaultExecutionSpace>
using Random_XorShift1024_Pool = RandomPool<Random_XorShift1024<Device>, Device>;
template <class Device = DefaultExecutionSpace>
using Random_SFC64_Pool = RandomPool<Random_SFC64<Device>, Device>;

/// Pools with the same members that give counter-based numbers, for programs that are written for
/// pools. State k is stream k of the seed, and every get_state() has the next index of it.
template <class Algorithm, class Device = DefaultExecutionSpace>
using Random_Counter_Pool = RandomPool<CounterGenerator<Algorithm>, Device>;
template <class Device = DefaultExecutionSpace>
using Random_Philox_Pool = Random_Counter_Pool<Philox, Device>;
template <class Device = DefaultExecutionSpace>
using Random_Threefry_Pool = Random_Counter_Pool<Threefry, Device>;

}  // namespace hpk
