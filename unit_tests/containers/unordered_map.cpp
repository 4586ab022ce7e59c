// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

template <class Exec>
class UnorderedMapTest : public testing::Test {};
TYPED_TEST_SUITE(UnorderedMapTest, hpk_test::spaces, hpk_test::space_names);

struct wide {
  std::uint64_t a, b, c;
};
struct two_words {
  std::uint64_t a, b;
};

// Converts numbers to keys of any type.
template <class Key>
HPK_FUNCTION Key key_of(int i) {
  if constexpr (std::is_integral_v<Key>) {
    return static_cast<Key>(i);
  } else if constexpr (sizeof(Key) == 16) {
    return Key{7, static_cast<std::uint64_t>(i)};
  } else {
    return Key{static_cast<std::uint64_t>(i % 3), static_cast<std::uint64_t>(i), 7};
  }
}

// Fills a map made for n keys, by several lanes each. Then it contains each key once, and no
// others.
template <class Key, class Exec>
void insert_and_find(const Exec& exec, int n) {
  const hpk::UnorderedMap<Key, int, Exec> map(static_cast<std::size_t>(n));
  EXPECT_GE(map.capacity(), static_cast<std::size_t>(n));
  const hpk::View<int*, Exec> counts("counts", 5);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, 3 * n), HPK_LAMBDA(int i) {
        const auto result = map.insert(key_of<Key>(i % n), 10 * (i % n));
        if (result.success()) hpk::atomic_add(&counts(0), 1);
        if (result.failed()) hpk::atomic_add(&counts(1), 1);
        // The existing pair is complete.
        if (!result.failed() && map.value_at(result.index()) != 10 * (i % n))
          hpk::atomic_add(&counts(2), 1);
      });
  EXPECT_EQ(map.size(), static_cast<std::size_t>(n));
  EXPECT_FALSE(map.failed_insert());
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, 2 * n), HPK_LAMBDA(int i) {
        const auto slot = map.find(key_of<Key>(i));
        const bool there = slot != hpk::UnorderedMapInvalidIndex;
        const bool right = there && map.valid_at(slot) && map.value_at(slot) == 10 * i &&
                           hpk::pod_equal_to<Key>()(map.key_at(slot), key_of<Key>(i));
        if (there != (i < n) || there != map.exists(key_of<Key>(i)) || there != right)
          hpk::atomic_add(&counts(3), 1);
      });
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, static_cast<int>(map.capacity()) + 5), HPK_LAMBDA(int i) {
        if (map.valid_at(static_cast<unsigned>(i))) hpk::atomic_add(&counts(4), 1);
      });
  const auto got = hpk_test::on_host(counts);
  EXPECT_EQ(got(0), n);
  EXPECT_EQ(got(1), 0);
  EXPECT_EQ(got(2), 0);
  EXPECT_EQ(got(3), 0);
  EXPECT_EQ(got(4), n);
}

TYPED_TEST(UnorderedMapTest, inserts_and_finds) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {1, 7, 64, 500}) {
      insert_and_find<int>(exec, n);
      insert_and_find<std::uint64_t>(exec, n);
      insert_and_find<short>(exec, n);
      insert_and_find<wide>(exec, n);
    }
    insert_and_find<unsigned char>(exec, 100);
  }
}

