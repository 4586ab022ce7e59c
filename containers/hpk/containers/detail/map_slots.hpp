// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory layout of UnorderedMap: buckets of seven slots that begin with a word of states.
// States and keys of a bucket share a cache line if they fit, so that most searches touch one line.
// Also the order in which buckets are probed.
#pragma once

#include <hpk/core.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace hpk::detail {

/// The states of a bucket. Bytes 0 to 6 hold the state of one slot each: 0 if empty, else one of
/// the marks below with bits of the key's hash. Byte 7: see map_passed and map_reach.
using map_word = std::uint64_t;

inline constexpr int map_slots_per_bucket = 7;
inline constexpr map_word map_full = 0x80;    ///< the slot holds a key; plus 7 bits of the hash
inline constexpr map_word map_erased = 0x40;  ///< the key is erased, but its bytes are still there;
                                              ///< plus 6 bits of the hash
inline constexpr map_word map_busy = 0x20;    ///< a lane writes the key; plus 5 bits of the hash
/// Set if a key whose path leads through this bucket is in a later one.
inline constexpr map_word map_passed = map_word{1} << 56;
/// The highest bit of the state of each slot.
inline constexpr map_word map_marks = 0x0080808080808080u;
/// The position of the highest 7 bits: the reach of the keys whose paths begin in this bucket.
inline constexpr int map_reach_bit = 57;
/// Keys count for the reach of the first bucket of their path from this distance on, in buckets. A
/// reach, from 1 to 127, encodes a distance: at least the largest distance of these keys, and less
/// than a quarter more. It keeps searches for absent keys short in full maps, too.
inline constexpr std::uint64_t map_near_buckets = 4;
HPK_INLINE_FUNCTION constexpr map_word map_reach(std::uint64_t distance) {
  const int shift = static_cast<int>(hpk::bit_width(distance)) - 3;
  const std::uint64_t rounded = (distance + (std::uint64_t{1} << shift) - 1) >> shift;
  return static_cast<map_word>(4 * shift - 3) + rounded;
}
/// The distance that a reach encodes; 0 for reach 0.
HPK_INLINE_FUNCTION constexpr std::uint64_t map_distance(map_word reach) {
  return reach == 0 ? 0 : (4 + (reach - 1) % 4) << (reach - 1) / 4;
}

/// Returns a word with the byte in all seven slots.
HPK_INLINE_FUNCTION constexpr map_word map_pattern(map_word byte) {
  return byte * 0x0001010101010101u;
}
/// The mark of each slot whose state is `byte`. Above the lowest mark there may be marks of slots
/// whose state differs in the lowest bit.
HPK_INLINE_FUNCTION constexpr map_word map_matches(map_word states, map_word byte) {
  const map_word x = (states & 0x00ffffffffffffffu) ^ map_pattern(byte);
  return (x - map_pattern(1)) & ~x & map_marks;
}
/// The marks of slots that are empty; erased or busy; full; erased.
HPK_INLINE_FUNCTION constexpr map_word map_empty_slots(map_word states) {
  return ~(states | states << 1 | states << 2) & map_marks;
}
HPK_INLINE_FUNCTION constexpr map_word map_other_slots(map_word states) {
  return (states << 1 | states << 2) & ~states & map_marks;
}
HPK_INLINE_FUNCTION constexpr map_word map_full_slots(map_word states) {
  return states & map_marks;
}
HPK_INLINE_FUNCTION constexpr map_word map_erased_slots(map_word states) {
  return states << 1 & ~states & map_marks;
}
/// The slot of the lowest mark.
HPK_INLINE_FUNCTION constexpr int map_first_slot(map_word marks) {
  return hpk::Experimental::countr_zero_builtin(marks) >> 3;
}
/// The state of a slot.
HPK_INLINE_FUNCTION constexpr map_word map_state(map_word states, int position) {
  return states >> (8 * position) & 0xffu;
}
/// Returns the states with the state of one slot replaced.
HPK_INLINE_FUNCTION constexpr map_word map_with(map_word states, int position, map_word state) {
  return (states & ~(map_word{0xff} << (8 * position))) | state << (8 * position);
}

