// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnorderedMap: a hash table that kernels of every space fill, search and erase from, with any
// number of lanes and host threads at the same time. Includes deep_copy, mirrors and for_each_pair
// from map_functions.hpp. map_table.hpp explains the algorithm.
#pragma once

#include <hpk/containers/detail/map_histogram.hpp>
#include <hpk/containers/detail/map_operations.hpp>
#include <hpk/containers/detail/map_table.hpp>
#include <hpk/containers/functional.hpp>
#include <hpk/containers/map_insert_result.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

/// A hash table of keys and values, or of keys only if Value is void. It is in the memory of
/// Device. Copies share it, so kernels capture it by value. A map made for n keys takes n distinct
/// keys in any order from any number of lanes. An insert fails only if no slot is left.
///
/// Keys and values: a Key is trivially copyable, of any size. With the default functors two keys
/// are equal if their bytes are equal; padding and the signs of zeros count, so write your own
/// functors for keys that have either. Hasher returns any integer; the map spreads its bits. A
/// Value is trivially copyable. Other values, for example Views, work in maps that only host code
/// uses, made with SequentialHostInit.
///
/// Constness: UnorderedMap<K, V> allows all operations; <const K, V> only changes of values; <const
/// K, const V> only reading. Each type converts to the types that allow less, and shares its
/// entries.
///
/// Slots: entries are in slots 0 to capacity() - 1, at most 30 * 10^9. A key stays in its slot
/// until it is erased and reclaimed, or until the map is rehashed or cleared. To visit all entries
/// from a kernel, run over the slots and check valid_at; from the host, call for_each_pair.
///
/// Thread-safety: insert, find, exists, erase and the accessors may run at the same time, in
/// kernels on any instances, and on host threads if the memory is host-accessible. Slots of erased
/// keys are used for other keys only after the host has called reclaim_erased, end_erase,
/// insert_all, rehash or clear. These functions, and all that are documented with "Waits", wait for
/// all earlier kernels. No other thread may use the map meanwhile, except for size() and the flags,
/// which may be read at any time.
template <class Key, class Value, class Device = DefaultExecutionSpace,
          class Hasher = pod_hash<detail::map_hash_key<Key>>,
          class EqualTo = pod_equal_to<detail::map_hash_key<Key>>>
class UnorderedMap {
  static_assert(std::is_trivially_copyable_v<Key>,
                "hpk::UnorderedMap: keys are copied byte by byte; write a trivially copyable type");

 public:
  using declared_key_type = Key;                          ///< Key, const or not
  using key_type = std::remove_const_t<Key>;              ///< Key without const
  using const_key_type = std::add_const_t<key_type>;      ///< const Key
  using declared_value_type = Value;                      ///< Value, const or not
  using value_type = std::remove_const_t<Value>;          ///< Value without const
  using const_value_type = std::add_const_t<value_type>;  ///< const Value

 private:
  using table_type = detail::map_table<key_type, value_type, Device, Hasher, EqualTo>;
  using stored_value = typename table_type::stored_value;

 public:
  /// Types that follow from the template arguments. Maps are named by what they allow.
  ///@{
  using device_type = typename table_type::device_type;
  using execution_space = typename device_type::execution_space;
  using memory_space = typename device_type::memory_space;
  using hasher_type = Hasher;
  using equal_to_type = EqualTo;
  using size_type = std::size_t;

  using declared_map_type = UnorderedMap;
  using insertable_map_type = UnorderedMap<key_type, value_type, Device, Hasher, EqualTo>;
  using modifiable_map_type = UnorderedMap<const_key_type, value_type, Device, Hasher, EqualTo>;
  using const_map_type = UnorderedMap<const_key_type, const_value_type, Device, Hasher, EqualTo>;
  using host_mirror_type =
      UnorderedMap<key_type, value_type, typename table_type::words_view::host_mirror_space, Hasher,
                   EqualTo>;
  using HostMirror = host_mirror_type;
  using histogram_type = detail::map_histogram<table_type>;
  using insert_result = UnorderedMapInsertResult;
  using default_op_type = detail::no_map_op;
  ///@}

