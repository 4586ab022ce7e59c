// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/compat_layer.hpp>
#include <hpk/runtime/option_table.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <unistd.h>

namespace hpk::detail {

namespace {

[[noreturn]] void reject_value(std::string_view source, std::string_view value, const option& o) {
  text message;
  message << "hpk::initialize: " << source << " has the value '" << value << "'; write "
          << o.expected;
  raise(message.str());
}

// Rejects a flag without '=' and value.
[[noreturn]] void reject_bare_flag(std::string_view flag, const option& o) {
  text message;
  message << "hpk::initialize: " << flag << " has no value; write " << flag << '=' << o.takes
          << ", with '=' before the value: " << o.expected;
  raise(message.str());
}

// Variables that parts of hpk read directly, not through the option table.
constexpr std::array<std::string_view, 8> names_of_parts = {
    "strict-dual-views", "check-dual-views", "mpi-checks", "mpi-gpu-aware",
    "kokkos-strict",     "cache-dir",        "cxx",        "cxxflags"};

// The known name that is nearest to an unknown one.
struct misspelt_name {
  std::string_view nearest;
  bool is_near;  // few letters differ, or one name contains the other
};
misspelt_name find_nearest(std::string_view name) {
  std::vector<std::string_view> known(names_of_parts.begin(), names_of_parts.end());
  for (const option& o : option_table()) known.push_back(o.name);
  const std::string_view nearest =
      *std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
        return edit_distance(name, a) < edit_distance(name, b);
      });
  if (edit_distance(name, nearest) * 4 <= name.size()) return {nearest, true};
  const auto longer = std::find_if(known.begin(), known.end(), [&](std::string_view k) {
    return name.size() >= 5 && k.find(name) != k.npos;
  });
  return longer == known.end() ? misspelt_name{nearest, false} : misspelt_name{*longer, true};
}

[[noreturn]] void reject_flag(std::string_view flag, std::string_view name) {
  text message;
  message << "hpk::initialize: there is no flag " << flag << "; did you mean --hpk-"
          << find_nearest(name).nearest << "? --hpk-help lists all";
  raise(message.str());
}

// Whether an option or variable has this name.
bool is_known(std::string_view name) {
  const auto& table = option_table();
  return std::find(names_of_parts.begin(), names_of_parts.end(), name) != names_of_parts.end() ||
         std::any_of(table.begin(), table.end(), [&](const option& o) { return o.name == name; });
}

// Throws hpk::error for options that the program sets and no backend knows.
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

std::mutex guard;
bool is_set = false;
// Never destroyed, like the table.
effective_settings& set_by_program() {
  static auto& settings = *new effective_settings;
  return settings;
}

}  // namespace

static atomic_word<const compat_layer*> the_layer{nullptr};
void set_compat_layer(const compat_layer* above) noexcept {
  the_layer.store(above, memory_order::release);
}
const compat_layer* current_compat_layer() noexcept {
  return the_layer.load(memory_order::acquire);
}

// Looks up an option in the environment, by the variable of hpk or of the compatibility layer.
// Returns the value and the name of the variable.
static const char* find_variable(const option& o, std::string& variable) {
  variable = o.variable();
  const char* value = std::getenv(variable.c_str());
  const compat_layer* const above = current_compat_layer();
  if (value != nullptr || above == nullptr) return value;
  variable = o.variable(above->variables);
  return std::getenv(variable.c_str());
}

// Warns about variables that users of the compatibility layer know and that have no effect.
static void explain_variables(effective_settings& settings) {
  const compat_layer* const above = current_compat_layer();
  if (above == nullptr) return;
  for (const auto* name = above->explained_begin; name != above->explained_end; ++name) {
    const std::string variable = std::string(above->variables) + upper_case(*name);
    if (std::getenv(variable.c_str()) != nullptr)
      settings.warnings.push_back(variable +
                                  " has no effect: " + std::string(above->explain(*name)));
  }
}

// Whether a module system, a build script or hpk's own tests and ./dev may have set HPK_<name>.
static bool is_of_environment(std::string_view name) {
  for (const std::string_view begin : {"test-", "dev-"})
    if (name.starts_with(begin)) return true;
  const std::string_view last = name.substr(name.rfind('-') + 1);  // npos + 1 is 0
  for (const std::string_view word :
       {"root", "dir", "home", "prefix", "path", "base", "version", "lib", "libs", "library", "inc",
        "include", "includes", "source"})
    if (last == word) return true;
  return false;
}

// Warns about variables of hpk that no setting has, and about those of the compatibility layer
// whose names resemble a setting: other variables with its prefix belong to other programs.
static void explain_unknown_variables(effective_settings& settings) {
  const compat_layer* const above = current_compat_layer();
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable = std::string_view(*entry).substr(0, std::strcspn(*entry, "="));
    for (const std::string_view before :
         {std::string_view("HPK_"), above == nullptr ? std::string_view() : above->variables}) {
      if (before.empty() || !variable.starts_with(before)) continue;
      const std::string name = option_name(variable.substr(before.size()));
      if (name.empty() || is_known(name) || (above != nullptr && !above->explain(name).empty()))
        continue;
      const misspelt_name found = find_nearest(name);
      const std::string nearest = std::string(before) + upper_case(found.nearest);
      const std::string start = std::string(variable) + " has no effect: ";
      if (found.is_near)
        settings.warnings.push_back(start + "did you mean " + nearest + "?");
      else if (before == "HPK_" && !is_of_environment(name))
        settings.warnings.push_back(start + "this hpk has no such setting; the nearest is " +
                                    nearest);
    }
  }
}

