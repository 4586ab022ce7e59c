// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients by multiplication equal those by division, where rounding errors would show.
#include <hpk/parallel/kernel/divisor.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <vector>

namespace parallel_divisor_test {
namespace {

using hpk::detail::divisor;

constexpr std::uint32_t most = 0x7fff'ffff;

void expect_quotients(std::uint32_t by) {
  const divisor d(by);
  ASSERT_EQ(d.value(), by);
  std::vector<std::uint32_t> dividends = {0, 1, 2, 1000, most - 1, most};
  // Near multiples of the divisor: the first, the last and some between.
  for (const std::uint32_t k : {1u, 2u, most / by / 3, most / by / 2, most / by}) {
    const std::uint64_t multiple = std::uint64_t{k} * by;
    for (const int off : {-1, 0, 1}) {
      const std::uint64_t n = multiple + static_cast<std::uint64_t>(static_cast<std::int64_t>(off));
      if (n <= most) dividends.push_back(static_cast<std::uint32_t>(n));
    }
  }
  for (const std::uint32_t n : dividends) {
    ASSERT_EQ(d.quotient(n), n / by) << n << " / " << by;
    std::uint32_t left = n;
    ASSERT_EQ(d.split(left), n % by) << n << " % " << by;
    ASSERT_EQ(left, n / by);
  }
}

TEST(Divisor, divides_all_that_it_promises) {
  for (std::uint32_t by = 1; by <= 5000; ++by) expect_quotients(by);
  for (int bit = 10; bit < 31; ++bit) {
    for (const int off : {-3, -1, 0, 1, 3})
      expect_quotients((std::uint32_t{1} << bit) + static_cast<std::uint32_t>(off));
  }
  for (const std::uint32_t by : {most / 3, most / 2, most / 2 + 1, most - 1, most, most + 1})
    expect_quotients(by);
}

TEST(Divisor, divides_small_numbers_by_small_numbers) {
  for (std::uint32_t by = 1; by < 300; ++by) {
    const divisor d(by);
    for (std::uint32_t n = 0; n < 3000; ++n) ASSERT_EQ(d.quotient(n), n / by) << n << " / " << by;
  }
}

TEST(Divisor, is_one_of_many) {
  hpk::detail::divisors<3> many;
  EXPECT_EQ(many[1].quotient(7), 7u);
  many.set(1, divisor(7));
  many.set(2, divisor(10));
  std::uint32_t left = 12345;
  EXPECT_EQ(many[2].split(left), 5u);
  EXPECT_EQ(left, 1234u);
  EXPECT_EQ(many[1].quotient(left), 176u);
  EXPECT_EQ(many[0].value(), 1u);
}

}  // namespace
}  // namespace parallel_divisor_test
