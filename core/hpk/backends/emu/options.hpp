// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of the emulated device, and the rows that they add to the table of options: each is
// a flag (--hpk-emu-seed), an environment variable (HPK_EMU_SEED) and an option of
// InitializationSettings.
#pragma once

#include <hpk/seam/settings.hpp>

#include <cstdint>
#include <string_view>

namespace hpk::seam {
struct device_profile;
}

namespace hpk::emu {

/// Which mistakes Emu looks for, by the cost of finding them: none, little, or any.
enum class check_level { fast, normal, all };
/// Returns the name of a level: "fast", "default" or "all".
std::string_view name_of(check_level level) noexcept;

/// Returns the profile that counts launches now, or null. It is no option, because a profile may
/// begin after the first use of Emu.
const seam::device_profile* counting_for() noexcept;

/// How the emulated device behaves.
struct options {
  check_level check = check_level::normal;
  std::uint64_t seed = 0;  ///< 0: lanes and groups in ascending order; else shuffled
  int subgroup = 32;       ///< lanes that exchange through shuffle: a power of two up to 64
  bool delay = false;      ///< waits before kernels and copies
  bool races = false;      ///< watches for races between lanes, unless a profile counts
  bool mirrors = false;    ///< also reports stale mirrors that were not read before
  /// Whether mirrors are watched at all.
  bool watches_mirrors() const noexcept { return check != check_level::fast || mirrors; }
  bool captures = false;  ///< replaces host pointers in functors
  int workers = 1;        ///< OS threads that run groups
  int devices = 1;        ///< number of devices; each has separate memory
  int device = 0;         ///< device of instances and memory that name none

  /// Whether every iteration runs on a separate lane and every access is checked.
  bool lane_per_iteration() const noexcept {
    return seed != 0 || races || counting_for() != nullptr;
  }
  /// Whether races are watched now: not while a profile counts, which needs each access itself.
  bool watches_races() const noexcept { return races && counting_for() == nullptr; }
  /// Number of OS threads that run groups now: one while a profile counts.
  int workers_now() const noexcept { return counting_for() == nullptr ? workers : 1; }
};

/// The rows of the table. Each needs a line in read() in options.cpp, in replay() in
/// detectors/report.cpp and in the table of docs/emu.md.
inline constexpr seam::backend_option option_rows[] = {
    {"emu-check", "fast|default|all",
     "which mistakes Emu looks for: those that cost no time, those that cost little, or all, with "
     "races, captures, mirrors, delays and a seed of 1; the options for these take precedence",
     "fast, default or all", static_cast<std::int64_t>(check_level::normal),
     [](std::int64_t v) { return v >= 0 && v <= 2; }},
    {"emu-seed", "N", "order of lanes and groups on Emu: 0 plain, else shuffled by this seed",
     "an integer of 0 or more", 0, [](std::int64_t v) { return v >= 0; }},
    {"emu-subgroup", "N", "lanes of a sub-group of Emu", "a power of two from 1 to 64", 32,
     [](std::int64_t v) { return v >= 1 && v <= 64 && (v & (v - 1)) == 0; }},
    {"emu-races", "bool", "report races between lanes of Emu", "true or false", 0,
     [](std::int64_t v) { return v == 0 || v == 1; }},
    {"emu-delay", "bool", "wait before kernels and copies of Emu, so that a missing fence shows",
     "true or false", 0, [](std::int64_t v) { return v == 0 || v == 1; }},
    {"emu-mirrors", "bool",
     "also report stale mirrors that were not read before, and a forgotten modify of a DualView",
     "true or false", 0, [](std::int64_t v) { return v == 0 || v == 1; }},
    {"emu-captures", "bool",
     "report host memory that kernels of Emu touch through captured pointers and references",
     "true or false", 0, [](std::int64_t v) { return v == 0 || v == 1; }},
    {"emu-devices", "N", "devices of Emu, each with memory that the others can't touch",
     "an integer from 1 to 16", 1, [](std::int64_t v) { return v >= 1 && v <= 16; }},
};

/// Returns the options in force: from the last set_options(), else from the environment.
const options& current_options();
/// Puts options in force. No kernel may be running.
void set_options(const seam::settings& from);
/// Records that the program uses Emu: without it a program that was started with HPK_EMU_CHECK
/// ends with a warning.
void note_use() noexcept;
/// Makes the next use of the options read them again. No kernel may be running.
void forget_options() noexcept;

}  // namespace hpk::emu
