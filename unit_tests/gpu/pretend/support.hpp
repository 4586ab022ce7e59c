// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The space with the pretend runtime, and shared code of the tests. Each test file is compiled once
// for Cuda and once for HIP.
#pragma once

#if HPK_PRETEND_HIP
#include <hip/hip_runtime_api.h>
#include <hpk/backends/hip/hip.hpp>
#else
#include <cuda_runtime.h>
#include <hpk/backends/cuda/cuda.hpp>
#endif

#include <hpk/core.hpp>

#include <gpu/pretend/control.hpp>
#include <support/spaces.hpp>

#include <cstdlib>

namespace hpk_test {

#if HPK_PRETEND_HIP
using gpu_space = hpk::HIP;
using device_space = hpk::HIPSpace;
using managed_space = hpk::HIPManagedSpace;
using pinned_space = hpk::HIPHostPinnedSpace;
using gpu_runtime = hpk::hip::runtime;
inline constexpr const char* prefix = "hip";
inline hipStream_t stream_of(const hpk::HIP& exec) { return exec.hip_stream(); }
inline int device_of(const hpk::HIP& exec) { return exec.hip_device(); }
#else
using gpu_space = hpk::Cuda;
using device_space = hpk::CudaSpace;
using managed_space = hpk::CudaUVMSpace;
using pinned_space = hpk::CudaHostPinnedSpace;
using gpu_runtime = hpk::cuda::runtime;
inline constexpr const char* prefix = "cuda";
inline cudaStream_t stream_of(const hpk::Cuda& exec) { return exec.cuda_stream(); }
inline int device_of(const hpk::Cuda& exec) { return exec.cuda_device(); }
#endif
using gpu_machine = hpk::seam::machine<gpu_space>;

/// Starts each test with working devices, and checks that it leaves nothing allocated.
class Pretend : public testing::Test {
 protected:
  Pretend() {
    pretend::reset();
    // Its streams for allocations live as long as the program.
    gpu_space().fence();
    gpu_machine::stop();
    before_ = pretend::alive();
    pretend::reset();
  }
  ~Pretend() override {
    gpu_machine::stop();
    const pretend::living left = pretend::alive();
    EXPECT_LE(left.streams, before_.streams + devices_);
    EXPECT_EQ(left.events, before_.events);
    EXPECT_EQ(left.graphs, before_.graphs);
    EXPECT_EQ(left.executables, before_.executables);
    EXPECT_EQ(left.captures, 0);
    EXPECT_EQ(left.blocks, before_.blocks);
    EXPECT_EQ(left.bytes, before_.bytes);
    EXPECT_EQ(pretend::misuses(), std::vector<std::string>());
    pretend::reset();
  }
  /// Declares that the test uses this many devices for the first time.
  void uses_devices(int count) { devices_ = count; }

 private:
  pretend::living before_;
  int devices_ = 0;
};

/// Expects that a function returns in a separate process, in which no test has used a device, and
/// that this process then ends normally.
template <class Body>
void expect_in_new_process(const Body& body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [&] {
    body();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

}  // namespace hpk_test
