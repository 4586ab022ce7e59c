// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash table of UnorderedMap for keys of 4 or 8 bytes that are compared by their bytes. A slot
// is {key, value}, and the word of the key is also the state of the slot. A search for a present
// key touches one cache line and compares one word. The protocol is that of map_table.hpp, but an
// erased slot stays erased until the host reclaims it, even if the same key is inserted again.
//
// Four words are states. Keys whose words equal a state are in slots that look erased, and a list
// records these slots. Words are scrambled keys, so that the four keys are arbitrary ones, not 0, 1
// or -1, which programs use often.
#pragma once

#include <hpk/containers/detail/map_slots.hpp>
#include <hpk/containers/functional.hpp>
#include <hpk/containers/map_insert_result.hpp>

#include <cstdint>
#include <type_traits>

namespace hpk::detail {

template <class Word, class Value>
struct map_key_slot {
  Word word;
  map_storage<Value> value;
};
template <class Word>
struct map_key_slot<Word, void> {
  Word word;
};

/// Key and Value without const; Value is void for sets.
template <class Key, class Value, class Device, class Hasher, class EqualTo>
struct map_key_table {
  static constexpr bool is_set = std::is_void_v<Value>;
  static constexpr bool inline_values = map_values_inline<Value>;
  using word_type = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
  using slot_type = map_key_slot<word_type, map_inline_value<Value>>;
  using stored_value = std::conditional_t<is_set, char, Value>;
  // By value if it fits into registers.
  using passed_value = std::conditional_t<inline_values, const stored_value, const stored_value&>;
  using buckets_view = View<slot_type*, Device>;
  using values_view = View<stored_value*, Device>;
  using words_view = View<map_word*, Device>;
  using execution_space = typename buckets_view::execution_space;
  using device_type = typename buckets_view::device_type;

  /// Whether filling the buckets with zeros clears the map. Values in buckets are small, so a fill
  /// is faster than a kernel that skips them.
  static constexpr bool empty_is_zero = true;
  static constexpr int slots_per_bucket = 8;
  // States of a slot. A reusable slot was erased and then reclaimed; searches continue after it.
  static constexpr word_type empty = 0, busy = 1, erased = 2, reusable = 3, states = 4;
  // The list of keys whose words are states, and the states of its elements. A larger element is a
  // slot plus listed_from.
  static constexpr int first_listed = map_counters;
  static constexpr int first_reaches = first_listed + static_cast<int>(states);
  static constexpr map_word not_listed = 0, being_listed = 1, listed_from = 2;
  static constexpr word_type scramble = static_cast<word_type>(0x6a09e667f3bcc908u);

  /// The buckets, after one that is unused. Kernels compute their addresses from its address.
  buckets_view buckets;
  values_view separate_values;
  /// The shared state (map_counter); then, for each key whose word is a state, whether a lane
  /// inserts it, or its slot; then a byte for each bucket: the reach of the keys whose paths begin
  /// there.
  words_view words;
  std::uint64_t bucket_count = 0;
  Hasher hasher;
  EqualTo equal;

  /// The number of slots for n keys, of which the keys fill 4/5.
  static constexpr std::uint64_t slots_for(std::uint64_t keys) { return keys + keys / 4; }
  static constexpr std::uint64_t view_extent(std::uint64_t buckets) {
    return (buckets + 1) * slots_per_bucket;
  }
  static constexpr std::uint64_t words_for(std::uint64_t buckets) {
    return first_reaches + (buckets + 7) / 8;
  }
  HPK_INLINE_FUNCTION std::uint64_t slots() const { return bucket_count * slots_per_bucket; }
  HPK_INLINE_FUNCTION std::uint64_t visited_buckets() const { return bucket_count; }
  HPK_INLINE_FUNCTION slot_type* first() const { return &buckets(0) + slots_per_bucket; }