  /// What the constness of Key and Value allows; see the class.
  ///@{
  static constexpr bool is_set = std::is_void_v<value_type>;
  static constexpr bool has_const_key = std::is_const_v<Key>;
  static constexpr bool has_const_value = is_set || std::is_const_v<Value>;
  static constexpr bool is_insertable_map = !has_const_key && (is_set || !has_const_value);
  static constexpr bool is_modifiable_map = has_const_key && !has_const_value;
  static constexpr bool is_const_map = has_const_key && has_const_value;
  ///@}

  /// Makes a map for `hint` keys: capacity() is at least 8/7 of `hint`. 0 means 112 keys.
  explicit UnorderedMap(size_type hint, const hasher_type& hasher = {},
                        const equal_to_type& equal = {},
                        const std::source_location& where = std::source_location::current())
      : UnorderedMap(view_alloc(), hint, hasher, equal, where) {}
  /// Makes a map for 112 keys. A map of const keys is empty and shares no entries yet.
  UnorderedMap() {
    if constexpr (is_insertable_map) make(view_alloc(), 0, std::source_location::current());
  }
  /// The same with the properties of view_alloc(...): a label, an execution space instance (then
  /// the constructor does not wait), the memory space, SequentialHostInit for values.
  template <view_alloc_properties Properties>
  explicit UnorderedMap(const Properties& properties, size_type hint = 0,
                        const hasher_type& hasher = {}, const equal_to_type& equal = {},
                        const std::source_location& where = std::source_location::current()) {
    static_assert(is_insertable_map || HPK_PERMISSIVE,
                  "hpk::UnorderedMap: a map of const keys shares the entries of another; make an "
                  "UnorderedMap<Key, Value> and assign it");
    static_assert(Properties::initialize,
                  "hpk::UnorderedMap: slots begin empty; leave WithoutInitializing out of "
                  "view_alloc");
    table_.hasher = hasher;
    table_.equal = equal;
    if constexpr (!is_insertable_map) {
      detail::reject_const_map(properties.label, where);
    } else if constexpr (Properties::initialize) {
      make(properties, hint, where);
    }
  }

  /// Shares the entries of a map with fewer const arguments.
  template <class K, class V>
    requires(!std::is_same_v<UnorderedMap<K, V, Device, Hasher, EqualTo>, UnorderedMap> &&
             std::is_same_v<std::remove_const_t<K>, key_type> &&
             std::is_same_v<std::remove_const_t<V>, value_type> && has_const_key &&
             (has_const_value || !std::is_const_v<V>))
  UnorderedMap(const UnorderedMap<K, V, Device, Hasher, EqualTo>& other) : table_(other.table_) {}

  std::string label() const { return table_.buckets.label(); }    ///< The label of the allocation.
  bool is_allocated() const { return table_.bucket_count != 0; }  ///< Whether it has memory.
  /// The number of slots, which is not less than the number of keys that the map was made for.
  HPK_FUNCTION size_type capacity() const { return table_.slots(); }
  /// The number of buckets in which a search may begin.
  HPK_FUNCTION size_type hash_capacity() const { return table_.bucket_count; }

  /// The number of keys. Waits. Counts if the map has changed since the last call.
  size_type size() const {
    if (!is_allocated()) return 0;
    fence("hpk::UnorderedMap::size");
    const auto words = detail::map_words_on_host(table_.words);
    if (words(detail::map_modified) == 0) return words(detail::map_size);
    detail::set_map_word(table_.words, detail::map_modified, 0);
    std::uint64_t keys = 0;
    parallel_reduce("hpk::UnorderedMap::size", detail::map_range(exec(), table_.visited_buckets()),
                    detail::map_count<table_type>{table_}, keys);
    detail::set_map_word(table_.words, detail::map_size, keys);
    return keys;
  }
  bool empty() const { return size() == 0; }  ///< Whether the map has no key. Waits.