// Every slot is usable: a map takes keys until it is full, then reports that. Its keys remain.
template <class Key, class Exec>
void fill_up(std::size_t hint) {
  hpk::UnorderedMap<Key, int, Exec> map(hpk::view_alloc("brim"), hint);
  const int slots = static_cast<int>(map.capacity());
  const hpk::View<int*, Exec> counts("counts", 3);
  for (int round = 0; round != 2; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 3 * slots), HPK_LAMBDA(int i) {
          const auto result = map.insert(key_of<Key>(i), i);
          hpk::atomic_add(&counts(result.success() ? 0 : result.existing() ? 1 : 2), 1);
        });
  }
  const auto got = hpk_test::on_host(counts);
  EXPECT_EQ(got(0), slots);
  EXPECT_EQ(got(1), slots);
  EXPECT_EQ(got(2), 4 * slots);
  EXPECT_EQ(map.size(), map.capacity());
  EXPECT_TRUE(map.failed_insert());
  hpk_test::expect_error([&] { map.require_no_failed_insert(); },
                         {"\"brim\"", "holds", "rehash(n)", "insert_all"});
  map.reset_failed_insert_flag();
  map.require_no_failed_insert();
  EXPECT_TRUE(map.rehash(static_cast<std::size_t>(4 * slots)));
  EXPECT_EQ(map.label(), "brim");
  EXPECT_EQ(map.size(), static_cast<std::size_t>(slots));
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 3 * slots), HPK_LAMBDA(int i) { map.insert(key_of<Key>(i), i); });
  EXPECT_FALSE(map.failed_insert());
  EXPECT_EQ(map.size(), static_cast<std::size_t>(3 * slots));
  map.clear();
  EXPECT_EQ(map.size(), 0u);
  EXPECT_TRUE(map.empty());
}

TYPED_TEST(UnorderedMapTest, fills_up_and_grows) {
  for (const std::size_t hint : {1u, 5u, 100u, 800u}) {
    fill_up<int, TypeParam>(hint);
    fill_up<wide, TypeParam>(hint);
  }
}

// In a full map, failing searches and inserts visit few buckets.
template <class Key>
double buckets_of_failing_inserts(std::size_t hint) {
  const hpk::UnorderedMap<Key, int, hpk::Serial> map(hint);
  const int slots = static_cast<int>(map.capacity());
  for (int i = 0; i != slots; ++i) map.insert(key_of<Key>(i), i);
  EXPECT_EQ(map.size(), map.capacity());
  std::uint64_t buckets = 0;
  for (int i = slots; i <= 2 * slots; ++i) {
    const auto result = map.insert(key_of<Key>(i), i);
    EXPECT_TRUE(result.failed());
    if (i != slots) buckets += 1 + result.list_position();  // the first finds that the map is full
    EXPECT_FALSE(map.exists(key_of<Key>(i)));
  }
  for (int i = 0; i != slots; ++i) EXPECT_EQ(map.value_at(map.find(key_of<Key>(i))), i);
  return static_cast<double>(buckets) / slots;
}
TEST(UnorderedMapHost, fails_fast_when_full) {
  for (const std::size_t hint : {10u, 1000u, 50000u}) {
    EXPECT_LT(buckets_of_failing_inserts<int>(hint), 20) << hint;
    EXPECT_LT(buckets_of_failing_inserts<std::uint64_t>(hint), 20) << hint;
    EXPECT_LT(buckets_of_failing_inserts<wide>(hint), 20) << hint;
  }
}

// Random operations, each in a separate kernel, compared with std::unordered_map. The keys include
// all keys that equal words used in the table.
template <class Key, class Exec>
void random_operations(unsigned seed, int steps) {
  std::mt19937 random(seed);
  const int keys = 40;
  hpk::UnorderedMap<Key, int, Exec> map(2 * keys);
  std::unordered_map<int, int> model;
  const hpk::View<int*, Exec> plan("plan", static_cast<std::size_t>(4 * steps));
  const auto host_plan = hpk::create_mirror_view(plan);
  std::vector<int> expected(static_cast<std::size_t>(steps));
  for (int round = 0; round != 4; ++round) {
    for (int s = 0; s != steps; ++s) {
      const int what = static_cast<int>(random() % 4), k = static_cast<int>(random() % keys);
      const int v = static_cast<int>(random() % 1000);
      host_plan(4 * s) = what;
      host_plan(4 * s + 1) = k;
      host_plan(4 * s + 2) = v;
      int& answer = expected[static_cast<std::size_t>(s)];
      if (what == 0) {
        answer = model.emplace(k, v).second ? 1 : 0;
      } else if (what == 1) {
        answer = static_cast<int>(model.erase(k));
      } else if (what == 2) {
        const auto at = model.find(k);
        answer = at == model.end() ? -1 : at->second;
      } else {
        answer = model.count(k) != 0 ? 0 : 1;
        model[k] = v;
      }
    }
    hpk::deep_copy(plan, host_plan);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 1), HPK_LAMBDA(int) {
          for (int s = 0; s != steps; ++s) {
            const int what = plan(4 * s), v = plan(4 * s + 2);
            const Key key = key_of<Key>(plan(4 * s + 1));
            int answer = 0;
            if (what == 0) {
              const auto result = map.insert(key, v);
              answer = result.failed() ? -9 : result.success();
            } else if (what == 1) {
              answer = map.erase(key);
            } else if (what == 2) {
              const auto slot = map.find(key);
              answer = slot == hpk::UnorderedMapInvalidIndex ? -1 : map.value_at(slot);
            } else {
              answer = map.insert_or_assign(key, v).success();
            }
            plan(4 * s + 3) = answer;
          }
        });
    const auto got = hpk_test::on_host(plan);
    for (int s = 0; s != steps; ++s)
      ASSERT_EQ(got(4 * s + 3), expected[static_cast<std::size_t>(s)]) << round << ' ' << s;
    EXPECT_EQ(map.size(), model.size());
    if (round == 1) map.rehash(2 * keys);
    map.reclaim_erased();
  }
}

