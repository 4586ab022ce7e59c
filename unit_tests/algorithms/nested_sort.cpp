// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/nested_sort.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>

namespace {

using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class NestedSort : public testing::Test {};
TYPED_TEST_SUITE(NestedSort, hpk_test::spaces, hpk_test::space_names);

using hpk_test::down;

constexpr int rows = 12;
constexpr int width = 130;

// Returns the length of row r: zero, one, odd lengths, powers of two and their neighbours.
HPK_INLINE_FUNCTION int length_of(int r) {
  const int lengths[rows] = {0, 1, 2, 3, 31, 32, 33, 64, 65, 100, 127, 130};
  return lengths[r];
}

enum class form { keys, keys_down, pairs, pairs_down };

template <class Exec>
using matrix = hpk::View<int**, hpk::LayoutRight, Exec>;
template <class Exec>
struct sorted_rows {
  matrix<Exec> keys = matrix<Exec>("keys", rows, width);
  matrix<Exec> values = matrix<Exec>("values", rows, width);
};

/// Fills rows with keys that repeat, and with values that encode their key and place.
template <class Exec>
sorted_rows<Exec> make_rows() {
  const sorted_rows<Exec> all;
  const auto keys = all.keys;
  const auto values = all.values;
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, rows), HPK_LAMBDA(int r) {
        for (int i = 0; i < width; ++i) {
          keys(r, i) = (i * 37 + r * 11) % 61;
          values(r, i) = 1000 * keys(r, i) + i;
        }
      });
  return all;
}

template <class Exec>
void expect_rows(const sorted_rows<Exec>& all, form kind) {
  const auto keys = hpk_test::on_host(all.keys);
  const auto values = hpk_test::on_host(all.values);
  const bool falling = kind == form::keys_down || kind == form::pairs_down;
  const bool with_values = kind == form::pairs || kind == form::pairs_down;
  for (int r = 0; r < rows; ++r) {
    std::vector<int> expected;
    for (int i = 0; i < width; ++i) expected.push_back((i * 37 + r * 11) % 61);
    const auto end = expected.begin() + length_of(r);
    falling ? std::sort(expected.begin(), end, down()) : std::sort(expected.begin(), end);
    std::vector<bool> seen(width, false);
    for (int i = 0; i < width; ++i) {
      ASSERT_EQ(keys(r, i), expected[static_cast<std::size_t>(i)]) << r << ", " << i;
      const int place = values(r, i) % 1000;
      if (with_values) {
        ASSERT_EQ(values(r, i) / 1000, keys(r, i)) << r << ", " << i;
      } else {
        ASSERT_EQ(place, i);
      }
      ASSERT_FALSE(seen[static_cast<std::size_t>(place)]);
      seen[static_cast<std::size_t>(place)] = true;
    }
  }
}

template <class Exec>
void sort_by_teams(const hpk::TeamPolicy<Exec>& policy, form kind) {
  const auto all = make_rows<Exec>();
  const auto keys = all.keys;
  const auto values = all.values;
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  hpk::parallel_for(
      policy, HPK_LAMBDA(const member& team) {
        const int r = team.league_rank();
        const auto range = hpk::make_pair(0, length_of(r));
        const auto k = hpk::subview(keys, r, range);
        const auto v = hpk::subview(values, r, range);
        if (kind == form::keys) hpk::Experimental::sort_team(team, k);
        if (kind == form::keys_down) hpk::sort_team(team, k, down());
        if (kind == form::pairs) hpk::Experimental::sort_by_key_team(team, k, v);
        if (kind == form::pairs_down) hpk::sort_by_key_team(team, k, v, down());
      });
  expect_rows(all, kind);
}

template <class Exec>
void sort_by_threads(int team_size, int vector, form kind) {
  const auto all = make_rows<Exec>();
  const auto keys = all.keys;
  const auto values = all.values;
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  hpk::parallel_for(
      hpk::TeamPolicy<Exec>(rows / 2, team_size, vector), HPK_LAMBDA(const member& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, 2), [&](int part) {
          const int r = 2 * team.league_rank() + part;
          const auto range = hpk::make_pair(0, length_of(r));
          const auto k = hpk::subview(keys, r, range);
          const auto v = hpk::subview(values, r, range);
          if (kind == form::keys) hpk::Experimental::sort_thread(team, k);
          if (kind == form::keys_down) hpk::sort_thread(team, k, down());
          if (kind == form::pairs) hpk::Experimental::sort_by_key_thread(team, k, v);
          if (kind == form::pairs_down) hpk::sort_by_key_thread(team, k, v, down());
        });
      });
  expect_rows(all, kind);
}

HPK_TYPED_TEST(NestedSort, by_teams) {
  for (const form kind : {form::keys, form::keys_down, form::pairs, form::pairs_down}) {
    sort_by_teams(hpk::TeamPolicy<TypeParam>(rows, hpk::AUTO), kind);
    sort_by_teams(hpk::TeamPolicy<TypeParam>(rows, 3), kind);
    sort_by_teams(hpk::TeamPolicy<TypeParam>(rows, 2, 4), kind);
  }
}

HPK_TYPED_TEST(NestedSort, by_threads) {
  for (const form kind : {form::keys, form::keys_down, form::pairs, form::pairs_down}) {
    sort_by_threads<TypeParam>(1, 1, kind);
    sort_by_threads<TypeParam>(2, 4, kind);
  }
}

HPK_TYPED_TEST(NestedSort, in_scratch) {
  const hpk::View<int*, TypeParam> sums("sums", 3);
  using member = typename hpk::TeamPolicy<TypeParam>::member_type;
  using scratch = hpk::View<int*, hpk::ScratchMemorySpace<TypeParam>>;
  auto policy = hpk::TeamPolicy<TypeParam>(3, 2);
  policy.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(50)));
  hpk::parallel_for(
      policy, HPK_LAMBDA(const member& team) {
        const scratch numbers(team.team_scratch(0), 50);
        hpk::parallel_for(hpk::TeamVectorRange(team, 50),
                          [&](int i) { numbers(i) = (i * 7 + team.league_rank()) % 50; });
        hpk::sort_team(team, numbers);
        int wrong = 0;
        hpk::parallel_reduce(
            hpk::TeamVectorRange(team, 50),
            [&](int i, int& update) { update += numbers(i) == i ? 0 : 1; }, wrong);
        hpk::single(hpk::PerTeam(team), [&] { sums(team.league_rank()) = wrong; });
      });
  EXPECT_EQ(to_vector(sums), (std::vector<int>{0, 0, 0}));
}

// In builds with checks on hosts, the exception states the lengths.
template <class Exec>
class NestedSortOnHosts : public testing::Test {};
TYPED_TEST_SUITE(NestedSortOnHosts, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
void sort_different_lengths() {
  const hpk::View<int*, Exec> keys("keys", 5);
  const hpk::View<int*, Exec> values("values", 4);
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  hpk::parallel_for(
      "row sort", hpk::TeamPolicy<Exec>(1, 1),
      HPK_LAMBDA(const member& team) { hpk::sort_by_key_team(team, keys, values); });
}
HPK_TYPED_TEST(NestedSortOnHosts, different_lengths_are_errors) {
  if (!HPK_CHECKS) return;
  hpk_test::expect_error([] { sort_different_lengths<TypeParam>(); },
                         {"hpk::sort_by_key: there are 5 keys, but 4 values", "row sort"});
}

}  // namespace
