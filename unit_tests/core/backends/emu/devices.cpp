// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several emulated devices: each has separate memory, which kernels of other devices cannot access.
#include <hpk/device.hpp>

#include <support/spaces.hpp>

namespace hpk_test::emu_devices_cases {

using hpk::Emu;
using hpk::NewInstance;

class EmuDevices : public testing::Test {
 protected:
  EmuDevices() { hpk::initialize(hpk::InitializationSettings().set_option("emu-devices", 3)); }
  ~EmuDevices() override { hpk::finalize(); }
};
class EmuDevicesDeathTest : public EmuDevices {
 protected:
  EmuDevicesDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

struct add_one {
  hpk::View<int*, Emu> view;
  HPK_FUNCTION void operator()(int i) const { view(i) += 1; }
};

hpk::View<int*, Emu> view_on(const Emu& exec) {
  return hpk::View<int*, Emu>(hpk::view_alloc("field", exec), 100);
}

TEST_F(EmuDevices, work_on_memory_of_their_own) {
  hpk::View<int*, Emu> previous;
  for (const int device : {0, 1, 2}) {
    const Emu exec(NewInstance{.device = device});
    EXPECT_EQ(exec.instance().device(), device);
    const auto local = view_on(exec);
    // Copies from device to device.
    if (previous.data() != nullptr) hpk::deep_copy(exec, local, previous);
    hpk::parallel_for(hpk::RangePolicy<Emu>(exec, 0, 100), add_one{local});
    int sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<Emu>(exec, 0, 100), HPK_LAMBDA(int i, int& s) { s += local(i); }, sum);
    EXPECT_EQ(sum, 100 * (device + 1));
    EXPECT_EQ(on_host(local)(99), device + 1);
    EXPECT_EQ(hpk::device_of<hpk::EmuSpace>(local.data() + 50), device);
    previous = local;
  }
}

TEST_F(EmuDevices, share_managed_and_pinned_memory) {
  const hpk::View<int*, hpk::Device<Emu, hpk::EmuManagedSpace>> managed("managed", 100);
  const Emu last(NewInstance{.device = 2});
  hpk::parallel_for(hpk::RangePolicy<Emu>(last, 0, 100), HPK_LAMBDA(int i) { managed(i) = i; });
  last.fence();
  const Emu middle(NewInstance{.device = 1});
  hpk::parallel_for(hpk::RangePolicy<Emu>(middle, 0, 100), HPK_LAMBDA(int i) { managed(i) += 1; });
  middle.fence();
  EXPECT_EQ(managed(99), 100);
}

TEST_F(EmuDevices, copy_through_buffers_of_their_own) {
  const Emu last(NewInstance{.device = 2});
  const hpk::View<int**, hpk::LayoutLeft, Emu> there(hpk::view_alloc("there", last), 4, 5);
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> here("here", 4, 5);
  for (int k = 0; k < 20; ++k) here(k / 5, k % 5) = k;
  const auto inner = hpk::subview(there, std::pair(1, 3), hpk::ALL);
  hpk::deep_copy(last, inner, hpk::subview(here, std::pair(0, 2), hpk::ALL));
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> back("back", 4, 5);
  hpk::deep_copy(last, back, there);
  last.fence();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) EXPECT_EQ(back(i, j), i == 1 || i == 2 ? here(i - 1, j) : 0);
  }
}

TEST_F(EmuDevices, are_named_when_there_is_none) {
  EXPECT_EQ(error_of([] { const Emu none(NewInstance{.device = 3}); }),
            "hpk::Emu: device 3 was asked for, but there are 3, from device 0 on");
}

TEST_F(EmuDevicesDeathTest, touching_memory_of_another_is_reported) {
  // One group only, because with several groups the first error could come from any of them.
  EXPECT_DEATH(
      {
        const auto other = view_on(Emu(NewInstance{.device = 1}));
        hpk::parallel_for("cross", hpk::RangePolicy<Emu>(0, 32), add_one{other});
        hpk::fence();
      },
      "a kernel on device 0 accesses memory of device 1: byte 0 of View \"field\"(.|\n)*"
      "kernel: parallel_for \"cross\"(.|\n)*HPK_EMU_DEVICES=3");
}

TEST_F(EmuDevicesDeathTest, touching_memory_of_another_by_a_pointer_is_reported) {
  EXPECT_DEATH(
      {
        const auto other = view_on(Emu(NewInstance{.device = 2}));
        int* const data = other.data();
        hpk::parallel_for(hpk::RangePolicy<Emu>(0, 100), HPK_LAMBDA(int i) { data[i] = i; });
        hpk::fence();
      },
      "a kernel on device 0 accesses memory of device 2");
}

TEST(EmuDevice, is_the_one_that_the_settings_choose) {
  hpk::initialize(hpk::InitializationSettings().set_option("emu-devices", 4).set_device_id(2));
  EXPECT_EQ(Emu().instance().device(), 2);
  EXPECT_EQ(hpk::seam::machine<Emu>::device_count(), 4);
  const hpk::View<int*, Emu> view("view", 100);
  hpk::parallel_for(hpk::RangePolicy<Emu>(0, 100), add_one{view});
  EXPECT_EQ(on_host(view)(0), 1);
  hpk::finalize();
}

}  // namespace hpk_test::emu_devices_cases
