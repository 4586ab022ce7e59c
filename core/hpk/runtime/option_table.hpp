// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of options and the functions that read their values. Internal to runtime/. Flags,
// environment variables, the help text and the report of effective values are all made from it.
#pragma once

#include <hpk/runtime/settings.hpp>
#include <hpk/seam/settings.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hpk::detail {

/// The origin of the effective value of an option.
enum class origin { default_value, environment, program, command_line };

/// All values of a run.
struct run_settings {
  seam::settings backend;
  bool print_configuration = false;
  bool prints_json = false;
  bool help = false;
  std::string tools_libs;
  bool only_first_tool = false;  ///< the option was given in the syntax of a compatibility layer
  std::string tools_args;
  bool tools_help = false;
  std::string profile;
  std::string gpu_model = "h100";
  std::string gpu_limits;
  std::string hash;
  std::string capture;
  std::string replay;
  std::string tune;
  std::string tune_use;
  bool tune_internals = false;
  std::string progress = "auto";
};

/// One option: its name with dashes ("num-threads"), its argument, its description, and its
/// functions.
struct option {
  std::string_view name;
  std::string_view takes;  ///< its argument: "N", "bool", ...
  std::string_view meaning;
  std::string_view expected;  ///< for errors: "an integer of 1 or more"
  /// Stores the value in the settings; false if the text is not a valid value.
  bool (*read)(run_settings&, std::string_view value, const option&);
  /// Returns the value in force as text.
  std::string (*show)(const run_settings&, const option&);
  /// Returns the value in the program's settings as text, if it is set.
  std::optional<std::string> (*take)(const InitializationSettings&, const option&);
  /// For an option of a backend: its description and storage.
  const seam::backend_option* own = nullptr;
  int slot = 0;

  /// "--hpk-num-threads"; a compatibility layer may have another prefix.
  std::string flag(std::string_view before = "--hpk-") const;
  /// "HPK_NUM_THREADS"
  std::string variable(std::string_view before = "HPK_") const;
};

/// Converts an option name to the form in variables: "NUM_THREADS".
std::string upper_case(std::string_view name);

/// Converts the name in a variable to the option name: "num-threads".
std::string option_name(std::string_view variable);

/// Every option, in the order of the help text.
const std::vector<option>& option_table();

/// The values in force and the origin of each, by index in the table.
struct effective_settings {
  run_settings values;
  std::vector<origin> origins;
  std::vector<std::string> warnings;  ///< settings without effect, misspelt names
};

/// Reads the defaults, then the environment, then \p program. Throws hpk::error with variable and
/// value.
effective_settings read_settings(const InitializationSettings& program);
/// Applies flags to the settings and removes them from argv. Throws hpk::error naming the flag.
void read_command_line(effective_settings& settings, int& argc, char* argv[]);
/// Returns the settings in force; before initialize(), the settings of the environment.
/// Thread-safe.
effective_settings in_force();
/// Prints the warnings to standard error, unless they are disabled.
void print_warnings(const effective_settings& settings);
/// Whether initialize() has put settings in force. Thread-safe.
bool is_in_force();
/// Puts settings in force.
void put_in_force(const effective_settings& settings);
/// Resets to the settings of the environment, which is read again.
void reset_in_force();
/// Returns the help text, with the values in force and their origin.
std::string help_text(const effective_settings& settings);
/// Returns "default", "environment", ...
std::string_view name_of(origin from);

}  // namespace hpk::detail
