// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/options.hpp>

#include <hpk/backends/gpu/device.hpp>
#include <hpk/backends/host/topology.hpp>
#include <hpk/base/text.hpp>

namespace hpk::emu {

namespace {

options read(const seam::settings& from) {
  options o;
  o.seed = static_cast<std::uint64_t>(seam::backend_value(from, "emu-seed"));
  o.subgroup = static_cast<int>(seam::backend_value(from, "emu-subgroup"));
  o.delay = seam::backend_value(from, "emu-delay") != 0;
  o.races = seam::backend_value(from, "emu-races") != 0;
  o.devices = static_cast<int>(seam::backend_value(from, "emu-devices"));
  o.device = gpu::choose_device(from, o.devices, "Emu");
  // Lanes that are watched run one after another.
  o.workers = o.races ? 1 : host::worker_count(from.num_threads);
  return o;
}

options& in_force() {
  static options o = read(seam::current_settings());
  return o;
}

}  // namespace

const options& current_options() { return in_force(); }

void set_options(const seam::settings& from) { in_force() = read(from); }

std::string replay() {
  const options& o = current_options();
  return (detail::text() << "HPK_EMU_SEED=" << o.seed << " HPK_EMU_SUBGROUP=" << o.subgroup
                         << " HPK_EMU_RACES=" << (o.races ? 1 : 0)
                         << " HPK_EMU_DELAY=" << (o.delay ? 1 : 0)
                         << " HPK_EMU_DEVICES=" << o.devices << " HPK_NUM_THREADS=" << o.workers)
      .str();
}

}  // namespace hpk::emu
