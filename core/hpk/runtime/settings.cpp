// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/backends.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/compat_layer.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/runtime/profile.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace hpk::detail {

namespace {

bool read_int(std::string_view value, int lowest, int& into) {
  int number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failure != std::errc() || end != value.data() + value.size() || number < lowest) return false;
  into = number;
  return true;
}

bool read_bool(std::string_view value, bool& into) {
  std::string lower(value);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool yes = lower == "1" || lower == "true" || lower == "yes" || lower == "on";
  const bool no = lower == "0" || lower == "false" || lower == "no" || lower == "off";
  if (yes || no) into = yes;
  return yes || no;
}

// Reads "on", "off", or the largest number of iterations that run inline.
bool read_inline_launches(std::string_view value, std::int64_t& into) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (failure == std::errc() && end == value.data() + value.size()) {
    if (number < 0) return false;
    into = number;
    return true;
  }
  bool on = false;
  if (!read_bool(value, on)) return false;
  into = on ? seam::inline_automatic : 0;
  return true;
}
std::string show_inline_launches(std::int64_t value) {
  return value == seam::inline_automatic ? "on" : value == 0 ? "off" : std::to_string(value);
}

std::string show(int value, int unset) {
  return value == unset ? std::string("automatic") : std::to_string(value);
}
std::string show(bool value) { return value ? "true" : "false"; }
std::string show(const std::string& value) { return value.empty() ? "none" : value; }

// Reads an option that is a flag for all backends.
template <bool seam::settings::* Flag>
bool read_flag(run_settings& s, std::string_view value, const option&) {
  return read_bool(value, s.backend.*Flag);
}
template <bool seam::settings::* Flag>
std::string show_flag(const run_settings& s, const option&) {
  return show(s.backend.*Flag);
}

[[noreturn]] void reject_value(std::string_view source, std::string_view value, const option& o) {
  text message;
  message << "hpk::initialize: " << source << " has the value '" << value << "'; write "
          << o.expected;
  raise(message.str());
}

[[noreturn]] void reject_flag(std::string_view flag) {
  const auto& table = option_table();
  const auto nearest =
      std::min_element(table.begin(), table.end(), [&](const option& a, const option& b) {
        return edit_distance(flag, a.flag()) < edit_distance(flag, b.flag());
      });
  text message;
  message << "hpk::initialize: there is no flag " << flag << "; did you mean " << nearest->flag()
          << "? --hpk-help lists all";
  raise(message.str());
}

// Settings of the program are converted to text, so that they pass the same checks as other
// sources.
std::string as_text(bool value) { return show(value); }
std::string as_text(int value) { return std::to_string(value); }
std::string as_text(std::string value) { return value; }

template <auto Has, auto Get>
std::optional<std::string> take(const InitializationSettings& given, const option&) {
  if (!(given.*Has)()) return std::nullopt;
  return as_text((given.*Get)());
}

[[maybe_unused]] std::optional<std::string> take_own(const InitializationSettings& given,
                                                     const option& o) {
  const auto* end = given.options_end();
  const auto* found = std::find_if(given.options_begin(), end,
                                   [&](const auto& option) { return option.name == o.name; });
  return found == end ? std::nullopt : std::optional(std::to_string(found->value));
}

[[maybe_unused]] bool read_own(run_settings& settings, std::string_view value, const option& o) {
  std::int64_t number = 0;
  bool flag = false;
  if (o.takes == "bool" && read_bool(value, flag)) {
    number = flag ? 1 : 0;
  } else {
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc() || end != value.data() + value.size()) return false;
  }
  if (!o.own->accepts(number)) return false;
  settings.backend.backend_values[o.slot] = number;
  settings.backend.backend_values_set |= 1u << o.slot;
  return true;
}

std::int64_t own_value(const seam::settings& settings, const option& o) {
  const bool is_set = (settings.backend_values_set >> o.slot & 1u) != 0;
  return is_set ? settings.backend_values[o.slot] : o.own->otherwise;
}

[[maybe_unused]] std::string show_own(const run_settings& settings, const option& o) {
  const std::int64_t value = own_value(settings.backend, o);
  return o.takes == "bool" ? show(value != 0) : std::to_string(value);
}

void add_backend_options(std::vector<option>& table) {
  int slot = 0;
  for_each_type(enabled_spaces{}, [&](auto space) {
    using machine = seam::machine<typename decltype(space)::type>;
    if constexpr (seam::has_options<machine>) {
      for (const seam::backend_option& own : machine::options) {
        table.push_back({own.name, own.takes, own.meaning, own.expected, &read_own, &show_own,
                         &take_own, &own, slot++});
      }
    }
  });
  if (slot > seam::settings::most_backend_options) raise("hpk: too many options of backends");
}

