// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings that a backend is started with, as plain values. The values come from the
// environment, the command line and InitializationSettings. runtime/settings.cpp owns the table of
// settings; a backend only reads the values.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <cstdint>
#include <string_view>

namespace hpk::seam {

/// A backend's own option: an integer, a truth value or one of a few words. A machine lists its
/// options in a static constexpr array `options`.
struct backend_option {
  std::string_view name;  ///< with dashes, as in the flag
  /// "N", "bool", or the words for the values 0, 1, 2 and so on: "fast|default|all".
  std::string_view takes;
  std::string_view meaning;    ///< for the help text
  std::string_view expected;   ///< for errors: "an integer of 1 or more"
  std::int64_t default_value;  ///< value if the option is not set
  bool (*accepts)(std::int64_t);
};

/// Value of inline_launches: the library decides by measurement.
inline constexpr index_t inline_automatic = -1;

/// Plain values passed to machine<Exec>::start. Zero or negative numbers mean "not set".
struct settings {
  int num_threads = 0;  ///< workers of host-parallel backends
  int device_id = -1;   ///< device of GPU backends
  bool disable_warnings = false;
  bool pin_workers = false;  ///< whether workers of hpk's thread pool are bound to CPUs
  bool launch_blocking =
      false;  ///< whether launches, copies and fills of every instance wait for completion
  /// Launches of at most this many iterations run on the calling thread; or inline_automatic.
  index_t inline_launches = inline_automatic;
  /// The values of backend options, in the order of the table, and a bit for each value that was
  /// set. Read them with backend_value().
  static constexpr int most_backend_options = 16;
  std::int64_t backend_values[most_backend_options] = {};
  std::uint32_t backend_values_set = 0;
};

/// Returns the value of a backend's option by name; its default if it was not set.
std::int64_t backend_value(const settings& from, std::string_view name);
/// Returns the value with another default, for options whose default depends on other options.
std::int64_t backend_value(const settings& from, std::string_view name, std::int64_t default_value);
/// Returns the value by description, for options of a backend outside of hpk, which have an
/// environment variable only. Throws hpk::error that names the variable if its value is invalid.
std::int64_t backend_value(const settings& from, const backend_option& own);

/// The settings in force: the settings of the last initialize(), else of the environment.
/// Thread-safe; throws hpk::error that names an environment variable with an invalid value.
settings current_settings();

/// Value of inline_launches_read before the first read. inline_launches_read caches
/// current_settings().inline_launches and is reset when the settings change.
inline constexpr index_t inline_unread = -2;
extern HPK_EXPORT constinit detail::atomic_word<index_t> inline_launches_read;
index_t read_inline_launches();
/// The setting inline_launches, cheap enough for every launch. Thread-safe.
inline index_t inline_launches() {
  const index_t value = inline_launches_read.load(detail::memory_order::relaxed);
  return value != inline_unread ? value : read_inline_launches();
}

}  // namespace hpk::seam