  /// Whether an insert has failed since the map was made or cleared, or since the flag was reset.
  /// Waits.
  bool failed_insert() const { return word(detail::map_failed) != 0; }
  /// Makes failed_insert() false. Waits.
  void reset_failed_insert_flag() {
    fence("hpk::UnorderedMap::reset_failed_insert_flag");
    set(detail::map_failed, 0);
  }
  /// Throws hpk::error with label, size and capacity if an insert has failed because the map is
  /// full. Waits.
  void require_no_failed_insert(
      const std::source_location& where = std::source_location::current()) const {
    if (failed_insert()) detail::reject_failed_insert(label(), size(), capacity(), where);
  }

  /// Erases all keys and resets the flags; the capacity stays. Waits.
  void clear() {
    fence("hpk::UnorderedMap::clear");
    clear(exec());
    fence("hpk::UnorderedMap::clear");
  }
  /// The same, queued on an instance.
  void clear(const execution_space& space) {
    if (!is_allocated()) return;
    if constexpr (table_type::empty_is_zero) {
      deep_copy(space, table_.buckets, typename table_type::buckets_view::non_const_value_type{});
    } else {
      parallel_for("hpk::UnorderedMap::clear", detail::map_range(space, table_.visited_buckets()),
                   detail::map_empty_out<table_type>{table_, true});
    }
    deep_copy(space, table_.words, detail::map_word{0});
    if constexpr (!is_set && !table_type::inline_values) {
      if constexpr (!std::is_trivially_copyable_v<value_type>) {
        space.fence("hpk::UnorderedMap::clear");
        for (size_type i = 0; i != capacity(); ++i) table_.separate_values(i) = value_type();
      }
    }
  }

  /// Moves all entries to a new table for max(n, size()) keys. Other copies of the map keep the old
  /// table. Resets the failed flag. Waits. Always returns true.
  bool rehash(size_type n = 0,
              const std::source_location& where = std::source_location::current()) {
    if (!needs_insertable()) return false;
    const size_type keys = size();
    insertable_map_type larger(view_alloc(detail::map_label(table_)), n < keys ? keys : n,
                               table_.hasher, table_.equal, where);
    detail::move_map(exec(), table_, larger.table_);
    if (erasable()) larger.set(detail::map_erasable, 1);
    table_ = larger.table_;
    return true;
  }
  bool rehash(size_type n, bool /*bounded*/) { return rehash(n); }  ///< Ignores `bounded`.
  /// Rehashes if the map was made for fewer than n keys. Waits.
  void reserve(size_type n, const std::source_location& where = std::source_location::current()) {
    if (capacity() / 8 * 7 < n) rehash(n, where);
  }

  /// Makes erasable() true. Returns false if it was true already. Waits. Erasing does not require
  /// this call: keys may be erased at any time, also during inserts.
  bool begin_erase() {
    needs_insertable();
    if (erasable()) return false;
    if (is_insertable_map) set(detail::map_erasable, 1);
    return true;
  }
  /// Whether the map is between begin_erase and end_erase. Waits.
  bool erasable() const { return word(detail::map_erasable) != 0; }
  /// Makes erasable() false and reclaims the slots of erased keys. Returns false without
  /// begin_erase. Waits.
  bool end_erase() {
    if (!needs_insertable() || !erasable()) return false;
    reclaim_erased();
    set(detail::map_erasable, 0);
    return true;
  }
  /// Frees the slots of erased keys for other keys. No entry moves. Waits.
  void reclaim_erased() {
    if (!needs_insertable() || word(detail::map_some_erased) == 0) return;
    const bool all = size() == 0;
    parallel_for("hpk::UnorderedMap::reclaim_erased",
                 detail::map_range(exec(), table_.visited_buckets()),
                 detail::map_empty_out<table_type>{table_, all});
    set(detail::map_some_erased, 0);
    set(detail::map_is_full, 0);
    fence("hpk::UnorderedMap::reclaim_erased");
  }

