// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings that reach a backend. The tests of runtime/ cover their origins.
#include <hpk/seam/settings.hpp>

#include <hpk/core.hpp>

#include <gtest/gtest.h>

namespace seam_settings_test {
namespace {

TEST(SeamSettings, ask_for_nothing_by_default) {
  constexpr hpk::seam::settings none;
  static_assert(none.num_threads <= 0 && none.device_id < 0);
  static_assert(!none.disable_warnings && !none.pin_workers);
}

TEST(SeamSettings, carry_what_initialize_was_told) {
  hpk::initialize(hpk::InitializationSettings()
                      .set_num_threads(1)
                      .set_device_id(3)
                      .set_disable_warnings(true)
                      .set_pin_threads(true));
  const hpk::seam::settings current = hpk::seam::current_settings();
  hpk::finalize();
  EXPECT_EQ(current.num_threads, 1);
  EXPECT_EQ(current.device_id, 3);
  EXPECT_TRUE(current.disable_warnings);
  EXPECT_TRUE(current.pin_workers);
}

}  // namespace
}  // namespace seam_settings_test
