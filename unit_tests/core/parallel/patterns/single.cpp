// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// single() in host code.
#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace hpk_test {
namespace {

template <class Exec>
class Single : public testing::Test {};
TYPED_TEST_SUITE(Single, spaces, space_names);

template <class Exec>
struct counter {
  hpk::View<int, Exec> calls;
  HPK_FUNCTION void operator()() const { calls() += 1; }
};

HPK_TYPED_TEST(Single, calls_once_in_the_order_of_the_instance) {
  const TypeParam exec = new_instance<TypeParam>();
  const hpk::View<int*, TypeParam> x(hpk::view_alloc(exec, "x"), 100);
  const hpk::View<int, TypeParam> sum(hpk::view_alloc(exec, "sum"));
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100), HPK_LAMBDA(int i) { x(i) = i; });
  hpk::single(
      "Single: sum", exec, HPK_LAMBDA() {
        for (int i = 0; i < 100; ++i) sum() += x(i);
      });
  hpk::single(exec, HPK_LAMBDA() { sum() += 1; });
  int read = 0;
  hpk::deep_copy(exec, read, sum);
  exec.fence();
  EXPECT_EQ(read, 4951);
}

HPK_TYPED_TEST(Single, takes_a_functor_that_lives_as_long_as_the_call) {
  const hpk::View<int, TypeParam> calls("calls");
  hpk::single("Single: a functor", TypeParam(), counter<TypeParam>{calls});
  int read = 0;
  hpk::deep_copy(read, calls);
  EXPECT_EQ(read, 1);
}

TEST(SingleOnHost, lets_exceptions_reach_the_caller) {
  EXPECT_THROW(hpk::single("Single: throws", hpk::DefaultHostExecutionSpace(), [] { throw 3; }),
               int);
}

}  // namespace
}  // namespace hpk_test
