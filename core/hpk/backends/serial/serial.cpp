// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/serial/serial.hpp>

#include <hpk/tools/started_backends.hpp>

namespace hpk {

Serial::Serial(NewInstance what) : space(new seam::machine<Serial>(what)) {}

namespace seam {

machine<Serial>::machine(const NewInstance& what) {
  host::check_request(what, Serial::name());
  register_backend(&fence_all, tool_id());
}

constinit default_instance<machine<Serial>> machine<Serial>::only_;

machine<Serial>& machine<Serial>::first_use() {
  return only_.get([] { return new machine; });
}

void machine<Serial>::start(const settings&) {}
void machine<Serial>::stop() noexcept {}

void machine<Serial>::describe(fact_sink& sink) const {
  sink.section("Serial");
  sink.fact("workers", "1, the calling thread");
}

void machine<Serial>::run(const host::erased_launch& launched) { host::run_groups(0, 1, launched); }

}  // namespace seam
}  // namespace hpk
