// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/serial/serial.hpp>

namespace hpk {

Serial::Serial(NewInstance) : space(new seam::machine<Serial>) {}

namespace seam {

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