/// Storage of seven objects.
template <class T>
struct map_row {
  alignas(T) unsigned char bytes[map_slots_per_bucket * sizeof(T)];
  HPK_INLINE_FUNCTION T* at(int position) { return reinterpret_cast<T*>(bytes) + position; }
};

/// Storage of one object.
template <class T>
struct map_storage {
  alignas(T) unsigned char bytes[sizeof(T)];
  HPK_INLINE_FUNCTION T* at() { return reinterpret_cast<T*>(bytes); }
};

template <class Key, class Value>
struct map_bucket_members {
  map_word states;
  map_row<Key> keys;
  map_row<Value> values;
};
template <class Key>
struct map_bucket_members<Key, void> {
  map_word states;
  map_row<Key> keys;
};

/// The alignment of a bucket: cache lines if that adds at most 1/8 to its size.
template <class Members>
constexpr std::size_t map_alignment() {
  constexpr std::size_t lines = (sizeof(Members) + 63) / 64 * 64;
  return lines - sizeof(Members) <= sizeof(Members) / 8 ? 64 : alignof(Members);
}

/// A bucket of seven slots. Value is void for sets, and if values are in a separate View.
template <class Key, class Value>
struct alignas(map_alignment<map_bucket_members<Key, Value>>()) map_bucket
    : map_bucket_members<Key, Value> {};

/// Spreads the bits of a hash over 64 bits.
HPK_INLINE_FUNCTION constexpr std::uint64_t map_mix(std::uint64_t x) {
  return (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
}

/// Returns N <= 8 bytes of an object as an integer. Align: the alignment of `from`, at most 8.
template <std::size_t N, std::size_t Align>
HPK_INLINE_FUNCTION std::uint64_t map_bytes(const unsigned char* from) {
  using word = std::conditional_t<
      N == 8, std::uint64_t,
      std::conditional_t<N == 4, std::uint32_t,
                         std::conditional_t<N == 2, std::uint16_t, std::uint8_t>>>;
  if constexpr (N == sizeof(word)) {
    HPK_IF_ON_HOST((word w; std::memcpy(&w, from, N); return w;))
    // nvcc copies bytes one by one, even if it knows the alignment.
    if constexpr (N <= Align) {
      typedef word __attribute__((may_alias)) aliasing_word;
      return *reinterpret_cast<const aliasing_word*>(from);
    } else {
      return map_bytes<N / 2, Align>(from) | map_bytes<N / 2, Align>(from + N / 2) << (4 * N);
    }
  } else {
    constexpr std::size_t low = N > 4 ? 4 : 2;
    return map_bytes<low, Align>(from) | map_bytes<N - low, (Align < low ? Align : low)>(from + low)
                                             << (8 * low);
  }
}
/// Returns the bytes of an object of at most 8 bytes as an integer.
template <class T>
HPK_INLINE_FUNCTION std::uint64_t map_word_of(const T& object) {
  return map_bytes<sizeof(T), (alignof(T) < 8 ? alignof(T) : 8)>(
      reinterpret_cast<const unsigned char*>(&object));
}

/// Calls use(a, b) with the bytes of two objects, 8 bytes at a time, until it returns false.
template <class T, class Use>
HPK_INLINE_FUNCTION bool map_each_word(const T& a, const T& b, const Use& use) {
  const auto* const p = reinterpret_cast<const unsigned char*>(&a);
  const auto* const q = reinterpret_cast<const unsigned char*>(&b);
  constexpr std::size_t align = alignof(T) < 8 ? alignof(T) : 8;
  constexpr std::size_t whole = sizeof(T) / 8 * 8;
  for (std::size_t i = 0; i != whole; i += 8) {
    if (!use(map_bytes<8, align>(p + i), map_bytes<8, align>(q + i))) return false;
  }
  if constexpr (sizeof(T) != whole) {
    constexpr std::size_t rest = sizeof(T) - whole;
    return use(map_bytes<rest, align>(p + whole), map_bytes<rest, align>(q + whole));
  }
  return true;
}

/// Whether the bytes of two keys are the same.
template <class T>
HPK_INLINE_FUNCTION bool map_same_bytes(const T& a, const T& b) {
  return map_each_word(a, b, [](std::uint64_t x, std::uint64_t y) { return x == y; });
}
/// A hash of the bytes of a key.
template <class T>
HPK_INLINE_FUNCTION std::uint64_t map_hash_bytes(const T& key) {
  std::uint64_t h = 0;
  map_each_word(key, key, [&h](std::uint64_t x, std::uint64_t) {
    h = map_mix(h ^ x);
    return true;
  });
  return h;
}

/// An integer of 128 bits.
__extension__ using map_wide = unsigned __int128;
/// Maps a hash, as a fraction of 2^64, to the range [0, n): the high word of a product (D. Lemire,
/// Fast random integer generation in an interval, 2019).
HPK_INLINE_FUNCTION constexpr std::uint64_t map_place(std::uint64_t hash, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<map_wide>(hash) * n >> 64);
}

