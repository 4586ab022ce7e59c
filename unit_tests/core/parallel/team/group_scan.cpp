// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans over the lanes of a group, on every machine and for every supported number of lanes: joins
// happen in the documented order for every sub-group size, and after a barrier scratch is free.
#include <support/spaces.hpp>

#include <algorithm>
#include <vector>

namespace hpk_test::group_scan_cases {

using hpk::index_t;

template <class Exec>
class GroupScan : public testing::Test {};
TYPED_TEST_SUITE(GroupScan, hpk_test::spaces, hpk_test::space_names);

template <int Words>
struct words_of {
  std::uint64_t words[Words];
  friend bool operator==(const words_of&, const words_of&) = default;
};
// Neither commutes nor associates, so that the bits show the order and pairing of joins. Zeros on
// the left have no effect.
struct mix {
  template <int Words>
  HPK_FUNCTION void init(words_of<Words>& m) const {
    m = {};
  }
  template <int Words>
  HPK_FUNCTION void join(words_of<Words>& to, const words_of<Words>& from) const {
    for (int k = 0; k < Words; ++k)
      to.words[k] = (to.words[k] * 0x9E3779B97F4A7C15u + from.words[k]) ^ (to.words[k] >> 29);
  }
};
template <class Value>
HPK_FUNCTION Value value_of(index_t group, int lane, int round) {
  auto seed = static_cast<std::uint64_t>((group * 2 + round) * 1024 + lane) * 1000;
  Value m;
  for (std::uint64_t& word : m.words) {
    ++seed;
    word = (seed * 0xBF58476D1CE4E5B9u) ^ (seed >> 7);
  }
  return m;
}

constexpr index_t groups = 3;

// Scans two values per lane in the same scratch.
template <class Exec, class Value>
struct scan_twice {
  hpk::View<Value***, Exec> prefixes;  // by group, round and lane
  hpk::View<Value***, Exec> totals;
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const int me = lane.lane_index();
    for (int round = 0; round < 2; ++round) {
      auto value = value_of<Value>(lane.group(), me, round);
      Value total;
      hpk::detail::group_exclusive_scan(lane, lane.lanes(), mix(), value, total,
                                        hpk::detail::value_scratch<Value>(lane));
      prefixes(lane.group(), round, me) = value;
      totals(lane.group(), round, me) = total;
      lane.barrier();
    }
  }
};

// Rows have 32 values: the last value of each lower half is joined before all values of the upper
// half. Then the rows are joined in order.
template <class Value>
Value documented_scan(std::vector<Value>& values) {
  const std::size_t row = std::min<std::size_t>(values.size(), 32);
  const auto joined = [](Value before, const Value& value) {
    mix().join(before, value);
    return before;
  };
  for (std::size_t half = 1; half < row; half *= 2) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k / half % 2 == 1) values[k] = joined(values[k / half * half - 1], values[k]);
    }
  }
  std::vector<Value> prefixes(values.size());
  Value total{};
  for (std::size_t first = 0; first < values.size(); first += row) {
    prefixes[first] = total;
    for (std::size_t k = first + 1; k < first + row; ++k)
      prefixes[k] = joined(total, values[k - 1]);
    mix().join(total, values[first + row - 1]);
  }
  values = prefixes;
  return total;
}

template <class Value, class Exec>
void expect_documented_scans(const Exec& exec) {
  const auto limits = exec.instance().properties();
  for (const int lanes : {1, 2, 4, 16, 32, 64, 256, 1024}) {
    const std::size_t scratch = hpk::detail::value_scratch_bytes<Value>(lanes);
    const bool fits = limits.largest_lanes == 1 || scratch <= limits.scratch_bytes[0];
    if (lanes > limits.largest_lanes || !fits) continue;
    SCOPED_TRACE(testing::Message() << lanes << " lanes, values of " << sizeof(Value));
    const hpk::View<Value***, Exec> prefixes("prefixes", groups, 2, lanes);
    const hpk::View<Value***, Exec> totals("totals", groups, 2, lanes);
    exec.instance().launch(
        {.groups = groups, .lanes = lanes, .scratch = {scratch, 0}},
        scan_twice<Exec, Value>{prefixes, totals},
        {.pattern = "group scan", .label = {}, .where = std::source_location::current()});
    const auto found = on_host(prefixes);
    const auto found_totals = on_host(totals);
    int wrong = 0;
    for (index_t group = 0; group < groups; ++group) {
      for (int round = 0; round < 2; ++round) {
        std::vector<Value> values;
        for (int k = 0; k < lanes; ++k) values.push_back(value_of<Value>(group, k, round));
        const Value total = documented_scan(values);
        for (int k = 0; k < lanes; ++k) {
          wrong += found(group, round, k) != values[static_cast<std::size_t>(k)];
          wrong += found_totals(group, round, k) != total;
        }
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

HPK_TYPED_TEST(GroupScan, joins_in_the_documented_order) {
  const TypeParam exec;
  expect_documented_scans<words_of<1>>(exec);
  expect_documented_scans<words_of<2>>(exec);
  expect_documented_scans<words_of<3>>(exec);
  expect_documented_scans<words_of<38>>(exec);
}

}  // namespace hpk_test::group_scan_cases