// Throws hpk::error for options that the program sets and no backend has.
void expect_known_options(const InitializationSettings& given) {
  const auto& table = option_table();
  for (const auto* set = given.options_begin(); set != given.options_end(); ++set) {
    if (std::none_of(table.begin(), table.end(),
                     [&](const option& o) { return o.own != nullptr && o.name == set->name; })) {
      raise((text() << "InitializationSettings: no enabled backend has the option '" << set->name
                    << "'; --hpk-help lists all")
                .str());
    }
  }
}

using program = InitializationSettings;

std::mutex guard;
bool is_set = false;
// Never destroyed, like the table.
effective_settings& set_by_program() {
  static auto& settings = *new effective_settings;
  return settings;
}

}  // namespace

static std::vector<option>* make_table(std::vector<option> own) {
  auto* table = new std::vector<option>(std::move(own));
  add_backend_options(*table);
  return table;
}

const std::vector<option>& option_table() {
  // Never destroyed: static objects may start a space in their destructors.
  static constexpr std::string_view at_least_one = "an integer of 1 or more";
  static constexpr std::string_view true_or_false = "true or false";
  static const auto& table = *make_table({
      {"num-threads", "N", "workers of host-parallel spaces, at most what mask and quota allow",
       at_least_one,
       [](run_settings& s, std::string_view v, const option&) {
         return read_int(v, 1, s.backend.num_threads);
       },
       [](const run_settings& s, const option&) { return show(s.backend.num_threads, 0); },
       &take<&program::has_num_threads, &program::get_num_threads>},
      {"device-id", "N", "device of GPU spaces", "an integer of 0 or more",
       [](run_settings& s, std::string_view v, const option&) {
         return read_int(v, 0, s.backend.device_id);
       },
       [](const run_settings& s, const option&) { return show(s.backend.device_id, -1); },
       &take<&program::has_device_id, &program::get_device_id>},
      {"disable-warnings", "bool", "mute warnings", true_or_false,
       &read_flag<&seam::settings::disable_warnings>, &show_flag<&seam::settings::disable_warnings>,
       &take<&program::has_disable_warnings, &program::get_disable_warnings>},
      {"print-configuration", "bool", "print the configuration on initialize; json: as JSON",
       "true, false or json",
       [](run_settings& s, std::string_view v, const option&) {
         s.prints_json = v == "json";
         if (s.prints_json) s.print_configuration = true;
         return s.prints_json || read_bool(v, s.print_configuration);
       },
       [](const run_settings& s, const option&) {
         return s.prints_json ? std::string("json") : show(s.print_configuration);
       },
       &take<&program::has_print_configuration, &program::get_print_configuration>},
      {"pin-threads", "bool", "bind the workers of hpk's own pool to CPUs", true_or_false,
       &read_flag<&seam::settings::pin_workers>, &show_flag<&seam::settings::pin_workers>,
       &take<&program::has_pin_threads, &program::get_pin_threads>},
      {"inline-launches", "on|off|N",
       "run small launches of host spaces on the calling thread: as measured, never, or up to N "
       "iterations",
       "on, off or a number of iterations",
       [](run_settings& s, std::string_view v, const option&) {
         return read_inline_launches(v, s.backend.inline_launches);
       },
       [](const run_settings& s, const option&) {
         return show_inline_launches(s.backend.inline_launches);
       },
       [](const program& given, const option&) -> std::optional<std::string> {
         if (!given.has_inline_launches()) return std::nullopt;
         return show_inline_launches(given.get_inline_launches());
       }},
      {"launch-blocking", "bool",
       "launches, copies and fills return when their work is done, on GPUs and Emu too",
       true_or_false, &read_flag<&seam::settings::launch_blocking>,
       &show_flag<&seam::settings::launch_blocking>,
       &take<&program::has_launch_blocking, &program::get_launch_blocking>},
      {"tools-libs", "PATHS", "tools to load: shared libraries with ';' between", "paths",
       [](run_settings& s, std::string_view v, const option&) {
         s.tools_libs = v;
         return true;
       },
       [](const run_settings& s, const option&) { return show(s.tools_libs); },
       &take<&program::has_tools_libs, &program::get_tools_libs>},
      {"tools-args", "TEXT", "arguments for the tools, with blanks between", "a text",
       [](run_settings& s, std::string_view v, const option&) {
         s.tools_args = v;
         return true;
       },
       [](const run_settings& s, const option&) { return show(s.tools_args); },
       &take<&program::has_tools_args, &program::get_tools_args>},
      {"tools-help", "bool", "print the help of the tools and exit", true_or_false,
       [](run_settings& s, std::string_view v, const option&) {
         return read_bool(v, s.tools_help);
       },
       [](const run_settings& s, const option&) { return show(s.tools_help); },
       &take<&program::has_tools_help, &program::get_tools_help>},
      {"profile", "KINDS",
       "profile the program: summary, leaks, log, html or trace, each with =PATH, with ',' between",
       "summary, leaks, log, html or trace, each alone or with =<path>, with ',' between",
       [](run_settings& s, std::string_view v, const option&) {
         profile_request request;
         s.profile = v;
         return read_profile(v, request);
       },
       [](const run_settings& s, const option&) { return show(s.profile); },
       &take<&program::has_profile, &program::get_profile>},
      {"tune", "PATH", "find tile and team sizes of labelled kernels, and write them to this file",
       "a path",
       [](run_settings& s, std::string_view v, const option&) {
         s.tune = v;
         return true;
       },
       [](const run_settings& s, const option&) { return show(s.tune); },
       &take<&program::has_tune, &program::get_tune>},
      {"tune-use", "PATH", "use the tile and team sizes that --hpk-tune wrote to this file",
       "a path",
       [](run_settings& s, std::string_view v, const option&) {
         s.tune_use = v;
         return true;
       },
       [](const run_settings& s, const option&) { return show(s.tune_use); },
       &take<&program::has_tune_use, &program::get_tune_use>},
      {"tune-internals", "bool", "let a tool that tunes choose tile and team sizes", true_or_false,
       [](run_settings& s, std::string_view v, const option&) {
         return read_bool(v, s.tune_internals);
       },
       [](const run_settings& s, const option&) { return show(s.tune_internals); },
       &take<&program::has_tune_internals, &program::get_tune_internals>},
  });
  return table;
}

