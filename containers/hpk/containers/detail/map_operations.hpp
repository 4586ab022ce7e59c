// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of UnorderedMap's host functions on a table: allocate, copy, move, and run
// kernels. Also the kernels.
#pragma once

#include <hpk/containers/detail/map_table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk::detail {

using map_slot_list = std::uint64_t;

/// A policy for all buckets, all slots, or all elements of a View, on an instance.
template <class Exec>
auto map_range(const Exec& exec, std::uint64_t count) {
  return RangePolicy<Exec, IndexType<index_t>>(exec, index_t{0}, static_cast<index_t>(count));
}

/// Counts keys.
template <class Table>
struct map_count {
  Table table;
  HPK_FUNCTION void operator()(index_t g, std::uint64_t& sum) const {
    sum +=
        static_cast<unsigned>(hpk::popcount(table.occupied_slots(static_cast<std::uint64_t>(g))));
  }
};

/// Empties slots: all, or the erased ones.
template <class Table>
struct map_empty_out {
  Table table;
  bool all;
  HPK_FUNCTION void operator()(index_t g) const {
    table.empty_out(static_cast<std::uint64_t>(g), all);
  }
};

/// Inserts all entries of a table into a larger one that has none of these keys.
template <class Table>
struct map_move {
  Table from;
  Table to;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    const auto slot = static_cast<std::uint64_t>(i);
    if (!from.holds(slot)) return;
    if constexpr (Table::is_set) {
      to.insert(from.key_at(slot), 0, no_map_op());
    } else {
      to.insert(from.key_at(slot), from.value_at(slot), no_map_op());
    }
  }
};

/// Inserts keys and lists the keys whose insert fails. If `listed`, the kernel inserts only the
/// keys whose indices are in `todo`.
template <class Table, class Keys, class Values, class Op, class List>
struct map_insert_each {
  Table table;
  Keys keys;
  Values values;  ///< a View, or one value for all keys
  Op op;
  List todo;
  List failed;  ///< the indices of failed keys; element 0 is their number
  bool listed;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& sum) const {
    const index_t k = listed ? static_cast<index_t>(todo(i + 1)) : i;
    UnorderedMapInsertResult result;
    if constexpr (is_view_v<Values>) {
      result = table.insert(keys(k), values(k), op);
    } else {
      result = table.insert(keys(k), values, op);
    }
    if (result.success()) ++sum;
    if (result.failed()) {
      const map_slot_list place = atomic_fetch_add(&failed(0), map_slot_list{1});
      failed(place + 1) = static_cast<map_slot_list>(k);
    }
  }
};

/// Erases keys and counts those that were present.
template <class Table, class Keys>
struct map_erase_each {
  Table table;
  Keys keys;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& sum) const {
    if (table.erase(keys(i))) ++sum;
  }
};

/// Finds keys and counts those that are present.
template <class Table, class Keys, class Slots>
struct map_find_each {
  Table table;
  Keys keys;
  Slots slots;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i, std::uint64_t& sum) const {
    const std::size_t slot = table.find(keys(i));
    slots(i) = static_cast<typename Slots::value_type>(slot);
    if (slot != ~std::size_t{0}) ++sum;
  }
};

/// Copies keys or values out, in the order of slots.
template <class Table, bool Keys, class Out>
struct map_copy_out {
  Table table;
  Out out;
  HPK_FUNCTION void operator()(index_t g, std::uint64_t& place, bool final) const {
    const auto bucket = static_cast<std::uint64_t>(g);
    for (unsigned bits = table.occupied_slots(bucket); bits != 0; bits &= bits - 1) {
      if (final) {
        const std::uint64_t slot =
            bucket * Table::slots_per_bucket + static_cast<unsigned>(hpk::countr_zero(bits));
        if constexpr (Keys) {
          out(place) = table.key_at(slot);
        } else {
          out(place) = table.value_at(slot);
        }
      }
      ++place;
    }
  }
};

