// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf from host code and from kernels of every space.
#include <hpk/printf.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace base_printf_test {
namespace {

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

template <class Exec>
class Printf : public testing::Test {};
TYPED_TEST_SUITE(Printf, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Printf, prints_each_line_of_a_kernel_in_one_piece) {
  constexpr int n = 500;
  testing::internal::CaptureStdout();
  hpk::parallel_for(
      "print", hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        hpk::printf("lane %04d of %ld: %.3f %s\n", i, 500L, i * 0.25f, i % 2 == 0 ? "even" : "odd");
      });
  TypeParam().fence();
  std::fflush(stdout);
  const auto lines = sorted_lines(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), std::size_t{n});
  for (int i = 0; i < n; ++i) {
    char expected[64];
    std::snprintf(expected, sizeof expected, "lane %04d of 500: %.3f %s", i, i * 0.25,
                  i % 2 == 0 ? "even" : "odd");
    ASSERT_EQ(lines[static_cast<std::size_t>(i)], expected);
  }
}

TEST(PrintfOnHost, prints_what_std_printf_does) {
  testing::internal::CaptureStdout();
  hpk::printf("no values, 100%%\n");
  hpk::printf("%c %5.2e %lld %p\n", 'x', 1234.5, -7LL, static_cast<void*>(nullptr));
  {
    using namespace hpk;
    printf("%d\n", 7);  // not ambiguous
  }
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "no values, 100%\nx 1.23e+03 -7 (nil)\n7\n");
}

}  // namespace
}  // namespace base_printf_test
