// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a group do together, on every machine and for every number of lanes that it
// has: joins happen in the documented order, whatever a subgroup is, and leave scratch free.
#include "support/spaces.hpp"

#include <vector>

namespace hpk_test::group_cases {

using hpk::index_t;

template <class Exec>
class Groups : public testing::Test {};
TYPED_TEST_SUITE(Groups, hpk_test::spaces, hpk_test::space_names);

// A value whose join neither commutes nor associates, so that its bits tell the order and the
// pairing of joins.
template <int Words>
struct mixed {
  std::uint64_t words[Words];
  friend bool operator==(const mixed&, const mixed&) = default;
};
struct mix {
  template <int Words>
  HPK_FUNCTION void init(mixed<Words>& m) const {
    m = {};
  }
  template <int Words>
  HPK_FUNCTION void join(mixed<Words>& to, const mixed<Words>& from) const {
    for (int k = 0; k < Words; ++k)
      to.words[k] = (to.words[k] * 0x9E3779B97F4A7C15u + from.words[k]) ^ (to.words[k] >> 29);
  }
};
template <class Value>
HPK_FUNCTION Value mixed_of(std::uint64_t seed) {
  Value m;
  for (std::uint64_t& word : m.words) {
    ++seed;
    word = (seed * 0xBF58476D1CE4E5B9u) ^ (seed >> 7);
  }
  return m;
}

static_assert(hpk::detail::is_shuffled<double> && hpk::detail::is_shuffled<mixed<2>>);
static_assert(!hpk::detail::is_shuffled<mixed<3>> && !hpk::detail::is_shuffled<std::vector<int>>);

constexpr index_t groups = 3;
HPK_FUNCTION std::uint64_t seed_of(index_t group, int lane, int round) {
  return static_cast<std::uint64_t>((group * 2 + round) * 1024 + lane) * 1000;
}

// Reduces two values per lane in the same scratch.
template <class Exec, class Value>
struct reduce_twice {
  hpk::View<Value**, Exec> results;  // by group and round
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    for (int round = 0; round < 2; ++round) {
      auto value = mixed_of<Value>(seed_of(lane.group(), lane.lane_index(), round));
      hpk::detail::group_reduce(lane, mix(), value, hpk::detail::value_scratch<Value>(lane));
      if (lane.lane_index() == 0) results(lane.group(), round) = value;
    }
  }
};

// Calls test(lanes, shape) for the numbers of lanes that the space has and its scratch has room
// for.
template <class Value, class Exec, class Test>
void for_each_width(const Exec& exec, Test test) {
  const auto limits = exec.instance().properties();
  for (const int lanes : {1, 2, 4, 32, 64, 256, 1024}) {
    const std::size_t scratch = hpk::detail::value_scratch_bytes<Value>(lanes);
    const bool fits = limits.largest_lanes == 1 || scratch <= limits.scratch_bytes[0];
    if (lanes > limits.largest_lanes || !fits) continue;
    SCOPED_TRACE(testing::Message() << lanes << " lanes, values of " << sizeof(Value));
    test(lanes, hpk::seam::shape{.groups = groups, .lanes = lanes, .scratch = {scratch, 0}});
  }
}

const hpk::seam::launch_info info{
    .pattern = "group", .label = {}, .where = std::source_location::current()};

// The documented pairs: k with k + 1, then + 2, ..., + lanes/2.
template <class Value>
Value documented_join(std::vector<Value> values) {
  for (std::size_t reach = 1; reach < values.size(); reach *= 2) {
    for (std::size_t k = 0; k < values.size(); k += 2 * reach)
      mix().join(values[k], values[k + reach]);
  }
  return values[0];
}

template <class Value, class Exec>
void expect_documented_pairs(const Exec& exec) {
  for_each_width<Value>(exec, [&](int lanes, const hpk::seam::shape& shape) {
    const hpk::View<Value**, Exec> results("results", groups, 2);
    exec.instance().launch(shape, reduce_twice<Exec, Value>{results}, info);
    const auto found = on_host(results);
    for (index_t group = 0; group < groups; ++group) {
      for (int round = 0; round < 2; ++round) {
        std::vector<Value> values;
        for (int k = 0; k < lanes; ++k) values.push_back(mixed_of<Value>(seed_of(group, k, round)));
        EXPECT_EQ(found(group, round), documented_join(values));
      }
    }
  });
}

HPK_TYPED_TEST(Groups, join_documented_pairs) {
  const TypeParam exec;
  expect_documented_pairs<mixed<1>>(exec);
  expect_documented_pairs<mixed<2>>(exec);
  expect_documented_pairs<mixed<3>>(exec);
  expect_documented_pairs<mixed<38>>(exec);
}

// Scratch is aligned to 16, values may ask for more.
struct alignas(64) wide {
  std::uint64_t words[3];
};
struct alignas(32) less_wide {
  char letters[5];
};
static_assert(hpk::detail::value_scratch_bytes<double>(256) == 2048);
static_assert(hpk::detail::value_scratch_bytes<wide>(4) == 256 + 48);

struct with_scratch {
  std::byte* data;
  std::byte* scratch(int) const { return data; }
};

TEST(GroupScratch, is_aligned_for_its_values) {
  alignas(64) std::byte memory[64 * 8];
  const auto expect_room = [&]<class V>(hpk::detail::type_identity<V>) {
    for (std::size_t offset = 0; offset < 64; offset += 16) {
      with_scratch lane{memory + offset};
      V* values = hpk::detail::value_scratch<V>(lane);
      const auto* begin = reinterpret_cast<std::byte*>(values);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin) % alignof(V), 0u);
      EXPECT_GE(begin, lane.data);
      EXPECT_LE(begin + 4 * sizeof(V), lane.data + hpk::detail::value_scratch_bytes<V>(4));
    }
  };
  expect_room(hpk::detail::type_identity<wide>{});
  expect_room(hpk::detail::type_identity<less_wide>{});
  expect_room(hpk::detail::type_identity<double>{});
}

}  // namespace hpk_test::group_cases
