// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every enabled space climbs the ladder, with its default instance and with instances of 1 to 16
// workers; one test per step, so that a backend in the making sees how far it got.
#include <conformance/conformance.hpp>

#include <support/spaces.hpp>

#include <algorithm>

namespace conformance_test {
namespace {

template <class Exec>
class Conformance : public testing::Test {
 protected:
  static void climb(std::string_view number) {
    const auto& steps = hpk_conformance::ladder<Exec>;
    const auto* one = std::find_if(std::begin(steps), std::end(steps), [&](const auto& r) {
      return std::string_view(r.name).substr(0, 2) == number;
    });
    ASSERT_NE(one, std::end(steps));
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      hpk_conformance::findings found;
      one->climb(exec, found);
      for (const std::string& law : found.list()) ADD_FAILURE() << one->name << ": " << law;
    }
  }
};
TYPED_TEST_SUITE(Conformance, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Conformance, step_01_memory) { this->climb("01"); }
HPK_TYPED_TEST(Conformance, step_02_copy_fill) { this->climb("02"); }
HPK_TYPED_TEST(Conformance, step_03_each_lane_once) { this->climb("03"); }
HPK_TYPED_TEST(Conformance, step_04_lane_ids) { this->climb("04"); }
HPK_TYPED_TEST(Conformance, step_05_barrier) { this->climb("05"); }
HPK_TYPED_TEST(Conformance, step_06_scratch) { this->climb("06"); }
HPK_TYPED_TEST(Conformance, step_07_shuffle) { this->climb("07"); }
HPK_TYPED_TEST(Conformance, step_08_atomics) { this->climb("08"); }
HPK_TYPED_TEST(Conformance, step_09_order) { this->climb("09"); }
HPK_TYPED_TEST(Conformance, step_10_instances) { this->climb("10"); }
HPK_TYPED_TEST(Conformance, step_11_workspace) { this->climb("11"); }
HPK_TYPED_TEST(Conformance, step_12_completion) { this->climb("12"); }
HPK_TYPED_TEST(Conformance, step_13_start_stop) { this->climb("13"); }
HPK_TYPED_TEST(Conformance, step_14_failure) { this->climb("14"); }

// What an out-of-tree backend calls.
HPK_TYPED_TEST(Conformance, run_all_finds_nothing) {
  EXPECT_EQ(hpk_conformance::run_all<TypeParam>(), std::vector<std::string>());
}

// The ladder itself can fail: a broken law is noted once with step and line.
TEST(ConformanceLadder, notes_a_broken_law_once) {
  hpk_conformance::findings found;
  for (int k = 0; k < 3; ++k) found.expect(false, "water flows uphill");
  found.expect(true, "water is wet");
  ASSERT_EQ(found.list().size(), 1u);
  EXPECT_TRUE(hpk_test::contains(found.list()[0], "conformance.cpp:"));
  EXPECT_TRUE(hpk_test::contains(found.list()[0], "water flows uphill"));
}

}  // namespace
}  // namespace conformance_test