TYPED_TEST(UnorderedMapTest, agrees_with_std_unordered_map) {
  for (unsigned seed = 1; seed != 40; ++seed) {
    random_operations<int, TypeParam>(seed, 30);
    random_operations<wide, TypeParam>(seed, 30);
  }
}

// Keys for short sequences of all host functions. The first 32-bit keys equal the words that mark
// states of slots; a list stores them.
template <class Key>
Key host_key(int i) {
  if constexpr (std::is_same_v<Key, std::uint32_t>) {
    return i < 6 ? 0xf3bcc908u ^ static_cast<std::uint32_t>(i) : static_cast<std::uint32_t>(i);
  } else if constexpr (std::is_integral_v<Key>) {
    return i < 6 ? 0x6a09e667f3bcc908u ^ static_cast<Key>(i) : static_cast<Key>(i) << 40;
  } else {
    return key_of<Key>(i);
  }
}
template <class Key>
void run_sequences(int sequences) {
  using map_type = hpk::UnorderedMap<Key, int, hpk::Serial>;
  using ops = hpk::UnorderedMapInsertOpTypes<hpk::View<int*, hpk::Serial>>;
  std::mt19937 random(7);
  constexpr int keys = 12;
  for (int sequence = 0; sequence != sequences; ++sequence) {
    map_type map(1 + random() % keys);
    std::unordered_map<int, int> model;
    std::size_t taken = 0;  // slots, including those of erased keys
    for (int step = 0; step != 12; ++step) {
      const int k = static_cast<int>(random() % keys), v = static_cast<int>(random() % 100);
      const Key key = host_key<Key>(k);
      const auto what = random() % 16;
      if (what < 6) {
        const auto result = what < 2   ? map.insert(key, v)
                            : what < 4 ? map.insert(key, v, typename ops::AtomicAdd())
                                       : map.insert_or_assign(key, v);
        if (result.failed()) {
          ASSERT_TRUE(model.count(k) == 0 && taken >= map.capacity()) << sequence;
          continue;
        }
        ASSERT_EQ(result.existing(), model.count(k) != 0) << sequence;
        if (result.success()) {
          ++taken;
          model[k] = v;
        } else if (what >= 2) {
          model[k] = what < 4 ? model[k] + v : v;
        }
      } else if (what < 9) {
        ASSERT_EQ(map.erase(key), model.erase(k) != 0) << sequence;
      } else if (what < 13) {
        const auto slot = map.find(key);
        ASSERT_EQ(slot != hpk::UnorderedMapInvalidIndex, model.count(k) != 0) << sequence;
        if (slot != hpk::UnorderedMapInvalidIndex) {
          ASSERT_EQ(map.value_at(slot), model[k]) << sequence;
          ASSERT_TRUE(map.valid_at(slot) && hpk::pod_equal_to<Key>()(map.key_at(slot), key));
        }
      } else if (what == 13) {
        map.reclaim_erased();
        taken = model.size();
      } else if (what == 14) {
        map.rehash(random() % keys);
        taken = model.size();
      } else {
        map_type copy;
        copy.create_copy_view(map);
        map = copy;
      }
    }
    ASSERT_EQ(map.size(), model.size()) << sequence;
    for (int k = 0; k != keys; ++k)
      ASSERT_EQ(map.exists(host_key<Key>(k)), model.count(k) != 0) << sequence;
  }
}
TEST(UnorderedMapHost, random_sequences) {
  run_sequences<std::uint32_t>(hpk_test::random_sequences);
  run_sequences<std::uint64_t>(hpk_test::random_sequences / 10);
  run_sequences<two_words>(hpk_test::random_sequences / 10);
  run_sequences<wide>(hpk_test::random_sequences);
}

