// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

namespace {

template <class Exec>
class MapFunctions : public testing::Test {};
TYPED_TEST_SUITE(MapFunctions, hpk_test::spaces, hpk_test::space_names);

struct big {
  int numbers[10];
};

template <class Value, class Exec>
hpk::UnorderedMap<int, Value, Exec> filled(int n) {
  const hpk::UnorderedMap<int, Value, Exec> map(hpk::view_alloc("source"), 100);
  hpk::parallel_for(hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) { map.insert(i, Value{i}); });
  return map;
}
inline int number(int v) { return v; }
inline int number(const big& v) { return v.numbers[0]; }

template <class Value, class Exec>
void copy_to_host_and_back() {
  auto map = filled<Value, Exec>(50);
  auto mirror = create_mirror(map);
  EXPECT_EQ(mirror.size(), 0u);
  EXPECT_EQ(mirror.capacity(), map.capacity());
  EXPECT_EQ(mirror.label(), "source");
  deep_copy(mirror, map);
  EXPECT_EQ(mirror.size(), 50u);
  for (int i = 0; i != 60; ++i) {
    const auto slot = mirror.find(i);
    EXPECT_EQ(slot != hpk::UnorderedMapInvalidIndex, i < 50) << i;
    if (i < 50) {
      EXPECT_EQ(number(mirror.value_at(slot)), i);
    }
  }
  for (int i = 50; i != 80; ++i) EXPECT_TRUE(mirror.insert(i, Value{i}).success());
  deep_copy(map, mirror);
  EXPECT_EQ(map.size(), 80u);
  hpk::UnorderedMap<int, Value, Exec> copy(7);
  hpk_test::expect_error([&] { deep_copy(copy, map); }, {"\"source\"", "create_copy_view"});
  copy.create_copy_view(map);
  map.clear();
  EXPECT_EQ(copy.size(), 80u);
  EXPECT_EQ(map.size(), 0u);
  swap(copy, map);
  EXPECT_EQ(map.size(), 80u);
  copy.allocate_view(map);
  EXPECT_EQ(copy.size(), 0u);
  copy.deep_copy_view(map);
  EXPECT_EQ(copy.size(), 80u);
  const auto there = create_mirror_view_and_copy(hpk::HostSpace(), map);
  EXPECT_TRUE(there.exists(79));
  EXPECT_FALSE(there.exists(80));
  const auto view = create_mirror_view(map);
  EXPECT_EQ(view.capacity(), map.capacity());
  using memory = typename Exec::memory_space;
  EXPECT_EQ(create_mirror(Exec(), map).size(), 0u);
  EXPECT_EQ(create_mirror_view(memory(), map).size(), 80u);
  EXPECT_EQ(create_mirror_view_and_copy(map).size(), 80u);
  const auto named = create_mirror_view_and_copy(hpk::HostSpace(), map, "named");
  EXPECT_EQ(named.label(), (std::is_same_v<memory, hpk::HostSpace> ? "source" : "named"));
  EXPECT_EQ(create_mirror_view_and_copy(hpk::view_alloc(Exec(), memory()), named).size(), 80u);
}

TYPED_TEST(MapFunctions, copy_between_spaces) {
  copy_to_host_and_back<int, TypeParam>();
  copy_to_host_and_back<big, TypeParam>();
}

HPK_TYPED_TEST(MapFunctions, visit_pairs) {
  const auto map = filled<int, TypeParam>(30);
  for_each_pair(map, HPK_LAMBDA(int key, int& value) { value += 2 * key; });
  const hpk::View<int*, TypeParam> sums("sums", 2);
  const hpk::UnorderedMap<const int, const int, TypeParam> read = map;
  for_each_pair(
      read, HPK_LAMBDA(int key, const int& value) {
        hpk::atomic_add(&sums(0), key);
        hpk::atomic_add(&sums(1), value);
      });
  const auto got = hpk_test::on_host(sums);
  EXPECT_EQ(got(0), 435);
  EXPECT_EQ(got(1), 3 * 435);
  static_assert(hpk::is_unordered_map_v<const hpk::UnorderedMap<int, void>> &&
                !hpk::is_unordered_map_v<int> &&
                hpk::is_unordered_map<hpk::UnorderedMap<int, int>>::value);
}

// Values that are Views, in a map that host code uses.
TEST(MapFunctions, views_as_values) {
  using space = hpk::DefaultHostExecutionSpace;
  hpk::UnorderedMap<int, hpk::View<int*, space>, space> map(
      hpk::view_alloc("lists", hpk::SequentialHostInit), 5);
  for (int i = 0; i != 5; ++i) map.insert(i, hpk::View<int*, space>("list", i));
  map.rehash(50);
  for (unsigned i = 0; i != 5; ++i)
    EXPECT_EQ(map.value_at(map.find(static_cast<int>(i))).extent(0), i);
  map.clear();
  EXPECT_EQ(map.size(), 0u);
}

}  // namespace
