// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The global fence reaches every backend that has started.
#include <hpk/tools/started_backends.hpp>

#include <support/test.hpp>

#include <hpk/core.hpp>

#include <stdexcept>

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

int shared_calls = 0;
void count_shared() { ++shared_calls; }
int reports = 0;

// Tools get an event for each backend. Backends that share a fence share one call.
TEST(GlobalFence, is_made_once_for_backends_that_share_it) {
  hpk::seam::register_backend(&count_shared, 100u << 24);
  hpk::seam::register_backend(&count_fence);
  hpk::seam::register_backend(&count_shared, 101u << 24);
  fence_calls = shared_calls = 0;
  hpk::fence();
  EXPECT_EQ(shared_calls, 1);
  EXPECT_EQ(fence_calls, 1);
  hpk::Tools::Experimental::set_begin_fence_callback(
      [](const char*, std::uint32_t device, std::uint64_t*) {
        reports += device >> 24 >= 100 ? 1 : 0;
      });
  hpk::fence();
  hpk::Tools::Experimental::set_begin_fence_callback(nullptr);
  EXPECT_EQ(reports, 2);
  EXPECT_EQ(fence_calls, 2);
}

// The backend stays registered during later tests, so it fails only on request.
bool fails = false;
void fail() {
  if (fails) throw std::runtime_error("the first");
}

TEST(GlobalFence, waits_for_the_others_if_one_fails) {
  hpk::seam::register_backend(&fail, 102u << 24);
  hpk::seam::register_backend(&count_shared, 103u << 24);
  hpk::seam::register_backend(&count_fence);
  shared_calls = fence_calls = 0;
  fails = true;
  EXPECT_THROW(hpk::fence(), std::runtime_error);
  fails = false;
  EXPECT_GE(shared_calls, 1);
  EXPECT_GE(fence_calls, 1);
}

}  // namespace
}  // namespace started_backends_test