// Lanes erase, insert and find at the same time. No key appears twice or gets lost.
template <class Key, class Exec>
void erase_while_inserting(const Exec& exec) {
  const int n = 200;
  const hpk::UnorderedMap<Key, int, Exec> map(8 * n);
  hpk::UnorderedMap<Key, int, Exec> handle = map;
  for (int round = 0; round != 5; ++round) {
    const hpk::View<int*, Exec> balance("balance", n);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(exec, 0, 8 * n), HPK_LAMBDA(int i) {
          const int k = i % n;
          if (i / n % 4 == 3) {
            if (map.erase(key_of<Key>(k))) hpk::atomic_sub(&balance(k), 1);
          } else if (map.insert(key_of<Key>(k), k).success()) {
            hpk::atomic_add(&balance(k), 1);
          }
        });
    const hpk::View<int*, Exec> found("found", n);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(exec, 0, static_cast<int>(map.capacity())), HPK_LAMBDA(int slot) {
          if (map.valid_at(static_cast<unsigned>(slot)))
            hpk::atomic_add(&found(map.value_at(static_cast<unsigned>(slot))), 1);
        });
    const auto sums = hpk_test::on_host(balance), there = hpk_test::on_host(found);
    std::size_t keys = 0;
    for (int k = 0; k != n; ++k) {
      EXPECT_EQ(there(k), sums(k)) << k;
      keys += static_cast<std::size_t>(there(k));
    }
    EXPECT_EQ(map.size(), keys);
    EXPECT_TRUE(handle.begin_erase());
    EXPECT_FALSE(handle.begin_erase());
    EXPECT_TRUE(handle.erasable());
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(exec, 0, n), HPK_LAMBDA(int k) { map.erase(key_of<Key>(k)); });
    EXPECT_TRUE(handle.end_erase());
    EXPECT_FALSE(handle.end_erase());
    EXPECT_EQ(map.size(), 0u);
  }
  EXPECT_FALSE(map.failed_insert());
}

TYPED_TEST(UnorderedMapTest, erases_at_any_time) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    erase_while_inserting<int>(exec);
    erase_while_inserting<wide>(exec);
  }
}

// A key after a reclaimed slot is not inserted a second time.
template <class Key, class Exec>
void reuse_slots() {
  hpk::UnorderedMap<Key, int, Exec> map(60);
  const int n = static_cast<int>(map.capacity()) - 4;
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) { map.insert(key_of<Key>(i), i); });
  EXPECT_EQ(map.size(), static_cast<std::size_t>(n));
  for (int round = 0; round != 6; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
          if (i % 3 == round % 3) map.erase(key_of<Key>(i));
        });
    map.reclaim_erased();
    const hpk::View<int, Exec> added("added");
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 4 * n), HPK_LAMBDA(int i) {
          if (map.insert(key_of<Key>(i % n), i % n).success()) hpk::atomic_inc(&added());
        });
    EXPECT_EQ(hpk_test::on_host(added)(), (n - round % 3 + 2) / 3);
    EXPECT_EQ(map.size(), static_cast<std::size_t>(n));
    EXPECT_FALSE(map.failed_insert());
  }
}

TYPED_TEST(UnorderedMapTest, reuses_slots_of_erased_keys) {
  reuse_slots<int, TypeParam>();
  reuse_slots<wide, TypeParam>();
}

template <class Map>
void insert_range(const Map& map, int begin, int end) {
  hpk::parallel_for(
      hpk::RangePolicy<typename Map::execution_space>(begin, end),
      HPK_LAMBDA(int i) { map.insert(i % 400, 1); });
}

