// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam between emulated devices and their profile: there is no listener by default.
#include <support/test.hpp>

#include <hpk/seam/device_profile.hpp>

namespace hpk_test::device_profile_cases {

TEST(DeviceProfile, is_not_there_unless_asked_for) {
  EXPECT_EQ(hpk::seam::current_device_profile.load(hpk::detail::memory_order::acquire), nullptr);
  const hpk::seam::device_profile plain;
  EXPECT_EQ(plain.on_launch, nullptr);
  EXPECT_EQ(plain.on_copy, nullptr);
}

}  // namespace hpk_test::device_profile_cases
