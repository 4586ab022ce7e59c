// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings a backend is started with, as plain values. They come from the environment, the
// command line and InitializationSettings (runtime/settings.cpp owns that table); a backend only
// reads them.
#pragma once

#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// An option that a backend adds to the table: an integer of its own. A machine lists its options
/// as a static constexpr array `options`.
struct backend_option {
  std::string_view name;      ///< with dashes, as in the flag
  std::string_view takes;     ///< "N" or "bool"
  std::string_view meaning;   ///< for the help text
  std::string_view expected;  ///< for errors: "an integer of 1 or more"
  std::int64_t otherwise;     ///< when nobody sets it
  bool (*accepts)(std::int64_t);
};

/// Plain values handed to machine<Exec>::start. Zero or negative means "not asked for".
struct settings {
  int num_threads = 0;  ///< workers of host-parallel backends
  int device_id = -1;   ///< device of GPU backends
  bool disable_warnings = false;
  bool pin_workers = false;  ///< bind the workers of hpk's own pool to CPUs
  /// The options of the backends, in the order of the table, and a bit for each that was set;
  /// backend_value() reads them.
  static constexpr int most_backend_options = 16;
  std::int64_t backend_values[most_backend_options] = {};
  std::uint32_t backend_values_set = 0;
};

/// The value of a backend's option by its name, or what it is otherwise.
std::int64_t backend_value(const settings& from, std::string_view name);

/// The settings in force: those of the last initialize(), else those of the environment.
/// Thread-safe; an unreadable environment variable throws hpk::error naming it.
settings current_settings();

}  // namespace hpk::seam
