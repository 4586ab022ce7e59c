// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error for host code that accesses an element of device memory.
#include <hpk/backends/gpu/memory.hpp>

#include <support/spaces.hpp>

namespace hpk_test::gpu_memory_cases {

constexpr const char* advice =
    "; read it on the host through hpk::create_mirror_view and hpk::deep_copy, or in a kernel";

TEST(GpuMemory, names_the_element_that_host_code_touches) {
  hpk::seam::allocation_record record;
  record.label = "field";
  record.space = "Cuda";
  const hpk::index_t index[] = {3, 4};
  const hpk::index_t extents[] = {10, 20};
  EXPECT_EQ(
      error_of([&] { hpk::gpu::reject_host_access({nullptr, 8, &record, 2, index, extents}); }),
      std::string("hpk::View \"field\" in CudaSpace: host code accesses element (3, 4)") + advice);
  EXPECT_EQ(
      error_of([&] { hpk::gpu::reject_host_access({nullptr, 8, nullptr, 0, index, extents}); }),
      std::string("hpk::View (wrapped memory) on a device: host code accesses element ()") +
          advice);
}

}  // namespace hpk_test::gpu_memory_cases