TYPED_TEST(UnorderedMapTest, sixteen_host_threads_launch) {
  const hpk::UnorderedMap<int, int, TypeParam> map(400);
  std::vector<std::thread> threads;
  for (int t = 0; t != 16; ++t)
    threads.emplace_back([=] { insert_range(map, 50 * t, 50 * t + 200); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(map.size(), 400u);
  EXPECT_FALSE(map.failed_insert());
}

HPK_TYPED_TEST(UnorderedMapTest, sets_and_constness) {
  using set_type = hpk::UnorderedMap<long, void, TypeParam>;
  using map_type = hpk::UnorderedMap<int, double, TypeParam>;
  using modifiable = hpk::UnorderedMap<const int, double, TypeParam>;
  using constant = hpk::UnorderedMap<const int, const double, TypeParam>;
  static_assert(set_type::is_set && set_type::is_insertable_map && !map_type::is_set);
  static_assert(map_type::is_insertable_map && !map_type::is_const_map);
  static_assert(modifiable::is_modifiable_map && !modifiable::is_insertable_map);
  static_assert(constant::is_const_map && constant::has_const_key && constant::has_const_value);
  static_assert(std::is_same_v<typename map_type::const_map_type, constant>);
  static_assert(
      std::is_convertible_v<map_type, modifiable> && std::is_convertible_v<modifiable, constant> &&
      !std::is_convertible_v<constant, modifiable> && !std::is_convertible_v<modifiable, map_type>);
  static_assert(sizeof(typename map_type::size_type) == 8);
  set_type set;
  EXPECT_GE(set.capacity(), 128u);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) { set.insert(i / 2); });
  EXPECT_EQ(set.size(), 50u);
  map_type map(10);
  modifiable some;
  EXPECT_FALSE(some.is_allocated());
  EXPECT_EQ(some.capacity(), 0u);
  EXPECT_EQ(some.size(), 0u);
  some = map;
  const constant all = some;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) { map.insert(i, 0.5); });
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) { some.value_at(some.find(i)) += i; });
  double sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 10),
      HPK_LAMBDA(int i, double& total) { total += all.value_at(all.find(i)); }, sum);
  EXPECT_EQ(sum, 50.0);
  EXPECT_EQ(all.size(), 10u);
}

// Keys with user-defined functors: equal if equal modulo 100; all with one hash.
struct modulo_equal {
  HPK_FUNCTION bool operator()(int a, int b) const { return a % 100 == b % 100; }
};
struct one_hash {
  HPK_FUNCTION int operator()(int) const { return 7; }
};
HPK_TYPED_TEST(UnorderedMapTest, takes_functors) {
  const hpk::UnorderedMap<int, int, TypeParam, one_hash, modulo_equal> map(100);
  const hpk::UnorderedMap<int, int, TypeParam, one_hash> crowded(600);
  const hpk::UnorderedMap<int, int, TypeParam, hpk::pod_hash<int>, hpk::equal_to<int>> named(600);
  const hpk::View<int, TypeParam> wrong("wrong");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 600), HPK_LAMBDA(int i) {
        map.insert(i, 1);
        crowded.insert(i, i);
        named.insert(i, i);
      });
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1200), HPK_LAMBDA(int i) {
        if (!map.exists(i) || crowded.exists(i) != (i < 600) || named.exists(i) != (i < 600))
          hpk::atomic_inc(&wrong());
      });
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0);
  EXPECT_EQ(map.size(), 100u);
  EXPECT_EQ(crowded.size(), 600u);
  EXPECT_EQ(named.size(), 600u);
}

TYPED_TEST(UnorderedMapTest, checks_slots) {
  if constexpr (static_cast<bool>(HPK_CHECKS) && hpk_test::is_host<TypeParam>) {
    const hpk::UnorderedMap<int, int, TypeParam> map(10);
    hpk_test::expect_error([&] { (void)map.value_at(map.find(3)); },
                           {"slot 18446744073709551615", "UnorderedMapInvalidIndex"});
    hpk_test::expect_error([&] { (void)map.key_at(map.capacity()); }, {"capacity, 16"});
  }
}

}  // namespace