// Converts the name of an option to that of its variable.
static std::string upper(std::string_view name) {
  std::string result(name);
  for (char& c : result)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string option::flag(std::string_view before) const {
  return std::string(before) + std::string(name);
}

std::string option::variable(std::string_view before) const {
  return std::string(before) + upper(name);
}

static atomic_word<const compat_layer*> the_layer{nullptr};
void set_compat_layer(const compat_layer* above) noexcept {
  the_layer.store(above, memory_order::release);
}
const compat_layer* current_compat_layer() noexcept {
  return the_layer.load(memory_order::acquire);
}

// Looks up an option in the environment by the variable of hpk or of the compatibility layer;
// returns its value and the variable's name.
static const char* find_variable(const option& o, std::string& variable) {
  variable = o.variable();
  const char* value = std::getenv(variable.c_str());
  const compat_layer* const above = current_compat_layer();
  if (value != nullptr || above == nullptr) return value;
  variable = o.variable(above->variables);
  return std::getenv(variable.c_str());
}

// Notes variables that users of the compatibility layer know and that have no effect.
static void explain_variables(effective_settings& settings) {
  const compat_layer* const above = current_compat_layer();
  if (above == nullptr) return;
  for (const auto* name = above->explained_begin; name != above->explained_end; ++name) {
    const std::string variable = std::string(above->variables) + upper(*name);
    if (std::getenv(variable.c_str()) != nullptr)
      settings.warnings.push_back(variable +
                                  " has no effect: " + std::string(above->explain(*name)));
  }
}

// Notes settings of the program that have no effect.
static void explain_settings(const InitializationSettings& given, effective_settings& settings) {
  const auto explain = [&](bool is_set, std::string_view name, std::string_view why) {
    if (!is_set) return;
    settings.warnings.push_back("InitializationSettings: " + std::string(name) +
                                " has no effect: " + std::string(why));
  };
  explain(given.has_map_device_id_by() && given.get_map_device_id_by() != "mpi_rank",
          "map_device_id_by", "hpk takes the device of device_id, else that of the rank");
}

effective_settings read_settings(const InitializationSettings& given) {
  const auto& table = option_table();
  effective_settings result;
  std::string variable;
  result.origins.assign(table.size(), origin::default_value);
  expect_known_options(given);
  for (std::size_t k = 0; k < table.size(); ++k) {
    const option& o = table[k];
    if (const std::optional<std::string> value = o.take(given, o)) {
      if (!o.read(result.values, *value, o))
        reject_value("InitializationSettings: " + std::string(o.name), *value, o);
      result.origins[k] = origin::program;
    } else if (const char* value = find_variable(o, variable); value != nullptr) {
      if (!o.read(result.values, value, o)) reject_value(variable, value, o);
      result.origins[k] = origin::environment;
    }
  }
  explain_variables(result);
  explain_settings(given, result);
  return result;
}

void read_command_line(effective_settings& settings, int& argc, char* argv[]) {
  constexpr std::string_view own = "--hpk-";
  const auto& table = option_table();
  const compat_layer* const above = current_compat_layer();
  // argv changes only after all of it was read, so that a rejected command line can still be shown.
  std::vector<char*> kept;
  if (argc > 0) kept.push_back(argv[0]);
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "--") {
      kept.insert(kept.end(), argv + k, argv + argc);
      break;
    }
    const bool is_own = argument.starts_with(own);
    if (!is_own && (above == nullptr || !argument.starts_with(above->flags))) {
      kept.push_back(argv[k]);
      continue;
    }
    const auto equals = argument.find('=');
    const std::string_view flag = argument.substr(0, equals);
    const std::string_view name = flag.substr(is_own ? own.size() : above->flags.size());
    if (name == "help") {
      settings.values.help = true;
      continue;
    }
    const auto o = std::find_if(table.begin(), table.end(),
                                [&](const option& entry) { return entry.name == name; });
    if (o == table.end()) {
      if (is_own) reject_flag(flag);
      const std::string_view why = above->explain(name);
      settings.warnings.push_back(std::string(flag) + " has no effect: " +
                                  std::string(why.empty() ? "there is no such flag" : why));
      // Unknown flags may be the program's own.
      if (why.empty()) kept.push_back(argv[k]);
      continue;
    }
    const bool bare = equals == std::string_view::npos;
    const std::string_view value = bare ? "true" : argument.substr(equals + 1);
    if ((bare && o->takes != "bool") || !o->read(settings.values, value, *o))
      reject_value(flag, bare ? "" : value, *o);
    settings.origins[static_cast<std::size_t>(o - table.begin())] = origin::command_line;
  }
  std::copy(kept.begin(), kept.end(), argv);
  if (static_cast<int>(kept.size()) < argc) argv[kept.size()] = nullptr;
  argc = static_cast<int>(kept.size());
}