  HPK_INLINE_FUNCTION static word_type word_of(const Key& key) {
    return static_cast<word_type>(map_word_of(key)) ^ scramble;
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::uint64_t hash_of(const Key& key) const {
    if constexpr (std::is_same_v<Hasher, pod_hash<Key>>) {
      // A faster hash of the same bytes. One multiplication turns it into a slot.
      return map_mix(map_word_of(key));
    } else {
      return map_mix(static_cast<std::uint64_t>(hasher(key)));
    }
  }
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION map_path path_of(const Key& key) const {
    return {hash_of(key), bucket_count};
  }
  /// The slot at which a search begins. Searches in later buckets begin at the same position, and
  /// in each bucket continue from the last slot to the first.
  HPK_INLINE_FUNCTION static std::uint64_t home_slot(std::uint64_t hash, std::uint64_t buckets) {
    return map_place(hash, buckets * slots_per_bucket);
  }
  HPK_INLINE_FUNCTION static unsigned start(const map_path& path) {
    return static_cast<unsigned>(home_slot(path.hash, path.buckets)) % slots_per_bucket;
  }
  HPK_INLINE_FUNCTION static std::uint64_t next_slot(std::uint64_t slot) {
    constexpr std::uint64_t in_bucket = slots_per_bucket - 1;
    return (slot & ~in_bucket) | ((slot + 1) & in_bucket);
  }
  HPK_INLINE_FUNCTION static int slots_before(const map_path& path, int position) {
    return static_cast<int>((static_cast<unsigned>(position) - start(path)) % slots_per_bucket);
  }

  HPK_FORCEINLINE_FUNCTION static word_type load(slot_type& slot) {
    return load_map_word<execution_space>(&slot.word);
  }
  HPK_INLINE_FUNCTION map_word* listing(word_type word) const {
    return &words(first_listed + static_cast<int>(word));
  }
  /// The slot of a key whose word is a state, or ~0.
  HPK_INLINE_FUNCTION std::size_t listed_slot(word_type word) const {
    const map_word seen = load_map_word<execution_space>(listing(word));
    return seen >= listed_from ? seen - listed_from : ~std::size_t{0};
  }
  /// The word of the key in a slot that looks erased; `states` if the slot is erased.
  HPK_INLINE_FUNCTION word_type listed_at(std::uint64_t slot) const {
    word_type word = 0;
    while (word != states && listed_slot(word) != slot) ++word;
    return word;
  }
  HPK_INLINE_FUNCTION bool holds(std::uint64_t slot) const {
    const word_type word = load(first()[slot]);
    return word >= states || (word == erased && listed_at(slot) != states);
  }
  HPK_INLINE_FUNCTION static Key key_of(word_type word) {
    const word_type bits = word ^ scramble;
    map_storage<Key> key;
    std::memcpy(key.bytes, &bits, sizeof(Key));
    return *key.at();
  }
  HPK_INLINE_FUNCTION Key key_at(std::uint64_t slot) const {
    const word_type word = first()[slot].word;
    return key_of(word >= states ? word : listed_at(slot));
  }
  HPK_INLINE_FUNCTION stored_value& value_at(std::uint64_t slot) const {
    if constexpr (inline_values) {
      return *first()[slot].value.at();
    } else {
      return separate_values(slot);
    }
  }
  /// A bit for each slot of a bucket, set if the slot holds a key.
  HPK_INLINE_FUNCTION unsigned occupied_slots(std::uint64_t bucket) const {
    unsigned result = 0;
    for (unsigned k = 0; k != slots_per_bucket; ++k) {
      if (holds(bucket * slots_per_bucket + k)) result |= 1u << k;
    }
    return result;
  }
  /// Makes all slots of a bucket empty, or its erased slots reusable.
  HPK_INLINE_FUNCTION void empty_out(std::uint64_t bucket, bool all) const {
    slot_type* const slots = first() + bucket * slots_per_bucket;
    if (all) {
      for (int k = 0; k != slots_per_bucket; ++k)
        slots[k].word = empty;  // no other thread accesses the map
      if (bucket % 8 == 0)
        atomic_store(&words(first_reaches + static_cast<index_t>(bucket / 8)), map_word{0});
      return;
    }
    for (unsigned k = 0; k != slots_per_bucket; ++k) {
      if (slots[k].word == erased && !holds(bucket * slots_per_bucket + k))
        slots[k].word = reusable;
    }
  }

  template <map_counter Flag>
  HPK_INLINE_FUNCTION void raise_flag() const {
    raise_map_flag<Flag>(words);
  }
  HPK_INLINE_FUNCTION void raise_failure() const {
    raise_flag<map_is_full>();
    raise_flag<map_failed>();
  }
  HPK_INLINE_FUNCTION bool known_full() const {
    return load_map_word<execution_space>(&words(static_cast<int>(map_is_full))) != 0;
  }
  HPK_INLINE_FUNCTION static map_word* reach_word(map_word* shared, const map_path& path) {
    return shared + first_reaches + path.home() / 8;
  }
  HPK_INLINE_FUNCTION static int reach_bit(const map_path& path) {
    return static_cast<int>(path.home() % 8) * 8;
  }
  /// Whether no key of this hash is in the current bucket of the path or a later one.
  HPK_INLINE_FUNCTION bool ends_here(const map_path& path) const {
    return ends_here(&words(0), path);
  }
  HPK_INLINE_FUNCTION static bool ends_here(map_word* shared, const map_path& path) {
    return path.passed >= map_near_buckets && is_beyond_reach(shared, path);
  }
  HPK_FUNCTION HPK_NOINLINE_ON_HOST static bool is_beyond_reach(map_word* shared,
                                                                const map_path& path) {
    const map_word reaches = load_map_word<execution_space>(reach_word(shared, path));
    return path.passed > map_distance(reaches >> reach_bit(path) & 0x7f);
  }

  /// The slot of a key, or ~0.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION std::size_t find(const Key& key) const {
    if (bucket_count == 0) return ~std::size_t{0};
    const word_type word = word_of(key);
    if (word < states) return listed_slot(word);
    const std::uint64_t hash = hash_of(key);
    slot_type* const slots = first();
    std::uint64_t slot = home_slot(hash, bucket_count);
    HPK_ROLLED_ON_DEVICE
    for (int step = 0; step != slots_per_bucket; ++step, slot = next_slot(slot)) {
      const word_type seen = load(slots[slot]);
      if (seen == word) return slot;
      if (seen == empty) return ~std::size_t{0};
    }
    return find_in_later_buckets(slots, &words(0), bucket_count, hash, word);
  }
  /// Finds a key after the first bucket of its path, where few keys are. Out of line, so that most
  /// searches are short and many overlap in the processor; static, so that the members can stay in
  /// registers.
  HPK_FUNCTION HPK_NOINLINE_ON_HOST static std::size_t find_in_later_buckets(slot_type* slots,
                                                                             map_word* shared,
                                                                             std::uint64_t buckets,
                                                                             std::uint64_t hash,
                                                                             word_type word) {
    map_path path(hash, buckets);
    bool ends = false;
    while (path.next() && !ends_here(shared, path)) {
      const int position = position_of(slots, path, word, ends);
      if (position >= 0) return slot_of(path, position);
      if (ends) break;
    }
    return ~std::size_t{0};
  }
  /// Returns the position in the bucket of the slot with the word, or -1. Sets `ends` if the key is
  /// in no later bucket.
  HPK_INLINE_FUNCTION static int position_of(slot_type* slots, const map_path& path, word_type word,
                                             bool& ends) {
    slot_type* const bucket = slots + std::size_t{path.bucket} * slots_per_bucket;
    unsigned k = start(path);
    HPK_ROLLED_ON_DEVICE
    for (int step = 0; step != slots_per_bucket; ++step, k = (k + 1) & 7) {
      const word_type seen = load(bucket[k]);
      if (seen == word) return static_cast<int>(k);
      if (seen == empty) {
        ends = true;
        return -1;
      }
    }
    return -1;
  }
  /// As position_of(), for a lane of a sub-group whose lanes search together.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION int position_on_path(const map_path& path, const Key& key, bool& ends) const {
    return position_of(first(), path, word_of(key), ends);
  }
  HPK_INLINE_FUNCTION bool has_path(const Key& key) const { return word_of(key) >= states; }
  HPK_INLINE_FUNCTION static std::size_t slot_of(const map_path& path, int position) {
    return std::size_t{path.bucket} * slots_per_bucket + static_cast<unsigned>(position);
  }

