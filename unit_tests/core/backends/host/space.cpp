// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host execution spaces as values: instances, equality, sharing, names, fences, and an instance
// that ends with the last space that refers to it.
#include <support/spaces.hpp>

#include <atomic>
#include <sstream>

namespace hpk_test::host_space_cases {

template <class Exec>
class HostSpaces : public testing::Test {};
TYPED_TEST_SUITE(HostSpaces, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
long sum_on(const Exec& exec) {
  long sum = 0;
  hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 5001), [](int i, long& s) { s += i; }, sum);
  return sum;
}

HPK_TYPED_TEST(HostSpaces, are_regular_values) {
  static_assert(hpk::is_execution_space_v<TypeParam>);
  static_assert(std::is_same_v<typename TypeParam::execution_space, TypeParam>);
  static_assert(std::is_same_v<typename TypeParam::memory_space, hpk::HostSpace>);
  static_assert(std::is_nothrow_move_constructible_v<TypeParam>);
  const TypeParam one = new_instance<TypeParam>();
  const TypeParam two = new_instance<TypeParam>();
  TypeParam copy = one;
  EXPECT_TRUE(TypeParam() == TypeParam());
  EXPECT_TRUE(one == copy);
  EXPECT_FALSE(one == two);
  EXPECT_FALSE(one == TypeParam());
  copy = two;
  EXPECT_TRUE(copy == two);
  copy = TypeParam();
  EXPECT_TRUE(copy == TypeParam());
}

HPK_TYPED_TEST(HostSpaces, tell_whether_the_thread_is_in_a_kernel) {
  EXPECT_FALSE(TypeParam::in_parallel());
  std::atomic<int> inside = 0;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 3),
                    [&](int) { inside += TypeParam::in_parallel() ? 1 : 0; });
  EXPECT_EQ(inside, 3);
}

HPK_TYPED_TEST(HostSpaces, share_an_instance_until_the_last_copy_is_gone) {
  TypeParam last;
  {
    const TypeParam first = new_instance<TypeParam>();
    last = first;
    EXPECT_EQ(&first.instance(), &last.instance());
  }
  EXPECT_EQ(sum_on(last), 12502500);
  const hpk::RangePolicy<TypeParam> policy(new_instance<TypeParam>(), 0, 11);
  std::atomic<int> calls = 0;
  hpk::parallel_for(policy, [&](int) { ++calls; });
  EXPECT_EQ(calls, 11);
}

HPK_TYPED_TEST(HostSpaces, can_be_made_and_ended_many_times) {
  for (int round = 0; round < 50; ++round) EXPECT_EQ(sum_on(new_instance<TypeParam>()), 12502500);
}

HPK_TYPED_TEST(HostSpaces, say_what_they_are) {
  std::ostringstream out;
  new_instance<TypeParam>().print_configuration(out);
  EXPECT_TRUE(contains(out.str(), std::string(TypeParam::name()) + "\n  workers: "));
  EXPECT_EQ(TypeParam().instance().properties().name, TypeParam::name());
  EXPECT_GE(TypeParam().concurrency(), 1);
}

HPK_TYPED_TEST(HostSpaces, take_the_number_of_workers_literally) {
  if constexpr (has_workers<TypeParam>) {
    for (const int workers : {1, 2, 3, 16}) EXPECT_EQ(TypeParam(workers).concurrency(), workers);
    for (const int workers : {0, -1}) {
      EXPECT_TRUE(contains(error_of([&] { static_cast<void>(TypeParam(workers)); }),
                           std::string("hpk::") + TypeParam::name() + '(' +
                               std::to_string(workers) + "): write at least one worker"));
    }
  } else {
    EXPECT_EQ(TypeParam().concurrency(), 1);
  }
}

HPK_TYPED_TEST(HostSpaces, make_new_instances_as_large_as_the_default_one) {
  for (const int device : {-1, 0}) {
    const TypeParam own(hpk::NewInstance{.device = device});
    EXPECT_FALSE(own == TypeParam());
    EXPECT_EQ(own.concurrency(), TypeParam().concurrency());
    EXPECT_EQ(sum_on(own), 12502500);
  }
  EXPECT_EQ(error_of([] { static_cast<void>(TypeParam(hpk::NewInstance{.device = 99})); }),
            std::string("hpk::") + TypeParam::name() +
                ": device 99 was asked for, but there is 1, device 0");
}

// A moved-from space still refers to its instance, not to the default one.
HPK_TYPED_TEST(HostSpaces, are_still_themselves_when_moved_from) {
  if constexpr (has_workers<TypeParam>) {
    TypeParam first(3);
    const TypeParam second(std::move(first));
    EXPECT_EQ(first.concurrency(), 3);
    EXPECT_EQ(first, second);
  }
}

}  // namespace hpk_test::host_space_cases