  /// Inserts all elements of a View of rank 1, with value-initialised values. The map grows as
  /// needed; no insert fails. Waits. Returns the number of new keys.
  template <class Keys>
    requires(is_view_v<Keys>)
  size_type insert_all(const Keys& keys,
                       const std::source_location& where = std::source_location::current()) {
    return insert_each(exec(), keys, stored_value(), default_op_type(), where);
  }
  /// The same with kernels on an instance.
  template <class Keys>
    requires(is_view_v<Keys>)
  size_type insert_all(const execution_space& space, const Keys& keys,
                       const std::source_location& where = std::source_location::current()) {
    return insert_each(space, keys, stored_value(), default_op_type(), where);
  }
  /// Inserts keys(i) with values(i). For existing keys applies the operation, once for each i.
  /// Throws hpk::error if the Views have different extents.
  template <class Keys, class Values, class Op = default_op_type>
    requires(is_view_v<Keys> && is_view_v<Values>)
  size_type insert_all(const Keys& keys, const Values& values, const Op& op = {},
                       const std::source_location& where = std::source_location::current()) {
    return insert_all(exec(), keys, values, op, where);
  }
  /// The same with kernels on an instance.
  template <class Keys, class Values, class Op = default_op_type>
    requires(is_view_v<Keys> && is_view_v<Values>)
  size_type insert_all(const execution_space& space, const Keys& keys, const Values& values,
                       const Op& op = {},
                       const std::source_location& where = std::source_location::current()) {
    static_assert(!is_set, "hpk::UnorderedMap::insert_all: a set has no values; leave them out");
    if (keys.extent(0) != values.extent(0))
      detail::reject_map_views(label(), "values", keys.extent(0), values.extent(0), where);
    return insert_each(space, keys, values, op, where);
  }
  /// Erases all elements of a View of rank 1. Waits. Returns the number of keys that were present.
  template <class Keys>
  size_type erase_all(const Keys& keys) {
    if (!needs_insertable()) return 0;
    return detail::erase_from_map(exec(), table_, keys);
  }
  /// Sets slots(i) to the slot of keys(i), or to UnorderedMapInvalidIndex. Waits. Returns the
  /// number of keys found. Throws hpk::error if the Views have different extents.
  template <class Keys, class Slots>
  size_type find_all(const Keys& keys, const Slots& slots,
                     const std::source_location& where = std::source_location::current()) const {
    if (keys.extent(0) != slots.extent(0))
      detail::reject_map_views(label(), "slots", keys.extent(0), slots.extent(0), where);
    return detail::find_in_map(exec(), table_, keys, slots);
  }
  /// Returns all keys in a new View, in the order of their slots. Waits.
  View<key_type*, device_type> keys() const {
    View<key_type*, device_type> out(view_alloc("keys"), size());
    detail::copy_out_of_map<true>(exec(), table_, out);
    return out;
  }
  /// Returns all values in a new View, in the same order. Waits.
  auto values() const {
    static_assert(!is_set, "hpk::UnorderedMap::values: a set has no values; write keys()");
    View<stored_value*, device_type> out(view_alloc("values"), size());
    detail::copy_out_of_map<false>(exec(), table_, out);
    return out;
  }

  /// Returns an object that measures the distribution of keys: calculate() counts; print_length and
  /// others write the counts to a stream.
  histogram_type get_histogram() const { return histogram_type(table_); }

  // For kernels, and for host code if the memory is host-accessible.

