// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/options.hpp>

#include <hpk/backends/gpu/device.hpp>
#include <hpk/backends/host/topology.hpp>
#include <hpk/base/file_settings.hpp>
#include <hpk/seam/device_profile.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace hpk::emu {

namespace {

options read(const seam::settings& from) {
  options o;
  o.check = static_cast<check_level>(seam::backend_value(from, "emu-check"));
  const int all = o.check == check_level::all ? 1 : 0;  // default of the options below
  o.seed = static_cast<std::uint64_t>(seam::backend_value(from, "emu-seed", all));
  o.subgroup = static_cast<int>(seam::backend_value(from, "emu-subgroup"));
  o.delay = seam::backend_value(from, "emu-delay", all) != 0;
  o.races = seam::backend_value(from, "emu-races", all) != 0;
  o.mirrors = seam::backend_value(from, "emu-mirrors", all) != 0;
  o.captures = seam::backend_value(from, "emu-captures", all) != 0;
  o.devices = static_cast<int>(seam::backend_value(from, "emu-devices"));
  // Ignores a device number that only the machine's real GPUs have.
  seam::settings emu_settings = from;
  if (emu_settings.device_id >= o.devices) emu_settings.device_id = -1;
  o.device = gpu::choose_device(emu_settings, o.devices, "Emu");
  // Lanes that are watched for races run one after another.
  o.workers = o.races ? 1 : host::with_note(host::worker_count(from.num_threads), from);
  return o;
}

// Read on first use, and again after a stop.
struct known_options {
  std::mutex guard;
  std::atomic<bool> known{false};
  options values;
};
known_options& in_force() {
  static known_options& only = *new known_options;
  return only;
}

constinit std::atomic<bool> is_used{false};

// A program that was not compiled for Emu would pass all detectors.
void warn_if_unused() {
  if (is_used.load() || seam::current_settings().disable_warnings) return;
  std::fputs(
      "hpk: HPK_EMU_CHECK has no effect: the program did not use Emu; to run its kernels there, "
      "compile it with -DHPK_DEFAULT_EXECUTION_SPACE=hpk::Emu\n",
      stderr);
}

// Registers before static objects of the program exist, whose destructors may use Emu.
HPK_DETAIL_BEFORE_MAIN(watch_use) {
  if (std::getenv("HPK_EMU_CHECK") != nullptr) std::atexit(&warn_if_unused);
}

}  // namespace

void note_use() noexcept { is_used.store(true, std::memory_order_relaxed); }

std::string_view name_of(check_level level) noexcept {
  switch (level) {
    case check_level::fast:
      return "fast";
    case check_level::normal:
      return "default";
    case check_level::all:
      break;
  }
  return "all";
}

const seam::device_profile* counting_for() noexcept {
  return seam::current_device_profile.load(detail::memory_order::acquire);
}

const options& current_options() {
  known_options& o = in_force();
  if (!o.known.load(std::memory_order_acquire)) [[unlikely]] {
    const options fresh = read(seam::current_settings());
    const std::lock_guard lock(o.guard);
    if (!o.known.load(std::memory_order_relaxed)) o.values = fresh;
    o.known.store(true, std::memory_order_release);
  }
  return o.values;
}

void set_options(const seam::settings& from) {
  const options fresh = read(from);
  known_options& o = in_force();
  const std::lock_guard lock(o.guard);
  o.values = fresh;
  o.known.store(true, std::memory_order_release);
}

void forget_options() noexcept { in_force().known.store(false, std::memory_order_release); }

}  // namespace hpk::emu
