// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of devices reach the program as hpk::error, once and with the kernel's name, and leave
// host spaces and destructors alone.
#include <gpu/pretend/support.hpp>

namespace hpk_test::pretend_error_cases {

using Errors = Pretend;

TEST_F(Errors, a_failed_kernel_is_named_by_the_fence_of_its_instance) {
  const gpu_space exec(hpk::NewInstance{});
  pretend::fail_kernel();
  hpk::parallel_for("gives up", hpk::RangePolicy<gpu_space>(exec, 0, 10), HPK_LAMBDA(int){});
  expect_error([&] { exec.fence(); }, {"StreamSynchronize failed: unspecified launch failure",
                                       "\"gives up\"", "errors.cpp:"});
  EXPECT_EQ(pretend::launches().size(), 1u);
}

TEST_F(Errors, no_device_is_an_error_with_the_reason_of_the_library) {
  pretend::set_devices(0, pretend::insufficient_driver);
  expect_error([] { gpu_space().fence(); },
               {"there is no device to run on", "driver is insufficient"});
  hpk::View<int*, hpk::HostSpace> host("host", 10);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 10),
                    [=](int i) { host(i) = i; });
  EXPECT_EQ(host(9), 9);
}

TEST_F(Errors, memory_of_each_kind_is_exhausted) {
  for (const auto kind : {pretend::memory::pool, pretend::memory::device, pretend::memory::managed,
                          pretend::memory::pinned})
    pretend::set_limit(kind, 1000);
  expect_error([] { hpk::View<double*, device_space> v("large", 1000); }, {"\"large\""});
  expect_error([] { hpk::View<double*, managed_space> v("large", 1000); }, {"\"large\""});
  expect_error([] { hpk::View<double*, pinned_space> v("large", 1000); }, {"\"large\""});
}

}  // namespace hpk_test::pretend_error_cases
