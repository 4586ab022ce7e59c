// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

#include <sstream>

namespace {

template <class Exec>
class MapHistogram : public testing::Test {};
TYPED_TEST_SUITE(MapHistogram, hpk_test::spaces, hpk_test::space_names);

// Returns the sum of the counts in 100 bins, each times its bin number if `first` is set.
long moment(const std::string& text, bool first) {
  std::istringstream in(text);
  long sum = 0, count = 0;
  char comma = 0;
  for (int k = 0; k != 100; ++k) {
    EXPECT_TRUE(in >> count);
    sum += first ? k * count : count;
    in >> comma;
  }
  return sum;
}

template <class Key, class Exec>
void count_keys() {
  const hpk::UnorderedMap<Key, int, Exec> map(300);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 300), HPK_LAMBDA(int i) { map.insert(static_cast<Key>(i), i); });
  auto histogram = map.get_histogram();
  std::ostringstream length, distance, blocks, none;
  histogram.calculate();
  histogram.print_length(length);
  histogram.print_distance(distance);
  histogram.print_block_distance(blocks);
  EXPECT_EQ(moment(length.str(), true), 300);
  EXPECT_EQ(moment(distance.str(), false), 300);
  EXPECT_EQ(moment(blocks.str(), false), 300);
  EXPECT_LT(moment(blocks.str(), true), 300);  // most keys are in the bucket where their search
                                               // begins
  histogram.clear();
  histogram.print_length(none);
  EXPECT_EQ(moment(none.str(), false), 0);
}
TYPED_TEST(MapHistogram, counts_every_key) {
  count_keys<int, TypeParam>();
  count_keys<short, TypeParam>();
}

}  // namespace
