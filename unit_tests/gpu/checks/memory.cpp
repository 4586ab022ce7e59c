// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Managed memory, requests too large for any device, and a View that outlives main().
#include <checks.hpp>

#include <new>

namespace gpu_checks {

void managed_memory() {
  const int n = on_gpu(1 << 20, 1 << 10);
  const hpk::View<int*, space::shared_memory_space> view("view", n);
  hpk::parallel_for(range(n), HPK_LAMBDA(int i) { view(i) = i; });
  hpk::fence();
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += view(i);
  expect_equal("the sum of what the device wrote", sum, long{n} * (n - 1) / 2);
}

namespace {

template <class Memory>
void expect_no_memory(int exponent) {
  try {
    const hpk::View<char*, hpk::Device<space, Memory>> view(
        hpk::view_alloc("too large", hpk::WithoutInitializing), std::size_t{1} << exponent);
    fail("2^%d bytes of %s were allocated", exponent, Memory::name());
  } catch (const hpk::error& caught) {
    if (dynamic_cast<const std::bad_alloc*>(&caught) == nullptr)
      fail("the error is no std::bad_alloc: %s", caught.what());
  }
}

}  // namespace

void out_of_memory() {
  // A driver may accept requests for more managed memory than exists.
  for (const int exponent : {58, 50, 45, 42}) expect_no_memory<space::memory_space>(exponent);
  expect_no_memory<space::shared_memory_space>(58);
  expect_no_memory<space::pinned_memory_space>(50);
  const array view("view", 10);
  hpk::deep_copy(view, 3);
  expect_equal("an element of the next View", on_host(view)(9), 3);
}

// Its memory is freed after main() has returned; the exit code shows the result.
void view_after_main() {
  static array kept;
  kept = array("kept", 1000);
  hpk::deep_copy(kept, 3);
}

}  // namespace gpu_checks
