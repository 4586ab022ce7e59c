// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash table of UnorderedMap: any number of lanes and host threads search, insert and erase at
// the same time.
//
// A key goes to the first empty slot of its path (map_slots.hpp). A lane claims a slot by a
// compare-and-swap of the states of its bucket from empty to busy, writes key and value, and
// publishes them by a release store of the state. Until the host reclaims slots, no slot becomes
// empty again, and an erased slot can only be reused by its own key. So lanes that insert the same
// key compete for the same slot, regardless of other slots, and no key is stored twice. A lane
// waits only for a busy slot that may hold its own key; the lane that claimed the slot does not
// wait before it publishes.
//
// A search ends at a bucket that no key has passed, even if slots before it were reclaimed.
#pragma once

#include <hpk/containers/detail/map_key_table.hpp>
#include <hpk/containers/detail/map_slots.hpp>
#include <hpk/containers/functional.hpp>
#include <hpk/containers/map_insert_result.hpp>

namespace hpk::detail {

/// Key and Value without const; Value is void for sets.
template <class Key, class Value, class Device, class Hasher, class EqualTo>
struct map_bucket_table {
  static constexpr bool is_set = std::is_void_v<Value>;
  static constexpr bool inline_values = map_values_inline<Value>;
  using bucket_type = map_bucket<Key, map_inline_value<Value>>;
  using stored_value = std::conditional_t<is_set, char, Value>;
  using buckets_view = View<bucket_type*, Device>;
  using values_view = View<stored_value*, Device>;
  using words_view = View<map_word*, Device>;
  using execution_space = typename buckets_view::execution_space;
  using device_type = typename buckets_view::device_type;
  // On hosts the state of one slot is stored as a byte. Not with ThreadSanitizer, which does not
  // relate the byte to loads of the whole word.
  static constexpr bool stores_bytes = SpaceAccessibility<execution_space, HostSpace>::accessible &&
                                       std::endian::native == std::endian::little &&
                                       !static_cast<bool>(HPK_HAS_THREAD_SANITIZER);

  /// The buckets, after one that is unused. Kernels compute their addresses from its address.
  buckets_view buckets;
  values_view separate_values;
  words_view words;
  std::uint64_t bucket_count = 0;
  Hasher hasher;
  EqualTo equal;

  static constexpr bool empty_is_zero = false;  // only the states of an empty bucket are zero
  static constexpr int slots_per_bucket = map_slots_per_bucket;
  /// The number of slots for n keys, of which the keys fill 7/8.
  static constexpr std::uint64_t slots_for(std::uint64_t keys) { return keys + (keys + 6) / 7; }
  static constexpr std::uint64_t view_extent(std::uint64_t buckets) { return buckets + 1; }
  static constexpr std::uint64_t words_for(std::uint64_t) { return map_counters; }
  HPK_INLINE_FUNCTION std::uint64_t slots() const { return bucket_count * map_slots_per_bucket; }
  HPK_INLINE_FUNCTION std::uint64_t visited_buckets() const { return bucket_count; }
  HPK_INLINE_FUNCTION bucket_type* first() const { return &buckets(0) + 1; }

  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION map_path path_of(const Key& key) const {
    if constexpr (std::is_same_v<Hasher, pod_hash<Key>>) {
      return {map_hash_bytes(key), bucket_count};  // a faster hash of the same bytes
    } else {
      return {map_mix(static_cast<std::uint64_t>(hasher(key))), bucket_count};
    }
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool same(const Key& a, const Key& b) const {
    if constexpr (std::is_same_v<EqualTo, pod_equal_to<Key>>) {
      return map_same_bytes(a, b);
    } else {
      return equal(a, b);
    }
  }
  /// The position in the bucket of the slot with the state (full or erased) and the key, or -1.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int position_of(bucket_type& bucket, map_word states, map_word state,
                                      const Key& key) const {
    for (map_word marks = map_matches(states, state); marks != 0; marks &= marks - 1) {
      const int position = map_first_slot(marks);
      if (same(*bucket.keys.at(position), key)) return position;
    }
    return -1;
  }
  HPK_INLINE_FUNCTION static std::size_t slot_of(const map_path& path, int position) {
    return std::size_t{path.bucket} * map_slots_per_bucket + static_cast<unsigned>(position);
  }
  HPK_INLINE_FUNCTION bool holds(std::uint64_t slot) const {
    const map_word states =
        load_map_word<execution_space>(&first()[slot / map_slots_per_bucket].states);
    return (map_state(states, static_cast<int>(slot % map_slots_per_bucket)) & map_full) != 0;
  }
  HPK_INLINE_FUNCTION const Key& key_at(std::uint64_t slot) const {
    return *first()[slot / map_slots_per_bucket].keys.at(
        static_cast<int>(slot % map_slots_per_bucket));
  }
  HPK_INLINE_FUNCTION stored_value& value_at(std::uint64_t slot) const {
    if constexpr (inline_values) {
      return *first()[slot / map_slots_per_bucket].values.at(
          static_cast<int>(slot % map_slots_per_bucket));
    } else {
      return separate_values(slot);
    }
  }
  /// A bit for each slot of a bucket, set if the slot holds a key.
  HPK_INLINE_FUNCTION unsigned occupied_slots(std::uint64_t bucket) const {
    map_word marks = map_full_slots(load_map_word<execution_space>(&first()[bucket].states));
    unsigned result = 0;
    for (; marks != 0; marks &= marks - 1) result |= 1u << map_first_slot(marks);
    return result;
  }
  /// Makes slots of a bucket empty: all, or the erased ones.
  HPK_INLINE_FUNCTION void empty_out(std::uint64_t bucket, bool all) const {
    map_word* const at = &first()[bucket].states;
    map_word states = all ? 0 : *at;  // no other thread accesses the map
    for (map_word marks = map_erased_slots(states); marks != 0; marks &= marks - 1)
      states = map_with(states, map_first_slot(marks), 0);
    *at = states;
  }
  /// Returns the position of the key in one bucket of a path, or -1. Sets `ends` if the key is in
  /// no later bucket.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int position_on_path(const map_path& path, const Key& key, bool& ends) const {
    bucket_type& bucket = first()[path.bucket];
    const map_word states = load_map_word<execution_space>(&bucket.states);
    ends = (states & map_passed) == 0;
    return position_of(bucket, states, path.full(), key);
  }
  HPK_INLINE_FUNCTION static int slots_before(const map_path&, int position) { return position; }
  HPK_INLINE_FUNCTION bool has_path(const Key&) const { return true; }
  template <map_counter Flag>
  HPK_INLINE_FUNCTION void raise_flag() const {
    raise_map_flag<Flag>(words);
  }

