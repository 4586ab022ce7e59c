// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device a process uses: the requested one, otherwise the one for its rank on the machine.
#include <hpk/backends/gpu/device.hpp>

#include <support/environment.hpp>
#include <support/spaces.hpp>

namespace hpk_test::gpu_device_cases {

using hpk::gpu::choose_device;
using hpk::gpu::local_rank;

constexpr const char* ranks[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "PMI_LOCAL_RANK",
    "PALS_LOCAL_RANKID",          "SLURM_LOCALID",   "FLUX_TASK_LOCAL_ID"};

TEST(GpuDevice, is_the_first_without_a_hint) {
  EXPECT_EQ(local_rank(), -1);
  EXPECT_EQ(choose_device({}, 4, "Gpu"), 0);
}

TEST(GpuDevice, follows_the_rank_on_the_machine) {
  for (const char* name : ranks) {
    const variable rank(name, "6");
    EXPECT_EQ(local_rank(), 6) << name;
    EXPECT_EQ(choose_device({}, 4, "Gpu"), 2);
    EXPECT_EQ(choose_device({}, 8, "Gpu"), 6);
  }
  const variable odd("SLURM_LOCALID", "2a");
  EXPECT_EQ(local_rank(), -1);
}

TEST(GpuDevice, is_the_one_that_is_asked_for) {
  hpk::seam::settings s;
  s.device_id = 3;
  const variable rank("SLURM_LOCALID", "1");
  EXPECT_EQ(choose_device(s, 4, "Gpu"), 3);
  EXPECT_EQ(error_of([&] { choose_device(s, 2, "Gpu"); }),
            "hpk::Gpu: device 3 was asked for, but there are 2, from device 0 on");
  EXPECT_EQ(error_of([&] { choose_device(s, 1, "Gpu"); }),
            "hpk::Gpu: device 3 was asked for, but there is 1, device 0");
}

}  // namespace hpk_test::gpu_device_cases
