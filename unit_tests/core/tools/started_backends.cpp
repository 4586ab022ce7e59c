// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The global fence reaches every backend that has started.
#include <hpk/tools/started_backends.hpp>

#include <support/test.hpp>

#include <hpk/core.hpp>

namespace started_backends_test {
namespace {

int fence_calls = 0;
void count_fence() { ++fence_calls; }

TEST(GlobalFence, reaches_a_registered_backend_once) {
  hpk::seam::register_backend(&count_fence);
  hpk::seam::register_backend(&count_fence);
  fence_calls = 0;
  hpk::seam::fence_all_backends();
  EXPECT_EQ(fence_calls, 1);
  hpk::fence();
  EXPECT_EQ(fence_calls, 2);
}

}  // namespace
}  // namespace started_backends_test
