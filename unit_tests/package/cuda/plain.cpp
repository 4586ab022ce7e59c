// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files compiled without nvcc may do everything except launch on Cuda. Without a GPU the first use
// of Cuda reports that, and host spaces continue to work. The exit code is 1 if a result is wrong.
#include <hpk/core.hpp>

#include <cstdio>
#include <cstring>

namespace {

template <class Space>
using array = hpk::View<double*, Space>;

// Copies elements to the device and back, fills and copies them there, and checks each element.
template <class Space>
bool round_trip() {
  const array<Space> a("a", 1001);
  const array<Space> b(hpk::view_alloc("b", hpk::WithoutInitializing), 1001);
  const auto mirror = hpk::create_mirror(a);
  for (int i = 0; i < 1001; ++i) mirror(i) = i;
  hpk::deep_copy(a, mirror);
  hpk::deep_copy(b, 2.5);
  const auto filled = hpk::create_mirror_view_and_copy(hpk::HostSpace(), b);
  hpk::deep_copy(b, a);
  const auto copied = hpk::create_mirror_view_and_copy(hpk::HostSpace(), b);
  for (int i = 0; i < 1001; ++i) {
    if (filled(i) != 2.5 || copied(i) != i) return false;
  }
  return true;
}

bool says(const hpk::error& caught, const char* piece) {
  if (std::strstr(caught.what(), piece) != nullptr) return true;
  std::printf("unexpected: %s\n", caught.what());
  return false;
}

}  // namespace

int main() {
  static_assert(std::is_same_v<hpk::DefaultExecutionSpace, hpk::Cuda>);
  static_assert(
      !hpk::SpaceAccessibility<hpk::DefaultHostExecutionSpace, hpk::CudaSpace>::accessible);
  static_assert(hpk::SpaceAccessibility<hpk::Cuda, hpk::CudaHostPinnedSpace>::accessible);
  bool well = true;
  if (hpk::num_devices() == 0) {
    try {
      round_trip<hpk::Cuda>();
      well = false;
    } catch (const hpk::error& caught) {
      well = says(caught, "hpk::Cuda: there is no device to run on (cudaGetDeviceCount: ") &&
             says(caught, "ask hpk::num_devices() first") && hpk::device_id() == -1;
    }
    // The configuration can still be printed.
    well = well && hpk::configuration().find("not available") != std::string::npos;
  } else {
    well = round_trip<hpk::Cuda>() && round_trip<hpk::CudaUVMSpace>() &&
           round_trip<hpk::CudaHostPinnedSpace>();
  }
  using host = hpk::DefaultHostExecutionSpace;
  const hpk::View<int*, host> numbers("numbers", 100);
  hpk::parallel_for(hpk::RangePolicy<host>(0, 100), HPK_LAMBDA(int i) { numbers(i) = i; });
  int sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<host>(0, 100), HPK_LAMBDA(int i, int& s) { s += numbers(i); }, sum);
  std::printf("on the host: %d\n", sum);
  hpk::fence();
  return well && sum == 4950 ? 0 : 1;
}
