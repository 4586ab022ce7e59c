// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Empty members take no memory, other members do, and two members of one type have separate values.
#include <support/spaces.hpp>

#include <hpk/base/compressed.hpp>

namespace hpk_test::compressed_cases {

using hpk::detail::compressed;
using hpk::detail::mapped_handle;

struct nothing {
  static constexpr int answer = 42;
};
struct nothing_else {};
struct sealed final {};

static_assert(std::is_empty_v<compressed<nothing>> && !std::is_empty_v<compressed<int>>);
static_assert(!std::is_empty_v<compressed<sealed>>, "a final class can be no base");
static_assert(sizeof(mapped_handle<int*, nothing, nothing_else>) == sizeof(int*));
static_assert(sizeof(mapped_handle<int*, nothing, nothing>) == sizeof(int*));
static_assert(sizeof(mapped_handle<int*, long, nothing>) == 2 * sizeof(int*));
static_assert(sizeof(mapped_handle<int*, nothing, long>) == 2 * sizeof(int*));
static_assert(std::is_trivially_copyable_v<mapped_handle<int*, long, nothing>>);

TEST(Compressed, holds_values_and_starts_from_zero) {
  constexpr compressed<int> zero;
  static_assert(zero.value() == 0);
  compressed<int> number(5);
  number.value() += 2;
  EXPECT_EQ(number.value(), 7);
  EXPECT_EQ(compressed<nothing>().value().answer, 42);
}

TEST(Compressed, tells_members_of_one_type_apart) {
  int elements[3] = {1, 2, 3};
  mapped_handle<int*, long, long> both(elements, 10, 20);
  EXPECT_EQ(both.data, elements);
  EXPECT_EQ(both.map(), 10);
  EXPECT_EQ(both.rest(), 20);
  both.map() = 11;
  const auto copy = both;
  EXPECT_EQ(copy.map(), 11);
  EXPECT_EQ(copy.rest(), 20);
  EXPECT_EQ((mapped_handle<int*, long, nothing>().data), nullptr);
}

}  // namespace hpk_test::compressed_cases
