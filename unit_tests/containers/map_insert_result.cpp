// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

#include <type_traits>

namespace {

TEST(MapInsertResult, invalid_index_of_every_width) {
  EXPECT_TRUE(hpk::UnorderedMapInvalidIndex == ~0u);
  EXPECT_TRUE(~std::size_t{0} == hpk::UnorderedMapInvalidIndex);
  EXPECT_TRUE(-1 == hpk::UnorderedMapInvalidIndex);
  EXPECT_TRUE(hpk::UnorderedMapInvalidIndex == static_cast<std::uint8_t>(-1));
  EXPECT_TRUE(hpk::UnorderedMapInvalidIndex == static_cast<std::int8_t>(-1));
  EXPECT_TRUE(hpk::UnorderedMapInvalidIndex == static_cast<short>(-1));
  EXPECT_TRUE(hpk::UnorderedMapInvalidIndex == static_cast<long long>(-1));
  EXPECT_TRUE(7u != hpk::UnorderedMapInvalidIndex);
  const auto narrow = static_cast<std::uint32_t>(hpk::UnorderedMapInvalidIndex);
  EXPECT_FALSE(narrow != hpk::UnorderedMapInvalidIndex);
}

TEST(MapInsertResult, exactly_one_status) {
  hpk::UnorderedMapInsertResult r;
  EXPECT_TRUE(r.failed() && !r.success() && !r.existing());
  EXPECT_TRUE(r.index() == hpk::UnorderedMapInvalidIndex);
  r.set_success(3);
  EXPECT_TRUE(!r.failed() && r.success() && !r.existing());
  r.set_existing(4, true);
  EXPECT_TRUE(!r.failed() && !r.success() && r.existing() && r.freed_existing());
  EXPECT_EQ(r.index(), 4u);
  r.increment_list_position();
  EXPECT_EQ(r.list_position(), 1u);
}

// A user-defined operation, which takes a View as in Kokkos.
template <class Exec>
struct subtract {
  HPK_FUNCTION void op(hpk::View<int*, Exec> values, unsigned slot, const int v) const {
    hpk::atomic_sub(&values(slot), v);
  }
};
struct count_up {
  template <class Values>
  HPK_FUNCTION void op(const Values& values, std::size_t slot, int) const {
    hpk::atomic_inc(&values[slot]);
  }
};

template <class Exec>
class MapInsertOps : public testing::Test {};
TYPED_TEST_SUITE(MapInsertOps, hpk_test::spaces, hpk_test::space_names);

// Many lanes insert the same 5 keys, n times each, with values 1 to n.
template <class Exec, class Key, class Op>
std::vector<int> totals(const Exec& exec, int n, Op op) {
  const hpk::UnorderedMap<Key, int, Exec> map(5);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, 5 * n),
      HPK_LAMBDA(int i) { map.insert(static_cast<Key>(i % 5), i / 5 + 1, op); });
  EXPECT_EQ(map.size(), 5u);
  const hpk::View<int*, Exec> out("out", 5);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, 5), HPK_LAMBDA(int i) {
        const auto slot = map.find(static_cast<Key>(i));
        if (slot != hpk::UnorderedMapInvalidIndex) out(i) = map.value_at(slot);
      });
  const auto got = hpk_test::on_host(out);
  return {&got(0), &got(0) + 5};
}

HPK_TYPED_TEST(MapInsertOps, lose_no_update) {
  using ops = hpk::UnorderedMapInsertOpTypes<hpk::View<int*, TypeParam>, unsigned>;
  const int n = 200;
  const int all = n * (n + 1) / 2;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto each = [](int v) { return std::vector<int>(5, v); };
    EXPECT_EQ((totals<TypeParam, int>(exec, n, typename ops::AtomicAdd())), each(all));
    EXPECT_EQ((totals<TypeParam, char>(exec, n, typename ops::AtomicAdd())), each(all));
    EXPECT_EQ((totals<TypeParam, int>(exec, n, typename ops::Max())), each(n));
    EXPECT_EQ((totals<TypeParam, short>(exec, n, typename ops::Min())), each(1));
    for (const int v : totals<TypeParam, int>(exec, n, count_up())) {
      EXPECT_GE(v, n);  // n - 1 more than the first value
      EXPECT_LE(v, 2 * n - 1);
    }
    for (const int v : totals<TypeParam, int>(exec, n, subtract<TypeParam>()))
      EXPECT_EQ((v + all) % 2, 0);  // first - (all - first)
    for (const int v : totals<TypeParam, int>(exec, n, typename ops::NoOp())) {
      EXPECT_GE(v, 1);
      EXPECT_LE(v, n);
    }
    for (const int v : totals<TypeParam, int>(exec, n, typename ops::Replace())) {
      EXPECT_GE(v, 1);
      EXPECT_LE(v, n);
    }
  }
}

}  // namespace