  /// Removes a key. Returns whether this call removed it.
  HPK_CALLS_EITHER
  HPK_INLINE_FUNCTION bool erase(const Key& key) const {
    const std::size_t slot = find(key);
    if (slot == ~std::size_t{0}) return false;
    const word_type word = word_of(key);
    const bool erased_here =
        word < states
            ? swap_map_word<execution_space>(listing(word), listed_from + slot, not_listed)
            : swap_map_word<execution_space>(&first()[slot].word, word, erased);
    if (!erased_here) return false;
    raise_flag<map_some_erased>();
    raise_flag<map_modified>();
    return true;
  }

  /// Inserts a key, or applies the operation to the value of an existing key.
  HPK_CALLS_EITHER
  template <class Op>
  HPK_INLINE_FUNCTION UnorderedMapInsertResult insert(const Key& key, const stored_value& value,
                                                      const Op& op) const {
    UnorderedMapInsertResult result;
    if (bucket_count == 0) return result;
    slot_type* const base = first();
    const word_type word = word_of(key);
    if (word < states) return insert_listed<Op>(word, value, op);
    const std::uint64_t hash = hash_of(key);
    std::uint64_t slot = home_slot(hash, bucket_count);
    word_type seen = busy;
    HPK_ROLLED_ON_DEVICE
    for (int step = 0; step != slots_per_bucket; ++step, slot = next_slot(slot)) {
      seen = load(base[slot]);
      if (seen == word || seen < states) break;
    }
    // After the loop, where lanes that left it at different steps run together again.
    if (seen == word) {
      apply(slot, value, op, result);
      return result;
    }
    if (seen == empty && claim(slot, seen, word, value, result)) return result;
    return insert_slowly<Op>(hash, word, value, op);
  }
  /// The slow path of insert(), for keys that are neither found nor inserted by a search for the
  /// first empty slot in the first bucket.
  HPK_CALLS_EITHER
  template <class Op>
  HPK_FUNCTION HPK_NOINLINE_ON_HOST UnorderedMapInsertResult
  insert_slowly(std::uint64_t hash, word_type word, passed_value value, const Op& op) const {
    UnorderedMapInsertResult result;
    if (known_full() && insert_if_full<Op>(hash, word, value, op, result)) return result;
    slot_type* const base = first();
    map_path path(hash, bucket_count);
    map_path free = path;    // position of the first reusable slot, if has_free
    bool has_free = false;   // a reusable slot was found, but the key may be after it
    bool may_claim = false;  // the key is not after the reusable slot
    const unsigned begin = start(path);
    unsigned k = begin;
    unsigned free_k = k;
    for (bool done = false; !done;) {
      const std::uint64_t slot = slot_of(path, static_cast<int>(k));
      slot_type& at = base[slot];
      const word_type seen = load(at);
      if (seen == word) {
        apply(slot, value, op, result);
        done = true;
      } else if (seen == busy) {
        // Another lane is about to publish a key, maybe this one.
      } else if (seen == empty && has_free && !may_claim) {
        path = free;
        k = free_k;
        may_claim = true;
      } else if (seen == empty || (seen == reusable && may_claim)) {
        if (path.passed >= map_near_buckets) {
          raise_map_reach(reach_word(&words(0), path), reach_bit(path), map_reach(path.passed));
          store_fence();  // lanes that see the slot taken see the raised reach
        }
        done = claim(slot, seen, word, value, result);
      } else {
        if (seen == reusable && !has_free) {
          free = path;
          free_k = k;
          has_free = true;
        }
        k = (k + 1) & 7;
        if (k == begin) {
          bool more = path.next();
          if (more && path.passed >= map_near_buckets && !may_claim && (has_free || known_full()))
            more = !ends_here(path);
          if (!more && has_free && !may_claim) {
            path = free;
            k = free_k;
            may_claim = true;
          } else if (!more) {
            raise_failure();
            done = true;
          }
        }
      }
    }
    result.increment_list_position(static_cast<std::uint32_t>(path.passed));
    return result;
  }

