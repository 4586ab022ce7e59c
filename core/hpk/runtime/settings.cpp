// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/option_table.hpp>

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

std::string show(int value, int unset) {
  return value == unset ? std::string("automatic") : std::to_string(value);
}
std::string show(bool value) { return value ? "true" : "false"; }

[[noreturn]] void reject_value(std::string_view source, std::string_view value, const option& o) {
  text message;
  message << "hpk::initialize: " << source << " has the value '" << value << "'; write "
          << (o.takes == "bool"       ? "true or false"
              : o.name == "device-id" ? "an integer of 0 or more"
                                      : "an integer of 1 or more");
  raise(message.str());
}

// Number of single-character edits between two words; small words only.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row.back();
}

[[noreturn]] void reject_flag(std::string_view flag) {
  const auto& table = option_table();
  const auto nearest =
      std::min_element(table.begin(), table.end(), [&](const option& a, const option& b) {
        return edits(flag, a.flag()) < edits(flag, b.flag());
      });
  text message;
  message << "hpk::initialize: there is no flag " << flag << "; did you mean " << nearest->flag()
          << "? --hpk-help lists all";
  raise(message.str());
}

// Takes a program's setting by way of its text, so that its checks are those of every other source.
template <class Value>
bool take(const std::optional<Value>& given, run_settings& settings, const option& o,
          std::string_view source) {
  if (!given) return false;
  std::string value;
  if constexpr (std::is_same_v<Value, bool>) {
    value = show(*given);
  } else {
    value = std::to_string(*given);
  }
  if (!o.read(settings, value)) reject_value(source, value, o);
  return true;
}

template <class Value, bool (InitializationSettings::*Has)() const,
          Value (InitializationSettings::*Get)() const, int Index>
bool take_field(run_settings& settings, const InitializationSettings& given,
                std::string_view source) {
  const std::optional<Value> value =
      (given.*Has)() ? std::optional<Value>((given.*Get)()) : std::nullopt;
  return take(value, settings, option_table()[Index], source);
}

using program = InitializationSettings;

std::mutex guard;
bool is_set = false;
// Never destroyed, as the table.
effective_settings& set_by_program() {
  static auto& settings = *new effective_settings;
  return settings;
}

}  // namespace

const std::vector<option>& option_table() {
  // Never destroyed: statics may start a space in their destructors.
  static const auto& table = *new std::vector<option>{
      {"num-threads", "N", "workers of host-parallel spaces, at most what mask and quota allow",
       [](run_settings& s, std::string_view v) { return read_int(v, 1, s.backend.num_threads); },
       [](const run_settings& s) { return show(s.backend.num_threads, 0); },
       &take_field<int, &program::has_num_threads, &program::get_num_threads, 0>},
      {"device-id", "N", "device of GPU spaces",
       [](run_settings& s, std::string_view v) { return read_int(v, 0, s.backend.device_id); },
       [](const run_settings& s) { return show(s.backend.device_id, -1); },
       &take_field<int, &program::has_device_id, &program::get_device_id, 1>},
      {"disable-warnings", "bool", "mute warnings",
       [](run_settings& s, std::string_view v) { return read_bool(v, s.backend.disable_warnings); },
       [](const run_settings& s) { return show(s.backend.disable_warnings); },
       &take_field<bool, &program::has_disable_warnings, &program::get_disable_warnings, 2>},
      {"print-configuration", "bool", "print the configuration on initialize",
       [](run_settings& s, std::string_view v) { return read_bool(v, s.print_configuration); },
       [](const run_settings& s) { return show(s.print_configuration); },
       &take_field<bool, &program::has_print_configuration, &program::get_print_configuration, 3>},
      {"pin-threads", "bool", "bind the workers of hpk's own pool to CPUs",
       [](run_settings& s, std::string_view v) { return read_bool(v, s.backend.pin_workers); },
       [](const run_settings& s) { return show(s.backend.pin_workers); },
       &take_field<bool, &program::has_pin_threads, &program::get_pin_threads, 4>},
  };
  return table;
}

std::string option::flag() const { return "--hpk-" + std::string(name); }

std::string option::variable() const {
  std::string result = "HPK_" + std::string(name);
  for (char& c : result)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

effective_settings read_settings(const InitializationSettings& given) {
  const auto& table = option_table();
  effective_settings result;
  result.origins.assign(table.size(), origin::default_value);
  for (std::size_t k = 0; k < table.size(); ++k) {
    const option& o = table[k];
    if (o.take(result.values, given, "InitializationSettings: " + std::string(o.name))) {
      result.origins[k] = origin::program;
    } else if (const char* value = std::getenv(o.variable().c_str()); value != nullptr) {
      if (!o.read(result.values, value)) reject_value(o.variable(), value, o);
      result.origins[k] = origin::environment;
    }
  }
  return result;
}

void read_command_line(effective_settings& settings, int& argc, char* argv[]) {
  constexpr std::string_view prefix = "--hpk-";
  const auto& table = option_table();
  // argv changes only when all of it was read, so that a refused command line can still be shown.
  std::vector<char*> kept;
  if (argc > 0) kept.push_back(argv[0]);
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "--") {
      kept.insert(kept.end(), argv + k, argv + argc);
      break;
    }
    if (argument.substr(0, prefix.size()) != prefix) {
      kept.push_back(argv[k]);
      continue;
    }
    const auto equals = argument.find('=');
    const std::string_view flag = argument.substr(0, equals);
    if (flag == "--hpk-help") {
      settings.values.help = true;
      continue;
    }
    const auto o = std::find_if(table.begin(), table.end(),
                                [&](const option& entry) { return entry.flag() == flag; });
    if (o == table.end()) reject_flag(flag);
    const bool bare = equals == std::string_view::npos;
    const std::string_view value = bare ? "true" : argument.substr(equals + 1);
    if ((bare && o->takes != "bool") || !o->read(settings.values, value))
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
}

void reset_in_force() {
  const std::lock_guard lock(guard);
  is_set = false;
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
    out << "  " << o.flag() << (o.takes == "bool" ? "[=bool]" : "=N") << "  " << o.variable()
        << "\n"
        << "      " << o.meaning << "; now " << o.show(settings.values) << " ("
        << name_of(settings.origins[k]) << ")\n";
  }
  out << "  --hpk-help\n      print this text and exit\n";
  return out.str();
}

}  // namespace hpk::detail

namespace hpk::seam {

settings current_settings() { return detail::in_force().values.backend; }

}  // namespace hpk::seam
