// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/serial/serial.hpp>

namespace hpk {

Serial::Serial(NewInstance) : space(new seam::machine<Serial>) {}

namespace seam {

machine<Serial>& machine<Serial>::default_instance() {
  // Never destroyed: a static View may outlive every other static.
  static machine& only = *new machine;
  return only;
}

void machine<Serial>::start(const settings&) {}
void machine<Serial>::stop() noexcept {}

void machine<Serial>::describe(fact_sink& sink) const {
  sink.section("Serial");
  sink.fact("workers", "1, the calling thread");
}

void machine<Serial>::run(const seam::shape& shape, host::group_body body,
                          const launch_info& info) {
  host::failure_log failures;
  host::run_share(0, 1, shape, body, info, failures);
  failures.rethrow_lowest();
}

}  // namespace seam
}  // namespace hpk
