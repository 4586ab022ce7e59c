// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk_swap on hosts and in kernels.
#include <hpk/array.hpp>
#include <hpk/base/swap.hpp>

#include <support/spaces.hpp>

#include <memory>
#include <mutex>

namespace accounts {
// Can be swapped only by the function of this namespace.
struct account {
  explicit account(int start) : balance(start) {}
  account(const account&) = delete;
  account& operator=(const account&) = delete;
  int balance;
};
inline void hpk_swap(account& a, account& b) noexcept {
  const int old = a.balance;
  a.balance = b.balance;
  b.balance = old;
}
}  // namespace accounts

namespace base_swap_test {
namespace {

constexpr int swapped() {
  int a = 1;
  int b = 2;
  hpk::hpk_swap(a, b);
  int rows[2][2] = {{1, 2}, {3, 4}};
  hpk::hpk_swap(rows[0], rows[1]);
  int others[2][2] = {};
  hpk::hpk_swap(rows, others);
  hpk::hpk_swap(others, rows);
  return a * 10000 + b * 1000 + rows[0][0] * 100 + rows[0][1] * 10 + rows[1][0];
}
static_assert(swapped() == 21341);
static_assert(noexcept(hpk::hpk_swap(std::declval<int&>(), std::declval<int&>())));
template <class T>
concept swaps = requires(T& a) { hpk::hpk_swap(a, a); };
static_assert(swaps<int> && swaps<int[3]> && swaps<int[2][3]>);
static_assert(!swaps<std::mutex> && !swaps<std::mutex[2]>);

TEST(Swap, moves) {
  auto a = std::make_unique<int>(1);
  std::unique_ptr<int> b;
  hpk::hpk_swap(a, b);
  EXPECT_EQ(a, nullptr);
  EXPECT_EQ(*b, 1);
}

TEST(Swap, exchanges_the_elements_of_arrays) {
  using pair = hpk::Array<accounts::account, 2>;
  pair a = {accounts::account(1), accounts::account(2)};
  pair b = {accounts::account(3), accounts::account(4)};
  hpk::hpk_swap(a, b);
  EXPECT_EQ(a[0].balance, 3);
  EXPECT_EQ(a[1].balance, 4);
  EXPECT_EQ(b[1].balance, 2);
  static_assert(noexcept(hpk::hpk_swap(a, b)));
  static_assert(!swaps<hpk::Array<std::mutex, 2>> && swaps<hpk::Array<std::mutex, 0>>);
  hpk::Array<hpk::Array<int, 2>, 1> rows = {{{1, 2}}}, others = {{{3, 4}}};
  hpk::hpk_swap(rows, others);
  EXPECT_EQ(rows[0][1], 4);
  EXPECT_EQ(others[0][0], 1);
}

template <class Exec>
class SwapInKernel : public testing::Test {};
TYPED_TEST_SUITE(SwapInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(SwapInKernel, exchanges_elements) {
  hpk::View<int*, TypeParam> values("values", 50);
  hpk::parallel_for(
      "fill", hpk::RangePolicy<TypeParam>(0, 50), HPK_LAMBDA(int i) { values(i) = i; });
  hpk::parallel_for(
      "reverse", hpk::RangePolicy<TypeParam>(0, 25),
      HPK_LAMBDA(int i) { hpk::hpk_swap(values(i), values(49 - i)); });
  const auto there = hpk_test::on_host(values);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(there(i), 49 - i);
}

}  // namespace
}  // namespace base_swap_test