effective_settings in_force() {
  {
    const std::lock_guard lock(guard);
    if (is_set) return set_by_program();
  }
  return read_settings({});
}

void put_in_force(const effective_settings& settings) {
  const std::lock_guard lock(guard);
  set_by_program() = settings;
  is_set = true;
  seam::inline_launches_read.store(seam::inline_unread, memory_order::relaxed);
}

void reset_in_force() {
  const std::lock_guard lock(guard);
  is_set = false;
  seam::inline_launches_read.store(seam::inline_unread, memory_order::relaxed);
}

std::string_view name_of(origin from) {
  constexpr std::array<std::string_view, 4> names = {"default", "environment", "program",
                                                     "command line"};
  return names[static_cast<std::size_t>(from)];
}

std::string help_text(const effective_settings& settings) {
  text out;
  out << "Options of hpk (flag, environment variable, meaning, value in force):\n";
  const auto& table = option_table();
  for (std::size_t k = 0; k < table.size(); ++k) {
    const option& o = table[k];
    out << "  " << o.flag() << (o.takes == "bool" ? "[=bool]" : "=")
        << (o.takes == "bool" ? "" : o.takes) << "  " << o.variable() << "\n"
        << "      " << o.meaning << "; now " << o.show(settings.values, o) << " ("
        << name_of(settings.origins[k]) << ")\n";
  }
  out << "  --hpk-help\n      print this text and exit\n";
  if (const compat_layer* above = current_compat_layer(); above != nullptr) {
    out << "Each may also be written with " << above->flags << " and " << above->variables
        << " before its name.\n";
  }
  return out.str();
}

}  // namespace hpk::detail

namespace hpk {

InitializationSettings& InitializationSettings::set_option(std::string_view name,
                                                           std::int64_t value) {
  int k = 0;
  while (k < option_count_ && options_[k].name != name) ++k;
  if (k == static_cast<int>(std::size(options_)))
    detail::raise("InitializationSettings::set_option: more options than any backend has");
  options_[k] = {std::string(name), value};
  if (k == option_count_) ++option_count_;
  return *this;
}

}  // namespace hpk

namespace hpk::seam {

settings current_settings() { return detail::in_force().values.backend; }

index_t read_inline_launches() {
  const index_t value = current_settings().inline_launches;
  inline_launches_read.store(value, detail::memory_order::relaxed);
  return value;
}

std::int64_t backend_value(const settings& from, std::string_view name) {
  for (const detail::option& o : detail::option_table()) {
    if (o.own != nullptr && o.name == name) return detail::own_value(from, o);
  }
  return 0;
}

}  // namespace hpk::seam
