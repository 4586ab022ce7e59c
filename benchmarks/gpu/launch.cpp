// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch of an empty kernel.
#include <rows.hpp>

namespace gpu_bench {
namespace {

__global__ void nothing_by_hand() {}

}  // namespace

void launches() {
  const auto agree = [] { return true; };
  compare(
      {"launch, 1000 in a row", 0.8, 1000}, [] { nothing_by_hand<<<1, 256, 0, stream()>>>(); },
      [] { hpk::parallel_for("nothing", range(1), HPK_LAMBDA(index_t){}); }, agree);
  compare(
      {"launch and fence", 0.85, 200},
      [] {
        nothing_by_hand<<<1, 256, 0, stream()>>>();
        check(GPU(StreamSynchronize)(stream()), "StreamSynchronize");
      },
      [] {
        hpk::parallel_for("nothing", range(1), HPK_LAMBDA(index_t){});
        space().fence();
      },
      agree);
}

}  // namespace gpu_bench
