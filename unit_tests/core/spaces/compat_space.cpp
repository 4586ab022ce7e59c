// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of execution spaces for older programs.
#include <hpk/spaces/compat_space.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <type_traits>
#include <vector>

namespace hpk_test {
namespace {

template <class Exec>
class CompatSpace : public testing::Test {};
TYPED_TEST_SUITE(CompatSpace, spaces, space_names);
template <class Exec>
class CompatHostSpace : public testing::Test {};
TYPED_TEST_SUITE(CompatHostSpace, host_spaces, space_names);

HPK_TYPED_TEST(CompatSpace, tells_whether_the_thread_is_in_a_kernel) {
  EXPECT_FALSE(TypeParam::in_parallel());
  EXPECT_FALSE(TypeParam::in_parallel(TypeParam()));
}

HPK_TYPED_TEST(CompatSpace, tells_whether_launches_return_early) {
  constexpr bool waits = hpk::seam::machine<TypeParam>::synchronous;
  EXPECT_EQ(TypeParam::is_asynchronous(), !waits);
  EXPECT_EQ(TypeParam::is_asynchronous(TypeParam()), !waits);
}

HPK_TYPED_TEST(CompatSpace, adds_nothing_to_an_instance) {
  EXPECT_EQ(sizeof(TypeParam), sizeof(void*));
}

HPK_TYPED_TEST(CompatSpace, waits_for_all_instances) {
  const TypeParam exec = new_instance<TypeParam>();
  const hpk::View<int, TypeParam> x(hpk::view_alloc(exec, "x"));
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1), HPK_LAMBDA(int) { x() = 3; });
  TypeParam::impl_static_fence("CompatSpace: all");
  EXPECT_TRUE(exec.idle());
  int read = 0;
  hpk::deep_copy(read, x);
  EXPECT_EQ(read, 3);
}

HPK_TYPED_TEST(CompatSpace, numbers_its_instances) {
  const TypeParam one;
  const TypeParam two = new_instance<TypeParam>();
  EXPECT_EQ(one.impl_instance_id(), TypeParam().impl_instance_id());
  EXPECT_NE(one.impl_instance_id(), two.impl_instance_id());
}

HPK_TYPED_TEST(CompatHostSpace, tells_which_worker_calls) {
  EXPECT_EQ(TypeParam::impl_hardware_thread_id(), 0);
  EXPECT_EQ(TypeParam::impl_thread_pool_rank(), 0);
  EXPECT_EQ(TypeParam::impl_thread_pool_size(), TypeParam().concurrency());
  EXPECT_EQ(TypeParam::impl_max_hardware_threads(), TypeParam().concurrency());
  TypeParam exec;
  if constexpr (std::is_constructible_v<TypeParam, int>) exec = TypeParam(4);
  const int workers = exec.concurrency();
  std::vector<std::atomic<int>> runs(static_cast<std::size_t>(workers));
  // HintHeavyWeight makes the workers run even a light kernel: one iteration each.
  const auto policy =
      hpk::Experimental::require(hpk::RangePolicy<TypeParam>(exec, 0, workers),
                                 hpk::Experimental::WorkItemProperty::HintHeavyWeight);
  hpk::parallel_for(policy, [&](int) {
    ++runs.at(static_cast<std::size_t>(TypeParam::impl_hardware_thread_id()));
  });
  for (int rank = 0; rank < workers; ++rank) EXPECT_EQ(runs[static_cast<std::size_t>(rank)], 1);
}

}  // namespace
}  // namespace hpk_test
