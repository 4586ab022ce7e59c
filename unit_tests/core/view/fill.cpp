// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value counts as zero only if all its bytes are zero, at every size and position. A machine
// fills memory by copies only, for counts near powers of two.
#include <hpk/view/fill.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <array>
#include <cstddef>

namespace hpk_test::fill_cases {

TEST(ZeroBytes, are_all_bytes_at_every_size_and_position) {
  std::array<unsigned char, 40> bytes{};
  for (std::size_t size = 0; size <= 33; ++size) {
    EXPECT_TRUE(hpk::detail::has_zero_bytes(bytes.data() + 1, size)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      bytes[1 + at] = 0x80;
      EXPECT_FALSE(hpk::detail::has_zero_bytes(bytes.data() + 1, size)) << size << ", " << at;
      bytes[1 + at] = 0;
    }
    bytes[1 + size] = 1;  // one past the value
    EXPECT_TRUE(hpk::detail::has_zero_bytes(bytes.data() + 1, size)) << size;
    bytes[1 + size] = 0;
  }
}

TEST(ZeroBytes, are_not_those_of_minus_zero) {
  const double values[] = {0.0, -0.0};
  EXPECT_TRUE(hpk::detail::has_zero_bytes(&values[0], sizeof(double)));
  EXPECT_FALSE(hpk::detail::has_zero_bytes(&values[1], sizeof(double)));
}

template <class Exec>
class FillByCopies : public testing::Test {};
TYPED_TEST_SUITE(FillByCopies, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(FillByCopies, sets_each_element_and_no_other) {
  struct element {
    int a;
    double b;
    bool operator==(const element&) const = default;
  };
  const TypeParam exec;
  for (const int count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1000}) {
    hpk::View<element*, typename TypeParam::memory_space> filled("filled", count + 1);
    hpk::detail::fill_by_copies(exec.instance(), filled.data(), count, element{3, -0.5});
    exec.fence();
    const auto seen = hpk::create_mirror_view_and_copy(hpk::HostSpace(), filled);
    for (int i = 0; i < count; ++i) ASSERT_EQ(seen(i), (element{3, -0.5})) << i << " of " << count;
    EXPECT_EQ(seen(count), element{}) << count;
  }
}

}  // namespace hpk_test::fill_cases