  /// The slot of a key, or ~0.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::size_t find(const Key& key) const {
    if (bucket_count == 0) return ~std::size_t{0};
    bucket_type* const base = first();
    map_path path = path_of(key);
    for (;;) {
      bucket_type& bucket = base[path.bucket];
      const map_word states = load_map_word<execution_space>(&bucket.states);
      const int position = position_of(bucket, states, path.full(), key);
      if (position >= 0) return slot_of(path, position);
      if ((states & map_passed) == 0 || !path.next() || ends_here(base, path))
        return ~std::size_t{0};
    }
  }
  /// Finds a key in a map without free slots, from a bucket of the path on. Sets `may_appear` if
  /// another lane may be about to publish the key, or to insert it again in its erased slot. Moves
  /// the path to the bucket where the search ends.
  HPK_CALLS_EITHER
  HPK_FUNCTION HPK_NOINLINE_ON_HOST std::size_t find_in_full(map_path& path, const Key& key,
                                                             bool& may_appear) const {
    bucket_type* const base = first();
    map_word states = 0;
    do {
      bucket_type& bucket = base[path.bucket];
      states = load_map_word<execution_space>(&bucket.states);
      const int position = position_of(bucket, states, path.full(), key);
      if (position >= 0) return slot_of(path, position);
      if ((map_matches(states, path.busy()) | map_matches(states, path.erased())) != 0)
        may_appear = true;
    } while ((states & map_passed) != 0 && path.next() && !ends_here(base, path));
    return ~std::size_t{0};
  }
  /// Whether no key of this hash is in the current bucket of the path or a later one.
  HPK_INLINE_FUNCTION bool ends_here(bucket_type* base, const map_path& path) const {
    return path.passed >= map_near_buckets && is_beyond_reach(base, path);
  }
  HPK_FUNCTION HPK_NOINLINE_ON_HOST static bool is_beyond_reach(bucket_type* base,
                                                                const map_path& path) {
    const map_word states = load_map_word<execution_space>(&base[path.home()].states);
    return path.passed > map_distance(states >> map_reach_bit);
  }

  /// Removes a key. Returns whether this call removed it.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool erase(const Key& key) const {
    if (bucket_count == 0) return false;
    bucket_type* const base = first();
    map_path path = path_of(key);
    for (;;) {
      bucket_type& bucket = base[path.bucket];
      const map_word states = load_map_word<execution_space>(&bucket.states);
      const int position = position_of(bucket, states, path.full(), key);
      if (position >= 0) {
        if (swap_map_word<execution_space>(&bucket.states, states,
                                           map_with(states, position, path.erased()))) {
          raise_flag<map_some_erased>();
          raise_flag<map_modified>();
          return true;
        }
      } else if ((states & map_passed) == 0 || !path.next() || ends_here(base, path)) {
        return false;
      }
    }
  }

  /// Inserts a key, or applies the operation to the value of an existing key.
  HPK_CALLS_EITHER
  template <class Op>
  HPK_INLINE_FUNCTION UnorderedMapInsertResult insert(const Key& key, const stored_value& value,
                                                      const Op& op) const {
    UnorderedMapInsertResult result;
    if (bucket_count == 0) return result;
    bucket_type* const base = first();
    map_path path = path_of(key);
    map_path free = path;    // the first bucket with an empty slot, if has_free
    bool has_free = false;   // an empty slot was found, but the key may be after it
    bool may_claim = false;  // the key is not after the empty slot
    for (bool done = false; !done;) {
      bucket_type& bucket = base[path.bucket];
      const map_word states = load_map_word<execution_space>(&bucket.states);
      const int position = position_of(bucket, states, path.full(), key);
      if (position >= 0) {
        result.set_existing(slot_of(path, position));
        if constexpr (!is_set) {
          stored_value* const at = &value_in(bucket, result.index(), position);
          op.op(map_slot_value<stored_value>(at, result.index()), result.index(), value);
        }
        done = true;
        continue;
      }
      const map_word empty = map_empty_slots(states);
      if (map_other_slots(states) != 0) {
        if (map_matches(states, path.busy()) != 0) continue;
        const int old = position_of(bucket, states, path.erased(), key);
        if (old >= 0) {
          done = claim<false>(bucket, states, path, old, key, value, result);
          continue;
        }
      }
      const bool ends = (states & map_passed) == 0;
      if (empty != 0 && (may_claim || (ends && !has_free))) {
        if (path.passed >= map_near_buckets) {
          raise_map_reach(&base[path.home()].states, map_reach_bit, map_reach(path.passed));
          store_fence();  // lanes that see the slot taken see the raised reach
        }
        done = claim<true>(bucket, states, path, map_first_slot(empty), key, value, result);
        continue;
      }
      if (empty != 0 && !has_free) {
        free = path;
        has_free = true;
      }
      bool more = true;
      if (ends && has_free && !may_claim) {
        more = false;
      } else {
        if (ends) atomic_fetch_or(&bucket.states, map_passed, MemoryOrderAcqRel());
        more = path.next();
        if (more && path.passed == 1 && known_full()) {
          map_path end = path;
          bool may_appear = false;
          const std::size_t slot = find_in_full(end, key, may_appear);
          done = slot != ~std::size_t{0};
          if (done) {
            result.set_existing(slot);
            if constexpr (!is_set)
              op.op(map_slot_value<stored_value>(&value_at(slot), slot), slot, value);
          }
          more = !done && may_appear;
          if (!more) path = end;
        }
        if (more && path.passed >= map_near_buckets && !may_claim && (has_free || known_full()))
          more = !ends_here(base, path);
      }
      if (!more && !done) {
        if (has_free && !may_claim) {
          path = free;
          may_claim = true;
        } else {
          raise_failure();
          done = true;
        }
      }
    }
    result.increment_list_position(static_cast<std::uint32_t>(path.passed));
    return result;
  }

  HPK_INLINE_FUNCTION stored_value& value_in(bucket_type& bucket, std::uint64_t slot,
                                             int position) const {
    if constexpr (inline_values) {
      return *bucket.values.at(position);
    } else {
      return separate_values(slot);
    }
  }
  HPK_INLINE_FUNCTION bool known_full() const {
    return load_map_word<execution_space>(&words(static_cast<int>(map_is_full))) != 0;
  }
  HPK_INLINE_FUNCTION void raise_failure() const {
    raise_flag<map_is_full>();
    raise_flag<map_failed>();
  }

  /// Takes the slot for the key if the states of its bucket have not changed. Returns whether it
  /// did. An erased slot already holds the key, which other lanes may be reading.
  HPK_CALLS_EITHER
  template <bool IsNew>
  HPK_INLINE_FUNCTION bool claim(bucket_type& bucket, map_word states, const map_path& path,
                                 int position, const Key& key, const stored_value& value,
                                 UnorderedMapInsertResult& result) const {
    const map_word busy = map_with(states, position, path.busy());
    if constexpr (IsNew) {
      if (!take_map_slot<execution_space>(&bucket.states, states, busy)) return false;
    } else {
      if (!swap_map_word<execution_space>(&bucket.states, states, busy)) return false;
    }
    const std::size_t slot = slot_of(path, position);
    if constexpr (IsNew) ::new (static_cast<void*>(bucket.keys.at(position))) Key(key);
    if constexpr (inline_values) {
      ::new (static_cast<void*>(bucket.values.at(position))) stored_value(value);
    } else if constexpr (!is_set) {
      separate_values(slot) = value;
    }
    if constexpr (stores_bytes) {
      store_map_word<execution_space>(reinterpret_cast<unsigned char*>(&bucket.states) + position,
                                      static_cast<unsigned char>(path.full()));
    } else {
      atomic_fetch_xor(&bucket.states, (path.busy() ^ path.full()) << (8 * position),
                       MemoryOrderRelease());
    }
    raise_flag<map_modified>();
    result.set_success(slot);
    return true;
  }
};

/// The hash table for a type of keys and its comparison.
template <class Key, class Value, class Device, class Hasher, class EqualTo>
using map_table = std::conditional_t<(sizeof(Key) == 4 || sizeof(Key) == 8) &&
                                         std::is_same_v<EqualTo, pod_equal_to<Key>>,
                                     map_key_table<Key, Value, Device, Hasher, EqualTo>,
                                     map_bucket_table<Key, Value, Device, Hasher, EqualTo>>;

}  // namespace hpk::detail
