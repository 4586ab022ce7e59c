// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that fails: the next fence throws with the kernel's label. After that the destruction of
// instances and guards throws nothing, global fences do not throw again, and host spaces still
// work.
#include <checks.hpp>

#include <cstdio>
#include <string_view>

namespace gpu_checks {
namespace {

void launch_failing_kernel(const space& exec) {
  hpk::parallel_for(
      "gives up", hpk::RangePolicy<space>(exec, 0, 1),
      HPK_LAMBDA(int) { hpk::abort("on purpose"); });
}

void give_up(const space& exec) {
  launch_failing_kernel(exec);
  exec.fence();
}

template <class Work>
void expect_error_of_kernel(const Work& work) {
  try {
    work();
    fail("the fence did not throw");
  } catch (const hpk::error& caught) {
    const std::string_view text = caught.what();
    std::printf("  thrown: %s\n", caught.what());
    if (text.find("ynchronize failed") == text.npos || text.find("gives up") == text.npos)
      fail("that is not the error of the kernel");
  }
  const hpk::View<int*, hpk::HostSpace> view("view", 100);
  hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 100),
                    [=](int i) { view(i) = i; });
  expect_equal("an element that a host space wrote afterwards", view(99), 99);
}

}  // namespace

void error_of_kernel() {
  expect_error_of_kernel([] { give_up(space()); });
}
void error_in_instance() {
  expect_error_of_kernel([] { give_up(space(hpk::NewInstance{})); });
}
void error_in_guard() {
  expect_error_of_kernel([] {
    const hpk::ScopeGuard guard;
    give_up(space());
  });
}
void error_in_global_fence() {
  expect_error_of_kernel([] {
    launch_failing_kernel(space());
    hpk::fence();
  });
  hpk::fence();
}

}  // namespace gpu_checks
