// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/emu.hpp>

#include <hpk/backends/emu/profile/launch_sample.hpp>
#include <hpk/backends/gpu/new_machine.hpp>
#include <hpk/base/text.hpp>
#include <hpk/spaces/device.hpp>

namespace hpk {

Emu::Emu(NewInstance what) : space_base(gpu::new_machine<Emu>(what)) {}

namespace seam {

namespace {
constinit seam::default_instance<machine<Emu>> default_machine;
}  // namespace

machine<Emu>& machine<Emu>::default_instance() {
  return default_machine.get([] { return gpu::new_machine<Emu>(); });
}

int machine<Emu>::device_count() noexcept { return emu::current_options().devices; }

void machine<Emu>::start(const settings& s) {
  default_machine.reset();
  emu::set_options(s);
  emu::forget_samples();
}

void machine<Emu>::stop() noexcept {
  default_machine.reset();
  emu::forget_options();
}

void machine<Emu>::describe_device(DeviceProperties& found) const {
  found.device = device();
  found.name = (detail::text() << "emulated GPU " << found.device << " on " << found.name).str();
}

void machine<Emu>::describe(fact_sink& sink) const {
  const emu::options& o = emu::current_options();
  sink.section("Emu");
  sink.fact("workers", (detail::text() << o.workers).str());
  sink.fact("check", std::string(emu::name_of(o.check)));
  sink.fact("subgroup", (detail::text() << o.subgroup).str());
  sink.fact("seed", (detail::text() << o.seed).str());
  sink.fact("devices", (detail::text() << o.devices).str());
}

}  // namespace seam
}  // namespace hpk