/// Calls f(key, value), or f(key), for every entry.
template <class Table, bool ConstValues, class F>
struct map_visit {
  Table table;
  F f;
  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t i) const {
    const auto slot = static_cast<std::uint64_t>(i);
    if (!table.holds(slot)) return;
    if constexpr (Table::is_set) {
      f(table.key_at(slot));
    } else if constexpr (ConstValues) {
      f(table.key_at(slot), static_cast<const typename Table::stored_value&>(table.value_at(slot)));
    } else {
      f(table.key_at(slot), table.value_at(slot));
    }
  }
};

/// Returns a copy of the shared state in host memory, after all earlier work.
template <class Words>
auto map_words_on_host(const Words& words) {
  return create_mirror_view_and_copy(HostSpace(),
                                     subview(words, std::pair<int, int>(0, map_counters)));
}
/// Sets a word of the shared state, from the host.
template <class Words>
void set_map_word(const Words& words, map_counter which, map_word value) {
  if constexpr (SpaceAccessibility<HostSpace, typename Words::memory_space>::accessible) {
    atomic_store(&words(static_cast<int>(which)), value);
  } else {
    deep_copy(subview(words, static_cast<int>(which)), value);
  }
}

/// Gives functions outside of UnorderedMap access to its table.
struct map_access {
  template <class Map>
  static const auto& table(const Map& map) {
    return map.table_;
  }
};

/// The label of a table.
template <class Table>
std::string map_label(const Table& table) {
  return table.buckets.label();
}

/// Allocates the memory of a table of `buckets` buckets.
template <class Table, class Properties>
void allocate_map(Table& table, const Properties& properties, std::uint64_t buckets) {
  const std::string label = properties.label.empty()
                                ? std::string("UnorderedMap")
                                : std::string(std::string_view(properties.label));
  const auto allocate = [&](const auto& plain) {
    table.buckets =
        typename Table::buckets_view(hpk::with_label(plain, label), Table::view_extent(buckets));
    table.words = typename Table::words_view(hpk::with_label(plain, label + " state"),
                                             Table::words_for(buckets));
    if constexpr (!Table::is_set && !Table::inline_values) {
      if constexpr (Properties::sequential) {
        table.separate_values =
            typename Table::values_view(view_alloc(label + " values", SequentialHostInit),
                                        (buckets + 1) * Table::slots_per_bucket);
      } else {
        table.separate_values = typename Table::values_view(
            hpk::with_label(plain, label + " values"), (buckets + 1) * Table::slots_per_bucket);
      }
    }
  };
  if constexpr (Properties::has_instance) {
    allocate(view_alloc(properties.instance));
  } else {
    allocate(view_alloc());
  }
  table.bucket_count = buckets;
}

/// Copies the contents of a table to another of the same size, also between memory spaces.
template <class To, class From>
void copy_map(To& to, const From& from) {
  to.hasher = from.hasher;
  to.equal = from.equal;
  if (from.bucket_count == 0) {
    fence("hpk::UnorderedMap: copied");
    return;
  }
  if (static_cast<const void*>(to.buckets.data()) == static_cast<const void*>(from.buckets.data()))
    return;
  deep_copy(to.buckets, from.buckets);
  deep_copy(to.words, from.words);
  if constexpr (!To::is_set && !To::inline_values)
    deep_copy(to.separate_values, from.separate_values);
}

/// Inserts all entries of a table into another.
template <class Exec, class Table>
void move_map(const Exec& exec, const Table& from, const Table& to) {
  const map_move<Table> each{from, to};
  if constexpr (std::is_trivially_copyable_v<typename Table::stored_value>) {
    parallel_for("hpk::UnorderedMap::rehash", map_range(exec, from.slots()), each);
  } else {
    // Kernels do not count references of Views, so the host copies the values.
    for (std::uint64_t slot = 0; slot != from.slots(); ++slot) each(static_cast<index_t>(slot));
  }
  fence("hpk::UnorderedMap::rehash");
}

