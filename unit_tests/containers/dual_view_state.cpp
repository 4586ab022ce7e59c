// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dual_view_state.hpp>

#include <hpk/containers/dual_view.hpp>

#include <support/spaces.hpp>

#include <thread>
#include <vector>

namespace dual_view_state_test {
namespace {

using hpk::DualView;

template <class V>
struct one_more {
  V view;
  HPK_FUNCTION void operator()(int i) const { view(i) += 1; }
};

template <class Exec>
class DualState : public testing::Test {};
TYPED_TEST_SUITE(DualState, hpk_test::spaces, hpk_test::space_names);

// In strict mode the elements reveal a missing sync on every space.
HPK_TYPED_TEST(DualState, strict_dual_views_have_two_memories) {
  using dual = DualView<int*, TypeParam>;
  EXPECT_FALSE(hpk::are_dual_views_strict());
  const bool before = hpk::set_strict_dual_views(true);
  EXPECT_FALSE(before);
  EXPECT_TRUE(hpk::are_dual_views_strict());
  dual d("d", 10);
  const DualView<int**, hpk_test::shared_device<TypeParam>> shared("shared", 2, 2);
  EXPECT_TRUE(hpk::set_strict_dual_views(before));
  EXPECT_NE(d.view_device().data(), d.view_host().data());
  EXPECT_NE(shared.view_device().data(), shared.view_host().data());
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10), one_more<typename dual::t_dev>{d.d_view});
  hpk::fence();
  EXPECT_EQ(d.view_host()(3), 0);
  d.modify_device();
  d.sync_host();
  EXPECT_EQ(d.view_host()(3), 1);
  // DualViews made later have one memory again.
  const dual usual("usual", 10);
  constexpr bool one =
      std::is_same_v<typename dual::t_dev::memory_space, typename dual::t_host::memory_space>;
  EXPECT_EQ(usual.view_device().data() == usual.view_host().data(), one);
}

HPK_TYPED_TEST(DualState, notes_may_be_taken_by_any_thread) {
  const DualView<int*, TypeParam> d("d", 10);
  std::vector<std::thread> threads;
  std::vector<int> errors(16);
  for (int t = 0; t != 16; ++t) {
    threads.emplace_back([d, t, &errors] {
      for (int k = 0; k != 200; ++k) {
        try {
          t % 2 == 0 ? d.modify_host() : d.modify_device();
        } catch (const hpk::error&) {
          ++errors[static_cast<std::size_t>(t)];
        }
        if (k % 10 == 0) d.clear_sync_state();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int all = 0;
  for (const int e : errors) all += e;
  EXPECT_LT(all, 16 * 200);
  d.clear_sync_state();
  d.modify_host();
  EXPECT_TRUE(d.need_sync_device());
  d.clear_sync_state();
}

}  // namespace
}  // namespace dual_view_state_test