  /// Inserts a key with a value. If the key exists, applies `op` to its value instead:
  /// op.op(values, slot, value), see UnorderedMapInsertOpTypes. No update is lost: operations of
  /// other lanes run after the value is stored. On GPUs, lanes that insert the same key wait for
  /// each other.
  HPK_CALLS_EITHER
  template <class Op = default_op_type>
  HPK_FUNCTION insert_result insert(const key_type& key, const stored_value& value,
                                    const Op& op = {}) const {
    static_assert(!is_set, "hpk::UnorderedMap::insert: a set has no values; write insert(key)");
    return needs_insertable() ? table_.insert(key, value, op) : insert_result();
  }
  /// Inserts a key. The value of a new key is value-initialised.
  HPK_CALLS_EITHER
  HPK_FUNCTION insert_result insert(const key_type& key) const {
    return needs_insertable() ? table_.insert(key, stored_value(), default_op_type())
                              : insert_result();
  }
  /// Inserts a key with a value, or sets its value.
  HPK_CALLS_EITHER
  HPK_FUNCTION insert_result insert_or_assign(const key_type& key, const stored_value& value) const
    requires(!is_set)
  {
    using replace = typename UnorderedMapInsertOpTypes<View<stored_value*, device_type>>::Replace;
    return insert(key, value, replace());
  }
  /// Removes a key. Returns whether this call removed it. Its slot stays in use until the host
  /// reclaims it, unless the same key is inserted again.
  HPK_CALLS_EITHER
  HPK_FUNCTION bool erase(const key_type& key) const {
    return needs_insertable() && table_.erase(key);
  }
  /// Returns the slot of a key, or UnorderedMapInvalidIndex. If another lane inserts the key at the
  /// same time, find returns either the slot with its value or UnorderedMapInvalidIndex.
  HPK_CALLS_EITHER
  HPK_FUNCTION size_type find(const key_type& key) const { return table_.find(key); }
  /// The same for all lanes of a sub-group together, which pass the same key: find(team.warp(),
  /// key). Faster if searches are long, which they are in maps that are almost full.
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION size_type find(const Subgroup<Lane>& lanes, const key_type& key) const {
    return detail::find_together(table_, lanes, key);
  }
  /// Whether the map holds the key.
  HPK_CALLS_EITHER
  HPK_FUNCTION bool exists(const key_type& key) const { return contains(key); }
  /// exists() under the name of std::unordered_map.
  HPK_CALLS_EITHER
  HPK_FUNCTION bool contains(const key_type& key) const {
    return table_.find(key) != ~size_type{0};
  }

  /// Whether the slot holds a key; false for slot >= capacity().
  HPK_FUNCTION bool valid_at(size_type slot) const {
    return slot < capacity() && table_.holds(slot);
  }
  /// The key of a slot, which must be valid. Builds with HPK_CHECKS report a slot that is not below
  /// capacity().
  HPK_FUNCTION key_type key_at(size_type slot) const {
    check(slot);
    return table_.key_at(slot);
  }
  /// The value of a slot, which must be valid; const in maps of const values. Kernels in which
  /// several lanes change the same value need atomic operations. Builds with HPK_CHECKS report a
  /// slot that is not below capacity().
  HPK_FUNCTION auto& value_at(size_type slot) const
    requires(!is_set)
  {
    check(slot);
    using type = std::conditional_t<has_const_value, const stored_value, stored_value>;
    return static_cast<type&>(table_.value_at(slot));
  }

  // Copies.