/// Inserts the elements of Views. Calls `grow`, which makes the table larger, until no insert
/// fails. Returns the number of new keys.
template <class Exec, class Table, class Keys, class Values, class Op, class Grow>
std::uint64_t insert_into_map(const Exec& exec, const Table& table, const Keys& keys,
                              const Values& values, const Op& op, const Grow& grow) {
  using memory = TemporaryMemory<map_slot_list, Exec>;
  using list = typename memory::view_type;
  std::uint64_t count = keys.extent(0);
  std::uint64_t inserted = 0;
  std::optional<memory> lists[2];
  list todo;
  for (int round = 0; count != 0; ++round) {
    const list failed =
        lists[round % 2]
            .emplace(exec, "hpk::UnorderedMap::insert_all", static_cast<index_t>(count) + 1)
            .view();
    deep_copy(exec, subview(failed, 0), map_slot_list{0});
    std::uint64_t successes = 0;
    parallel_reduce("hpk::UnorderedMap::insert_all", map_range(exec, count),
                    map_insert_each<Table, Keys, Values, Op, list>{table, keys, values, op, todo,
                                                                   failed, round != 0},
                    successes);
    exec.fence("hpk::UnorderedMap::insert_all");
    inserted += successes;
    deep_copy(count, subview(failed, 0));
    todo = failed;
    if (count != 0) grow();
  }
  return inserted;
}

/// Erases the elements of a View. Returns the number of keys that were present.
template <class Exec, class Table, class Keys>
std::uint64_t erase_from_map(const Exec& exec, const Table& table, const Keys& keys) {
  std::uint64_t erased = 0;
  parallel_reduce("hpk::UnorderedMap::erase_all", map_range(exec, keys.extent(0)),
                  map_erase_each<Table, Keys>{table, keys}, erased);
  return erased;
}

/// Finds the elements of a View. Returns the number of keys that are present.
template <class Exec, class Table, class Keys, class Slots>
std::uint64_t find_in_map(const Exec& exec, const Table& table, const Keys& keys,
                          const Slots& slots) {
  std::uint64_t found = 0;
  parallel_reduce("hpk::UnorderedMap::find_all", map_range(exec, keys.extent(0)),
                  map_find_each<Table, Keys, Slots>{table, keys, slots}, found);
  return found;
}

/// Copies keys or values to a View.
template <bool Keys, class Exec, class Table, class Out>
void copy_out_of_map(const Exec& exec, const Table& table, const Out& out) {
  std::uint64_t total = 0;
  parallel_scan("hpk::UnorderedMap: copy", map_range(exec, table.visited_buckets()),
                map_copy_out<Table, Keys, Out>{table, out}, total);
}

/// Searches with all lanes of a sub-group; each lane searches another bucket of the path.
HPK_CALLS_EITHER
template <class Table, class Lanes, class Key>
HPK_FUNCTION std::size_t find_together(const Table& table, const Lanes& lanes, const Key& key) {
  const auto size = static_cast<std::uint64_t>(lanes.size());
  std::size_t slot = ~std::size_t{0};
  if (table.bucket_count == 0) return slot;
  // Tiles have no ballot, so each of their lanes searches the whole path.
  if (!table.has_path(key) || lanes.is_tile()) return table.find(key);
  map_path path = table.path_of(key);
  bool on_path = path.advance(static_cast<std::uint64_t>(lanes.rank()));
  for (;;) {
    int position = -1;
    bool ends = !on_path;
    if (on_path) position = table.position_on_path(path, key, ends);
    const std::uint64_t hits = lanes.ballot(position >= 0);
    const std::uint64_t stops = lanes.ballot(ends);
    // The first lane with a result on the path decides.
    if (hits != 0) {
      const int first_hit = hpk::countr_zero(hits);
      if (stops == 0 || first_hit <= hpk::countr_zero(stops)) {
        const std::size_t found_slot = position >= 0 ? Table::slot_of(path, position) : slot;
        return lanes.shfl(found_slot, first_hit);
      }
    }
    if (stops != 0) return slot;
    on_path = path.advance(size);
  }
}

}  // namespace hpk::detail
