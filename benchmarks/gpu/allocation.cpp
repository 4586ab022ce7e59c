// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creating and destroying a View, compared with an allocation in stream order.
#include <rows.hpp>

namespace gpu_bench {

void allocations() {
  for (const int exponent : {10, 20, 27}) {
    const std::size_t n = std::size_t{1} << exponent;
    compare(
        {"allocate and free 2^" + std::to_string(exponent) + " doubles, by hand: MallocAsync", 0,
         20},
        [=] {
          void* memory = nullptr;
          check(GPU(MallocAsync)(&memory, n * sizeof(double), stream()), "MallocAsync");
          check(GPU(FreeAsync)(memory, stream()), "FreeAsync");
        },
        [=] { const array<double> view(hpk::view_alloc("view", hpk::WithoutInitializing), n); },
        [] { return true; });
  }
}

}  // namespace gpu_bench
