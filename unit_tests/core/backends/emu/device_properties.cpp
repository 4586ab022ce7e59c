// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties that emulated devices report.
#include <hpk/device.hpp>

#include <support/spaces.hpp>

namespace hpk_test::emu_device_properties_cases {

TEST(EmuDeviceProperties, tell_devices_apart) {
  hpk::initialize(
      hpk::InitializationSettings().set_option("emu-devices", 3).set_option("emu-subgroup", 16));
  EXPECT_EQ(hpk::num_devices<hpk::Emu>(), 3);
  const auto all = hpk::devices<hpk::Emu>();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].device, 2);
  EXPECT_EQ(all[2].warp_size, 16);
  EXPECT_TRUE(all[2].name.starts_with("emulated GPU 2 on "));
  hpk::finalize();
}

}  // namespace hpk_test::emu_device_properties_cases