/// The buckets in which a key may be, in the order of probing: double hashing over a prime number
/// of buckets, which visits all of them (D. Knuth, The Art of Computer Programming, vol. 3, 6.4).
struct map_path {
  std::uint64_t hash;
  std::uint32_t buckets;  // 32 bits, which devices compute faster
  std::uint32_t bucket;
  std::uint32_t passed = 0;  ///< the number of buckets before this one on the path

  HPK_INLINE_FUNCTION constexpr map_path(std::uint64_t hash_, std::uint64_t buckets_)
      : hash(hash_),
        buckets(static_cast<std::uint32_t>(buckets_)),
        bucket(static_cast<std::uint32_t>(map_place(hash_, buckets_))) {}

  HPK_INLINE_FUNCTION constexpr std::uint64_t home() const { return map_place(hash, buckets); }
  /// Moves to the next bucket. Returns false after the last one.
  HPK_INLINE_FUNCTION constexpr bool next() {
    if (++passed >= buckets) return false;
    const auto step = 1 + static_cast<std::uint32_t>((hash & 0xffffffffu) * (buckets - 1) >> 32);
    bucket = bucket >= buckets - step ? bucket - (buckets - step) : bucket + step;
    return true;
  }
  /// Moves on by `by` buckets. Returns false after the last one.
  HPK_INLINE_FUNCTION constexpr bool advance(std::uint64_t by) {
    bool more = true;
    for (std::uint64_t k = 0; k != by && more; ++k) more = next();
    return more;
  }
  HPK_INLINE_FUNCTION constexpr map_word full() const { return map_full | (hash >> 24 & 0x7f); }
  HPK_INLINE_FUNCTION constexpr map_word erased() const { return map_erased | (hash >> 24 & 0x3f); }
  HPK_INLINE_FUNCTION constexpr map_word busy() const { return map_busy | (hash >> 24 & 0x1f); }
};

/// The words of the shared state of a map. They are not in its buckets.
enum map_counter : int {
  map_size,         ///< the cached size. Word 0, as kernels take the address of word 0 and do not
                    ///< write the size
  map_modified,     ///< the cached size is out of date
  map_failed,       ///< an insert has failed
  map_is_full,      ///< no slot is empty
  map_some_erased,  ///< there are erased slots
  map_erasable,     ///< between begin_erase and end_erase
  map_counters
};