  /// Inserts a key in a map without free slots: searches the whole path, and fails if the key is
  /// absent. Returns false if another lane may be about to publish the key.
  HPK_CALLS_EITHER
  template <class Op>
  HPK_FUNCTION HPK_NOINLINE_ON_HOST bool insert_if_full(std::uint64_t hash, word_type word,
                                                        passed_value value, const Op& op,
                                                        UnorderedMapInsertResult& result) const {
    slot_type* const base = first();
    map_path path(hash, bucket_count);
    bool may_appear = false;
    do {
      const std::uint64_t begin = slot_of(path, 0);
      HPK_ROLLED_ON_DEVICE
      for (std::uint64_t slot = begin; slot != begin + slots_per_bucket; ++slot) {
        const word_type seen = load(base[slot]);
        if (seen == word) {
          apply(slot, value, op, result);
          return true;
        }
        if (seen == busy) may_appear = true;
      }
    } while (path.next() && !ends_here(path));
    if (may_appear) return false;
    raise_flag<map_failed>();
    result.increment_list_position(static_cast<std::uint32_t>(path.passed));
    return true;
  }
  /// Inserts a key whose word is a state: takes the first free slot of its path and records it in
  /// the list.
  HPK_CALLS_EITHER
  template <class Op>
  HPK_FUNCTION HPK_NOINLINE_ON_HOST UnorderedMapInsertResult insert_listed(word_type word,
                                                                           passed_value value,
                                                                           const Op& op) const {
    UnorderedMapInsertResult result;
    map_word* const place = listing(word);
    for (bool done = false; !done;) {
      const map_word seen = load_map_word<execution_space>(place);
      if (seen >= listed_from) {
        apply(seen - listed_from, value, op, result);
        done = true;
      } else if (seen == not_listed &&
                 swap_map_word<execution_space>(place, not_listed, being_listed)) {
        if (!known_full()) claim_on_path(path_of(key_of(word)), value, result);
        if (result.failed()) raise_failure();
        store_map_word<execution_space>(
            place, result.failed() ? not_listed : listed_from + result.index());
        done = true;
      }
    }
    return result;
  }
  /// Takes the first free slot of a path, if there is one, and makes it look erased.
  HPK_INLINE_FUNCTION void claim_on_path(map_path path, const stored_value& value,
                                         UnorderedMapInsertResult& result) const {
    do {
      HPK_ROLLED_ON_DEVICE
      for (unsigned k = 0; k != slots_per_bucket; ++k) {
        const std::uint64_t slot =
            slot_of(path, static_cast<int>((start(path) + k) % slots_per_bucket));
        const word_type seen = load(first()[slot]);
        if ((seen == empty || seen == reusable) && claim(slot, seen, erased, value, result)) {
          result.increment_list_position(static_cast<std::uint32_t>(path.passed));
          return;
        }
      }
    } while (path.next());
  }
  HPK_CALLS_EITHER
  template <class Op>
  HPK_INLINE_FUNCTION void apply(std::uint64_t slot, const stored_value& value, const Op& op,
                                 UnorderedMapInsertResult& result) const {
    result.set_existing(slot);
    if constexpr (!is_set)
      op.op(map_slot_value<stored_value>(&value_at(slot), slot), std::size_t{slot}, value);
  }
  /// Takes the slot if its state is still `seen`. Returns whether it did.
  HPK_INLINE_FUNCTION bool claim(std::uint64_t slot, word_type seen, word_type word,
                                 const stored_value& value,
                                 UnorderedMapInsertResult& result) const {
    slot_type& at = first()[slot];
    if constexpr (is_set) {
      if (!take_map_slot<execution_space>(&at.word, seen, word)) return false;
    } else {
      if (!take_map_slot<execution_space>(&at.word, seen, busy)) return false;
      if constexpr (inline_values) {
        ::new (static_cast<void*>(at.value.bytes)) stored_value(value);
      } else {
        separate_values(slot) = value;
      }
      store_map_word<execution_space>(&at.word, word);
    }
    raise_flag<map_modified>();
    result.set_success(slot);
    return true;
  }
};

}  // namespace hpk::detail
