// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserting into a hash table and searching it, compared with a hand-written table: open addressing
// with linear probing in a power of two of slots {key, value}, keys claimed by compare-and-swap, no
// erasure and no rehash. Keys are random and distinct. "half" and "full" are the occupancy of the
// hand-written table: 0.5 or 0.9. UnorderedMap is created with the memory of as many slots.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/containers/unordered_map.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

namespace {

struct wide_key {
  std::uint64_t high, low;
  bool operator==(const wide_key&) const = default;
};

// A bijection of 64 bits (splitmix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
// Keys are distinct and, except those of 16 bytes, never 0.
void make_key(std::uint64_t i, std::uint32_t& key) {
  std::uint32_t x = static_cast<std::uint32_t>(i) + 1;
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  key = x ^ x >> 16;
}
void make_key(std::uint64_t i, std::uint64_t& key) { key = mixed(i + 1); }
void make_key(std::uint64_t i, wide_key& key) { key = {mixed(i + 1), i}; }

std::uint64_t hash_of(std::uint32_t key) { return key * 0x9e3779b97f4a7c15u; }
std::uint64_t hash_of(std::uint64_t key) { return key * 0x9e3779b97f4a7c15u; }
std::uint64_t hash_of(const wide_key& key) {
  return (key.high ^ key.low * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
}

// The hand-written table. 0 marks an empty slot.
template <class Key, class Value>
class table {
 public:
  explicit table(std::size_t slots)
      : slots_(slots), mask_(slots - 1), shift_(64 - std::countr_zero(slots)) {}
  void insert(const Key& key, Value value) {
    for (std::size_t i = hash_of(key) >> shift_;; i = (i + 1) & mask_) {
      slot& at = slots_[i];
      Key seen = at.key.load(std::memory_order_relaxed);
      if (seen == key) return;
      if (seen == Key() && at.key.compare_exchange_strong(seen, key, std::memory_order_relaxed)) {
        at.value = value;
        return;
      }
      if (seen == key) return;
    }
  }
  const Value* find(const Key& key) const {
    for (std::size_t i = hash_of(key) >> shift_;; i = (i + 1) & mask_) {
      const Key seen = slots_[i].key.load(std::memory_order_relaxed);
      if (seen == key) return &slots_[i].value;
      if (seen == Key()) return nullptr;
    }
  }
  void clear() {
    for (slot& s : slots_) s.key.store(Key(), std::memory_order_relaxed);
  }

 private:
  struct slot {
    std::atomic<Key> key{};
    Value value{};
  };
  std::vector<slot> slots_;
  std::size_t mask_;
  int shift_;
};
// Keys of 16 bytes have a word for the state, because a processor may lack compare-and-swap for
// them.
template <class Value>
class table<wide_key, Value> {
 public:
  explicit table(std::size_t slots)
      : slots_(slots), mask_(slots - 1), shift_(64 - std::countr_zero(slots)) {}
  void insert(const wide_key& key, Value value) {
    for (std::size_t i = hash_of(key) >> shift_;; i = (i + 1) & mask_) {
      slot& at = slots_[i];
      std::uint32_t seen = at.state.load(std::memory_order_acquire);
      if (seen == 0 && at.state.compare_exchange_strong(seen, 1, std::memory_order_acq_rel)) {
        at.key = key;
        at.value = value;
        at.state.store(2, std::memory_order_release);
        return;
      }
      while (seen == 1) seen = at.state.load(std::memory_order_acquire);
      if (at.key == key) return;
    }
  }
  const Value* find(const wide_key& key) const {
    for (std::size_t i = hash_of(key) >> shift_;; i = (i + 1) & mask_) {
      if (slots_[i].state.load(std::memory_order_acquire) == 0) return nullptr;
      if (slots_[i].key == key) return &slots_[i].value;
    }
  }
  void clear() {
    for (slot& s : slots_) s.state.store(0, std::memory_order_relaxed);
  }

 private:
  struct slot {
    wide_key key;
    std::atomic<std::uint32_t> state{0};
    Value value{};
  };
  std::vector<slot> slots_;
  std::size_t mask_;
  int shift_;
};

enum class operation { insert, hit, miss };

template <class Space, class F>
void loop(std::size_t n, const F& f) {
  if constexpr (is_serial<Space>) {
    for (std::size_t i = 0; i < n; ++i) f(i);
  } else {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < n; ++i) f(i);
  }
}
template <class Space, class F>
std::uint64_t sum(std::size_t n, const F& f) {
  std::uint64_t total = 0;
  if constexpr (is_serial<Space>) {
    for (std::size_t i = 0; i < n; ++i) total += f(i);
  } else {
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (std::size_t i = 0; i < n; ++i) total += f(i);
  }
  return total;
}

template <class Space, class Key>
void compare(comparison& pair, std::size_t slots, double load, operation what) {
  const auto n = static_cast<std::size_t>(static_cast<double>(slots) * load);
  const hpk::View<Key*, hpk::HostSpace> keys("keys", n), others("others", n);
  for (std::size_t i = 0; i != n; ++i) {
    make_key(i, keys(i));
    make_key(i + n, others(i));
  }
  using map_type = hpk::UnorderedMap<Key, std::uint32_t, Space>;
  // The number of slots is equal; UnorderedMap is created for 7/8 of them.
  map_type map(sizeof(Key) == 16 ? slots / 8 * 7 : slots / 5 * 4);
  table<Key, std::uint32_t> by_hand(slots);
  const std::uint32_t add = 3;
  const hpk::RangePolicy<Space> all(0, static_cast<index_t>(n));
  const auto fill = [=] {
    hpk::parallel_for("insert", all,
                      [=](index_t i) { map.insert(keys(i), static_cast<std::uint32_t>(i) + add); });
  };
  const auto fill_by_hand = [&] {
    const Key* const from = keys.data();
    table<Key, std::uint32_t>* const to = &by_hand;
    loop<Space>(n,
                [=](std::size_t i) { to->insert(from[i], static_cast<std::uint32_t>(i) + add); });
  };
  const auto wanted = what == operation::miss ? others : keys;
  std::uint64_t found = 0;
  std::uint64_t found_by_hand = 0;
  const auto search = [&, wanted] {
    hpk::parallel_reduce(
        "find", all,
        [=](index_t i, std::uint64_t& total) {
          const auto slot = map.find(wanted(i));
          total += slot == hpk::UnorderedMapInvalidIndex ? 1 : map.value_at(slot);
        },
        found);
  };
  const auto search_by_hand = [&, wanted] {
    const Key* const from = wanted.data();
    const table<Key, std::uint32_t>* const in = &by_hand;
    found_by_hand = sum<Space>(n, [=](std::size_t i) {
      const std::uint32_t* const value = in->find(from[i]);
      return value == nullptr ? std::uint64_t{1} : *value;
    });
  };
  fill();
  fill_by_hand();
  search();
  search_by_hand();
  pair.agree(found == found_by_hand && map.size() == n);
  if (what == operation::insert) {
    // Both times include emptying the table.
    const Space space;
    pair.time(
        [&] {
          map_type(map).clear(space);
          fill();
          space.fence();
        },
        [&] {
          by_hand.clear();
          fill_by_hand();
        });
  } else {
    pair.time(search, search_by_hand);
  }
}

template <class Space, class Key>
void add_pairs(const char* key) {
  for (const std::size_t slots : {std::size_t{1} << 15, std::size_t{1} << 22}) {
    for (const bool full : {false, true}) {
      for (const operation what : {operation::insert, operation::hit, operation::miss}) {
        const std::string variant = std::string(what == operation::insert ? "insert"
                                                : what == operation::hit  ? "hit"
                                                                          : "miss") +
                                    '_' + key + (full ? "_full" : "_half");
        add("unordered_map", Space::name(), variant, static_cast<index_t>(slots),
            [=](comparison& pair) { compare<Space, Key>(pair, slots, full ? 0.9 : 0.5, what); });
      }
    }
  }
}

}  // namespace

void add_unordered_map() {
  for_each_space([](auto space) {
    using type = decltype(space);
    add_pairs<type, std::uint32_t>("4");
    add_pairs<type, std::uint64_t>("8");
    add_pairs<type, wide_key>("16");
  });
}

}  // namespace bench