/// @{
/// Atomic operations on a word of a table of Exec: an acquire load, a release store, and a
/// compare-and-swap of the given order (acquire and release on hosts), which returns whether it
/// stored. On hosts they bypass the detectors of atomic operations, which only watch kernels of
/// devices.
template <class Exec, class Order = MemoryOrderAcquire, class Word>
HPK_FORCEINLINE_FUNCTION Word load_map_word(Word* word) {
  if constexpr (SpaceAccessibility<Exec, HostSpace>::accessible) {
    HPK_IF_ON_HOST((return __atomic_load_n(word, static_cast<int>(Order::order));))
  }
  return atomic_load(word, Order());
}
template <class Exec, class Order = MemoryOrderRelease, class Word>
HPK_FORCEINLINE_FUNCTION void store_map_word(Word* word, Word value) {
  if constexpr (SpaceAccessibility<Exec, HostSpace>::accessible) {
    HPK_IF_ON_HOST((__atomic_store_n(word, value, static_cast<int>(Order::order)); return;))
  }
  atomic_store(word, value, Order());
}
template <class Exec, class Order = MemoryOrderAcqRel, class Word>
HPK_FORCEINLINE_FUNCTION bool swap_map_word(Word* word, Word seen, Word value) {
  if constexpr (SpaceAccessibility<Exec, HostSpace>::accessible) {
    HPK_IF_ON_HOST((return __atomic_compare_exchange_n(word, &seen, value, false, __ATOMIC_ACQ_REL,
                                                       __ATOMIC_ACQUIRE);))
  }
  return atomic_compare_exchange(word, seen, value, Order()) == seen;
}
/// Takes a slot. Relaxed, because order would cost devices two fences, and no lane reads the slot
/// before it is published.
template <class Exec, class Word>
HPK_FORCEINLINE_FUNCTION bool take_map_slot(Word* word, Word seen, Word taken) {
  return swap_map_word<Exec, MemoryOrderRelaxed>(word, seen, taken);
}
/// @}

/// Sets a flag that many lanes set; most of them only read it. A lane that sees that a map is full
/// sees the entries that fill it. Only the host reads the other flags, so they need no order.
template <map_counter Flag, class Words>
HPK_FORCEINLINE_FUNCTION void raise_map_flag(const Words& words) {
  using exec = typename Words::execution_space;
  constexpr bool ordered = Flag == map_is_full;
  using loaded = std::conditional_t<ordered, MemoryOrderAcquire, MemoryOrderRelaxed>;
  using stored = std::conditional_t<ordered, MemoryOrderRelease, MemoryOrderRelaxed>;
  map_word* const word = &words(static_cast<int>(Flag));
  if (load_map_word<exec, loaded>(word) == 0) store_map_word<exec, stored>(word, map_word{1});
}

/// Raises a reach, which begins at a bit of a word, to at least `reach`, in order before later
/// accesses.
template <class Word>
HPK_FUNCTION HPK_NOINLINE_ON_HOST void raise_map_reach(Word* word, int bit, map_word reach) {
  constexpr map_word all = 0x7f;
  map_word seen = atomic_load(word);
  while ((seen >> bit & all) < reach) {
    const map_word raised = (seen & ~(all << bit)) | reach << bit;
    const map_word found = atomic_compare_exchange(word, seen, raised, MemoryOrderAcquire());
    if (found == seen) break;
    seen = found;
  }
}

/// Whether values are stored in the slots, which holds for small values. Other values are in a
/// separate View.
template <class Value>
inline constexpr bool map_values_inline = false;
template <class Value>
  requires std::is_trivially_copyable_v<Value>
inline constexpr bool map_values_inline<Value> = sizeof(Value) <= 16;

template <class Value>
using map_inline_value = std::conditional_t<map_values_inline<Value>, Value, void>;

/// Returns the number of buckets for at least `slots` slots: a prime, or 1. Throws hpk::error with
/// `label` if that is more than 2^32.
std::uint64_t map_buckets_for(std::uint64_t slots, int slots_per_bucket, std::string_view label,
                              const std::source_location& where);

/// The key type of a map's default functors. For types that can't be keys it is char, so that only
/// the map reports an error.
template <class Key>
using map_hash_key =
    std::conditional_t<std::is_trivially_copyable_v<Key>, std::remove_const_t<Key>, char>;

/// Errors: each function throws hpk::error.
[[noreturn]] void reject_map_copy(std::string_view to, std::uint64_t to_slots,
                                  std::string_view from, std::uint64_t from_slots,
                                  const std::source_location& where);
[[noreturn]] void reject_map_slot(std::uint64_t slot, std::uint64_t slots);
[[noreturn]] void reject_const_map(std::string_view label, const std::source_location& where);
[[noreturn]] void reject_failed_insert(std::string_view label, std::uint64_t size,
                                       std::uint64_t slots, const std::source_location& where);
[[noreturn]] void reject_map_views(std::string_view label, std::string_view what,
                                   std::uint64_t keys, std::uint64_t other_extent,
                                   const std::source_location& where);

}  // namespace hpk::detail
