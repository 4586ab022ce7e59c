// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before: alpaka, the product of two matrices. hpk does not depend on alpaka, so this file is not
// compiled; its calls follow alpaka's documentation. alpaka_after.cpp is the same program in hpk.
#include <alpaka/alpaka.hpp>

#include <cstdio>
#include <vector>

using Dim = alpaka::DimInt<2>;
using Idx = int;
using Vec = alpaka::Vec<Dim, Idx>;
using Acc = alpaka::AccCpuOmp2Blocks<Dim, Idx>;

constexpr Idx rows = 90, columns = 70, inner = 50;

struct Multiply {
  template <typename TAcc>
  ALPAKA_FN_ACC void operator()(TAcc const& acc, double const* a, double const* b,
                                double* c) const {
    auto const thread = alpaka::getIdx<alpaka::Grid, alpaka::Threads>(acc);
    auto const elements = alpaka::getWorkDiv<alpaka::Thread, alpaka::Elems>(acc);
    // A thread computes `elements` entries; the grid may be larger than the matrix.
    for (Idx i = thread[0] * elements[0]; i < (thread[0] + 1) * elements[0]; ++i)
      for (Idx j = thread[1] * elements[1]; j < (thread[1] + 1) * elements[1]; ++j) {
        if (i >= rows || j >= columns) continue;
        double sum = 0;
        for (Idx k = 0; k < inner; ++k) sum += a[i * inner + k] * b[k * columns + j];
        c[i * columns + j] = sum;
      }
  }
};

int main() {
  auto const platform = alpaka::Platform<Acc>{};
  auto const device = alpaka::getDevByIdx(platform, 0);
  auto const host_platform = alpaka::PlatformCpu{};
  auto const host = alpaka::getDevByIdx(host_platform, 0);
  auto queue = alpaka::Queue<Acc, alpaka::NonBlocking>{device};

  using Line = alpaka::Vec<alpaka::DimInt<1>, Idx>;
  auto a = alpaka::allocBuf<double, Idx>(device, Line(rows * inner));
  auto b = alpaka::allocBuf<double, Idx>(device, Line(inner * columns));
  auto c = alpaka::allocBuf<double, Idx>(device, Line(rows * columns));
  std::vector<double> host_a(rows * inner), host_b(inner * columns), host_c(rows * columns);
  for (Idx i = 0; i < rows * inner; ++i) host_a[i] = i % 7;
  for (Idx i = 0; i < inner * columns; ++i) host_b[i] = i % 5;
  alpaka::memcpy(queue, a, alpaka::createView(host, host_a.data(), Line(rows * inner)));
  alpaka::memcpy(queue, b, alpaka::createView(host, host_b.data(), Line(inner * columns)));

  // Blocks of one thread, which this accelerator requires, with 8 x 16 elements each.
  auto const elements = Vec(8, 16);
  auto const blocks = Vec((rows + 7) / 8, (columns + 15) / 16);
  auto const division = alpaka::WorkDivMembers<Dim, Idx>(blocks, Vec::all(1), elements);
  alpaka::exec<Acc>(queue, division, Multiply{}, alpaka::getPtrNative(a), alpaka::getPtrNative(b),
                    alpaka::getPtrNative(c));

  auto view_c = alpaka::createView(host, host_c.data(), Line(rows * columns));
  alpaka::memcpy(queue, view_c, c);
  alpaka::wait(queue);

  bool right = true;
  for (Idx i = 0; i < rows; ++i)
    for (Idx j = 0; j < columns; ++j) {
      double sum = 0;
      for (Idx k = 0; k < inner; ++k) sum += host_a[i * inner + k] * host_b[k * columns + j];
      right = right && host_c[i * columns + j] == sum;
    }
  std::printf("%s: %s\n", alpaka::getAccName<Acc>().c_str(), right ? "right" : "wrong");
  return right ? 0 : 1;
}