  /// Makes this map a copy of another, in new memory. Waits.
  template <class K, class V, class D>
  void create_copy_view(const UnorderedMap<K, V, D, Hasher, EqualTo>& source) {
    allocate_view(source);
    deep_copy_view(source);
  }
  /// Gives this map new memory with the capacity of another, without keys. `label`: of the new
  /// memory; if empty, the label of the other map.
  template <class K, class V, class D>
  void allocate_view(const UnorderedMap<K, V, D, Hasher, EqualTo>& source,
                     std::string_view label = {}) {
    check_source<K, V>();
    insertable_map_type made(empty_tag(), source.table_.hasher, source.table_.equal);
    if (source.is_allocated())
      made.allocate(
          view_alloc(label.empty() ? detail::map_label(source.table_) : std::string(label)),
          source.table_.bucket_count);
    table_ = made.table_;
  }
  /// Copies all entries and flags. Waits. Throws hpk::error unless the capacities are equal; with
  /// HPK_PERMISSIVE, allocates new memory instead.
  template <class K, class V, class D>
  void deep_copy_view(const UnorderedMap<K, V, D, Hasher, EqualTo>& source,
                      const std::source_location& where = std::source_location::current()) {
    check_source<K, V>();
    if (capacity() != source.capacity()) {
      if constexpr (HPK_PERMISSIVE) {
        allocate_view(source);
      } else {
        detail::reject_map_copy(label(), capacity(), source.label(), source.capacity(), where);
      }
    }
    detail::copy_map(table_, source.table_);
  }

  /// Exchanges two maps, without copying entries.
  void swap(UnorderedMap& other) noexcept { std::swap(table_, other.table_); }
  friend void swap(UnorderedMap& a, UnorderedMap& b) noexcept { a.swap(b); }  ///< The same.

 private:
  template <class, class, class, class, class>
  friend class UnorderedMap;
  friend struct detail::map_access;

  struct empty_tag {};
  UnorderedMap(empty_tag, const hasher_type& hasher, const equal_to_type& equal) {
    table_.hasher = hasher;
    table_.equal = equal;
  }

  // False only in programs of the drop-in for Kokkos, where these calls have no effect.
  HPK_FUNCTION static constexpr bool needs_insertable() {
    static_assert(is_insertable_map || HPK_PERMISSIVE,
                  "hpk::UnorderedMap: the keys of this map are const; insert, erase and rehash by "
                  "way of an UnorderedMap<Key, Value>");
    return is_insertable_map;
  }
  static execution_space exec() { return execution_space(); }

  template <class Properties>
  void make(const Properties& properties, size_type hint, const std::source_location& where) {
    allocate(properties, detail::map_buckets_for(
                             hint >> 48 != 0 ? hint : table_type::slots_for(hint == 0 ? 112 : hint),
                             table_type::slots_per_bucket, properties.label, where));
  }
  template <class Properties>
  void allocate(const Properties& properties, std::uint64_t buckets) {
    detail::allocate_map(table_, properties, buckets);
  }
  template <class K, class V>
  static constexpr void check_source() {
    static_assert(std::is_same_v<std::remove_const_t<K>, key_type> &&
                      std::is_same_v<std::remove_const_t<V>, value_type>,
                  "hpk::UnorderedMap: copies between maps of the same key and value types");
  }

  std::uint64_t word(detail::map_counter which) const {
    if (!is_allocated()) return 0;
    fence("hpk::UnorderedMap");
    return detail::map_words_on_host(table_.words)(static_cast<int>(which));
  }
  void set(detail::map_counter which, detail::map_word value) const {
    if (is_allocated()) detail::set_map_word(table_.words, which, value);
  }

  template <class Keys, class Values, class Op>
  size_type insert_each(const execution_space& space, const Keys& keys, const Values& values,
                        const Op& op, const std::source_location& where) {
    if (!needs_insertable()) return 0;
    reclaim_erased();
    return detail::insert_into_map(space, table_, keys, values, op,
                                   [&] { rehash(capacity() == 0 ? 128 : 2 * capacity(), where); });
  }

  HPK_FUNCTION void check([[maybe_unused]] size_type slot) const {
    if constexpr (static_cast<bool>(HPK_CHECKS)) {
      if (slot >= capacity()) {
        HPK_IF_ON_HOST((detail::reject_map_slot(slot, capacity());))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::UnorderedMap: the slot is not below capacity()");))
      }
    }
  }

  table_type table_;
};

}  // namespace hpk

// After UnorderedMap, whose functions it defines.
#include <hpk/containers/map_functions.hpp>
