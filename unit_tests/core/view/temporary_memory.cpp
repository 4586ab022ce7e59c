// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <limits>
#include <thread>
#include <vector>

namespace {

template <class Exec>
class TemporaryMemoryTest : public testing::Test {};
TYPED_TEST_SUITE(TemporaryMemoryTest, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
using range_of = hpk::RangePolicy<Exec>;

// The objects end before their kernels have run. No other work may write to the memory meanwhile.
template <class Exec>
void sum_of_temporaries(const Exec& exec, const hpk::View<long, Exec>& sum, int rounds) {
  for (int k = 0; k != rounds; ++k) {
    const int n = k % 3 == 0 ? 1 : 1000 * (k % 7);
    const hpk::TemporaryMemory<int, Exec> memory(exec, "numbers", n);
    const auto& numbers = memory.view();
    hpk::parallel_for(range_of<Exec>(exec, 0, n), HPK_LAMBDA(int i) { numbers(i) = i + k; });
    hpk::parallel_for(
        range_of<Exec>(exec, 0, n),
        HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), long{numbers(n - 1 - i)} - k); });
  }
}
template <class Exec>
long expected_sum(int rounds) {
  long sum = 0;
  for (int k = 0; k != rounds; ++k) {
    const long n = k % 3 == 0 ? 1 : 1000 * (k % 7);
    sum += n * (n - 1) / 2;
  }
  return sum;
}
TYPED_TEST(TemporaryMemoryTest, may_end_before_its_kernels) {
  const TypeParam exec;
  const hpk::View<long, TypeParam> sum("sum");
  sum_of_temporaries(exec, sum, 50);
  exec.fence();
  EXPECT_EQ(hpk_test::on_host(sum)(), expected_sum<TypeParam>(50));
}

TYPED_TEST(TemporaryMemoryTest, serves_threads_of_one_instance) {
  const TypeParam exec;
  const hpk::View<long, TypeParam> sum("sum");
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t) threads.emplace_back([&] { sum_of_temporaries(exec, sum, 20); });
  for (auto& thread : threads) thread.join();
  exec.fence();
  EXPECT_EQ(hpk_test::on_host(sum)(), 4 * expected_sum<TypeParam>(20));
}

HPK_TYPED_TEST(TemporaryMemoryTest, is_a_view) {
  const TypeParam exec;
  const hpk::TemporaryMemory<double, TypeParam> none(exec, "none", 0);
  EXPECT_EQ(none.view().extent(0), 0u);
  const hpk::TemporaryMemory<double, TypeParam> some(exec, "some", 77);
  EXPECT_EQ(some.view().extent(0), 77u);
  EXPECT_EQ(some.data(), some.view().data());
  EXPECT_NE(some.data(), none.data());
  hpk::deep_copy(exec, some.view(), 2.0);
  double sum = 0;
  const auto& numbers = some.view();
  hpk::parallel_reduce(
      range_of<TypeParam>(exec, 0, 77), HPK_LAMBDA(int i, double& s) { s += numbers(i); }, sum);
  EXPECT_EQ(sum, 154.0);
}

struct starts_at_seven {
  int number = 7;
  HPK_FUNCTION starts_at_seven() {}
  HPK_FUNCTION starts_at_seven(const starts_at_seven& other) : number(other.number) {}
  HPK_FUNCTION starts_at_seven& operator=(const starts_at_seven& other) {
    number = other.number;
    return *this;
  }
};
HPK_TYPED_TEST(TemporaryMemoryTest, constructs_elements_that_have_constructors) {
  const TypeParam exec;
  const hpk::TemporaryMemory<starts_at_seven, TypeParam> some(exec, "some", 10);
  const auto& elements = some.view();
  int sum = 0;
  hpk::parallel_reduce(
      range_of<TypeParam>(exec, 0, 10), HPK_LAMBDA(int i, int& s) { s += elements(i).number; },
      sum);
  EXPECT_EQ(sum, 70);
}

// An instance that lends its memory lends the same memory again, and stays alive until it is
// returned.
TYPED_TEST(TemporaryMemoryTest, of_devices_is_used_again) {
  if constexpr (hpk::detail::lends_memory<TypeParam, int>) {
    const int* first = nullptr;
    {
      const hpk::TemporaryMemory<int, TypeParam> memory(TypeParam(), "first", 1 << 20);
      first = memory.data();
    }
    const hpk::TemporaryMemory<int, TypeParam> memory(TypeParam(), "second", 1 << 20);
    EXPECT_EQ(memory.data(), first);
  }
}

TYPED_TEST(TemporaryMemoryTest, names_itself_when_memory_ends) {
  constexpr hpk::index_t far_too_many = std::numeric_limits<hpk::index_t>::max() / 16;
  try {
    const hpk::TemporaryMemory<int, TypeParam> memory(TypeParam(), "much", far_too_many);
    ADD_FAILURE();
  } catch (const hpk::BadAlloc& e) {
    EXPECT_NE(std::string(e.what()).find("\"much\""), std::string::npos) << e.what();
  }
}

}  // namespace