// Warns about settings of the program that have no effect.
static void explain_settings(const InitializationSettings& given, effective_settings& settings) {
  const auto explain = [&](bool is_set, std::string_view name, std::string_view why) {
    if (!is_set) return;
    settings.warnings.push_back("InitializationSettings: " + std::string(name) +
                                " has no effect: " + std::string(why));
  };
  explain(given.has_map_device_id_by() && given.get_map_device_id_by() != "mpi_rank",
          "map_device_id_by", "hpk takes the device of device_id, else that of the rank");
}

// Records whether a value was given in the syntax of the layer: there the first tool of a list
// loads the next one itself.
static void note_words(run_settings& values, const option& o, bool of_layer) {
  if (o.name == "tools-libs") values.only_first_tool = of_layer;
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
      note_words(result.values, o, current_compat_layer() != nullptr);
    } else if (const char* value = find_variable(o, variable); value != nullptr) {
      if (!o.read(result.values, value, o)) reject_value(variable, value, o);
      result.origins[k] = origin::environment;
      note_words(result.values, o, variable != o.variable());
    }
  }
  explain_variables(result);
  explain_unknown_variables(result);
  explain_settings(given, result);
  return result;
}

void read_command_line(effective_settings& settings, int& argc, char* argv[]) {
  constexpr std::string_view own = "--hpk-";
  const auto& table = option_table();
  const compat_layer* const above = current_compat_layer();
  // Changes argv only after all flags were read, so that a rejected command line can still be
  // shown.
  std::vector<char*> remaining;
  if (argc > 0) remaining.push_back(argv[0]);
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (argument == "--") {
      remaining.insert(remaining.end(), argv + k, argv + argc);
      break;
    }
    const bool is_own = argument.starts_with(own);
    if (!is_own && (above == nullptr || !argument.starts_with(above->flags))) {
      remaining.push_back(argv[k]);
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
      if (is_own) reject_flag(flag, name);
      std::string why(above->explain(name));
      const misspelt_name found = find_nearest(name);
      std::string unknown_flag = "there is no such flag";
      if (found.is_near)
        unknown_flag.append("; did you mean ")
            .append(above->flags)
            .append(found.nearest)
            .append("?");
      settings.warnings.push_back(std::string(flag) +
                                  " has no effect: " + (why.empty() ? unknown_flag : why));
      // An unknown flag may belong to the program.
      if (why.empty()) remaining.push_back(argv[k]);
      continue;
    }
    const bool bare = equals == std::string_view::npos;
    const std::string_view value = bare ? "true" : argument.substr(equals + 1);
    if (bare && o->takes != "bool") reject_bare_flag(flag, *o);
    if (!o->read(settings.values, value, *o)) reject_value(flag, value, *o);
    note_words(settings.values, *o, !is_own);
    // Leaves the next word to the program, even if it looks like the value.
    if (run_settings unused = settings.values;
        bare && k + 1 < argc && o->read(unused, argv[k + 1], *o))
      settings.warnings.push_back(std::string(flag) + " means " + std::string(flag) +
                                  "=true; the word '" + argv[k + 1] +
                                  "' after it is left to the program: write values after '='");
    settings.origins[static_cast<std::size_t>(o - table.begin())] = origin::command_line;
  }
  std::copy(remaining.begin(), remaining.end(), argv);
  if (static_cast<int>(remaining.size()) < argc) argv[remaining.size()] = nullptr;
  argc = static_cast<int>(remaining.size());
}

void print_warnings(const effective_settings& settings) {
  if (settings.values.backend.disable_warnings) return;
  for (const std::string& warning : settings.warnings)
    std::fprintf(stderr, "hpk: %s\n", warning.c_str());
}

bool is_in_force() {
  const std::lock_guard lock(guard);
  return is_set;
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
  return set_option(name, std::to_string(value));
}

InitializationSettings& InitializationSettings::set_option(std::string_view name,
                                                           std::string_view value) {
  int k = 0;
  while (k < option_count_ && options_[k].name != name) ++k;
  if (k == static_cast<int>(std::size(options_)))
    detail::raise("InitializationSettings::set_option: more options than any backend has");
  options_[k] = {std::string(name), std::string(value)};
  if (k == option_count_) ++option_count_;
  return *this;
}

}  // namespace hpk

namespace hpk::seam {

settings current_settings() {
  if (detail::is_in_force()) return detail::in_force().values.backend;
  // The program does not call initialize(), which prints warnings itself, or has not called it yet.
  const detail::effective_settings found = detail::read_settings({});
  static detail::atomic_word<bool> has_warned{false};
  if (!found.warnings.empty() && !has_warned.exchange(true, detail::memory_order::relaxed))
    detail::print_warnings(found);
  return found.values.backend;
}

index_t read_inline_launches() {
  const index_t value = current_settings().inline_launches;
  inline_launches_read.store(value, detail::memory_order::relaxed);
  return value;
}

}  // namespace hpk::seam
