// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of hpk as arguments of kernels. device_layout.py compares the offset of the member after
// each object in device code with the offset in host code.
#include <hpk/core.hpp>
#include <hpk/mdspan.hpp>

namespace device_layout_test {

template <class T>
struct before_number {
  T object;
  int number;
  __host__ __device__ before_number() : object(), number() {}
};

struct nothing {};
// nvcc 13 gives this type different layouts in host and device code; the script must detect it.
struct with_attribute {
  int* data;
  [[no_unique_address]] nothing member;
};

}  // namespace device_layout_test

using namespace device_layout_test;

// Writes the offset that the front end of the compiler computes, which is that of host code, and
// reads the member at the offset that the back end computes.
template <class T>
__global__ void read_behind(before_number<T> argument, int* out) {
  out[0] = __builtin_offsetof(before_number<T>, number);
  out[1] = argument.number;
}

using unmanaged = hpk::MemoryTraits<hpk::Unmanaged>;
using space = hpk::HostSpace;
template __global__ void read_behind<with_attribute>(before_number<with_attribute>, int*);

#define HPK_TEST_LAYOUT(...) \
  template __global__ void read_behind<__VA_ARGS__>(before_number<__VA_ARGS__>, int*);
HPK_TEST_LAYOUT(hpk::View<double, space>)
HPK_TEST_LAYOUT(hpk::View<double*, space>)
HPK_TEST_LAYOUT(hpk::View<double**, hpk::LayoutLeft, space>)
HPK_TEST_LAYOUT(hpk::View<double**, hpk::LayoutRight, space>)
HPK_TEST_LAYOUT(hpk::View<double***, hpk::LayoutStride, space>)
HPK_TEST_LAYOUT(hpk::View<double, hpk::LayoutStride, space>)
HPK_TEST_LAYOUT(hpk::View<double* [3], space>)
HPK_TEST_LAYOUT(hpk::View<double[3][4], space>)
HPK_TEST_LAYOUT(hpk::View<double, space, unmanaged>)
HPK_TEST_LAYOUT(hpk::View<double*, space, unmanaged>)
HPK_TEST_LAYOUT(hpk::View<double[3], space, unmanaged>)
HPK_TEST_LAYOUT(hpk::View<const double*, space, hpk::MemoryTraits<hpk::RandomAccess>>)
HPK_TEST_LAYOUT(hpk::View<double, hpk::dextents<int, 2>, hpk::LayoutRight, space>)
HPK_TEST_LAYOUT(hpk::View<double, hpk::dextents<short, 1>, hpk::LayoutStride, space, unmanaged>)
HPK_TEST_LAYOUT(hpk::View<double, hpk::extents<int, 5, hpk::dynamic_extent>, space, unmanaged>)
HPK_TEST_LAYOUT(hpk::View<double, hpk::extents<int, 5, 7>, hpk::LayoutLeft, space, unmanaged>)
HPK_TEST_LAYOUT(hpk::mdspan<int, hpk::dextents<int, 2>>)
HPK_TEST_LAYOUT(hpk::mdspan<int, hpk::extents<int, 2, 2>>)
HPK_TEST_LAYOUT(hpk::complex<double>)
HPK_TEST_LAYOUT(hpk::Array<int, 3>)
HPK_TEST_LAYOUT(hpk::Array<int, 0>)
HPK_TEST_LAYOUT(hpk::pair<char, nothing>)
