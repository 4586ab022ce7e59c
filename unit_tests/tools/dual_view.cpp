// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose DualView events a tool library records for the tests.
#include <hpk/containers/dual_view.hpp>
#include <hpk/profiling.hpp>

int main(int argc, char* argv[]) {
  const hpk::ScopeGuard guard(argc, argv);
  hpk::set_strict_dual_views(true);
  hpk::DualView<double*, hpk::Serial> d("d", 10);
  hpk::Tools::markEvent("begin");
  d.sync_host();  // no copy, no event
  d.modify_host();
  d.sync_device();
  d.modify_device();
  d.sync_host();
  hpk::Tools::markEvent("shared");
  hpk::set_strict_dual_views(false);
  hpk::DualView<double*, hpk::Serial> one("one memory", 10);
  one.modify_device();
  one.sync_host();
  hpk::Tools::modifyDualView("mine", &d, false);
  hpk::Tools::markEvent("end");
}
