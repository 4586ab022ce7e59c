// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/spaces.hpp>

namespace {

using hpk_test::contains;
using hpk_test::error_of;

TEST(Error, has_the_call_site) {
  const auto where = std::source_location::current();
  const std::string text = error_of([&] {
    hpk::raise(hpk::error_message() << "my::list \"l\": index " << 7 << " of " << 5u, where);
  });
  EXPECT_TRUE(contains(text, "my::list \"l\": index 7 of 5 (at "));
  EXPECT_TRUE(contains(text, "error.cpp:" + std::to_string(where.line())));
  EXPECT_EQ(error_of([] { hpk::raise(hpk::error_message() << "no place"); }), "no place");
}

template <class Exec>
class ErrorInKernels : public testing::Test {};
TYPED_TEST_SUITE(ErrorInKernels, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(ErrorInKernels, names_the_launch) {
  const std::string text = error_of([] {
    hpk::parallel_for("fills", hpk::RangePolicy<TypeParam>(0, 1),
                      [](int i) { hpk::raise(hpk::error_message() << "no room for " << i); });
    hpk::fence();
  });
  EXPECT_TRUE(contains(text, "no room for 0, in parallel_for \"fills\" (at "));
  EXPECT_TRUE(contains(text, "error.cpp:"));
}

}  // namespace
