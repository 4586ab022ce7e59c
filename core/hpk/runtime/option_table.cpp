// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/backends.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/runtime/built_in_tools.hpp>
#include <hpk/runtime/option_table.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
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

// A member of the settings, or of those that all backends share.
template <auto Member>
auto& value_of(auto& s) {
  if constexpr (requires { s.*Member; }) {
    return s.*Member;
  } else {
    return s.backend.*Member;
  }
}
template <auto Flag>
bool read_flag(run_settings& s, std::string_view value, const option&) {
  return read_bool(value, value_of<Flag>(s));
}
// Reads a text that is empty or that Accepts, if given, returns true for.
template <auto Text, bool (*Accepts)(std::string_view) = nullptr>
bool read_text(run_settings& s, std::string_view value, const option&) {
  value_of<Text>(s) = value;
  return Accepts == nullptr || value.empty() || Accepts(value);
}
template <auto Member>
std::string show_value(const run_settings& s, const option&) {
  return show(value_of<Member>(s));
}

// Converts settings of the program to text, so that they pass the same checks as other sources.
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
  return found == end ? std::nullopt : std::optional(found->value);
}

// Returns the word with this index in "fast|default|all"; empty after the last word.
std::string_view word_at(std::string_view words, std::int64_t place) {
  for (; place > 0; --place) words.remove_prefix(std::min(words.find('|'), words.size() - 1) + 1);
  return words.substr(0, words.find('|'));
}
bool takes_words(const option& o) { return o.takes.find('|') != std::string_view::npos; }

[[maybe_unused]] bool read_own(run_settings& settings, std::string_view value, const option& o) {
  std::int64_t number = 0;
  bool flag = false;
  if (takes_words(o)) {
    while (word_at(o.takes, number) != value) {
      if (word_at(o.takes, number++).empty()) return false;
    }
  } else if (o.takes == "bool" && read_bool(value, flag)) {
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

std::int64_t own_value(const seam::settings& settings, const option& o,
                       std::int64_t default_value) {
  const bool is_set = (settings.backend_values_set >> o.slot & 1u) != 0;
  return is_set ? settings.backend_values[o.slot] : default_value;
}
std::int64_t own_value(const seam::settings& settings, const option& o) {
  return own_value(settings, o, o.own->default_value);
}

// Returns the row of a backend's option in the table, or null.
const option* find_own(std::string_view name) {
  const auto& table = option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const option& o) {
    return o.own != nullptr && o.name == name;
  });
  return found == table.end() ? nullptr : &*found;
}

[[maybe_unused]] std::string show_own(const run_settings& settings, const option& o) {
  const std::int64_t value = own_value(settings.backend, o);
  if (takes_words(o)) return std::string(word_at(o.takes, value));
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

using program = InitializationSettings;

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
       &read_flag<&seam::settings::disable_warnings>,
       &show_value<&seam::settings::disable_warnings>,
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
       &read_flag<&seam::settings::pin_workers>, &show_value<&seam::settings::pin_workers>,
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
       &show_value<&seam::settings::launch_blocking>,
       &take<&program::has_launch_blocking, &program::get_launch_blocking>},
      {"tools-libs", "PATHS", "tools to load: shared libraries with ';' between", "paths",
       &read_text<&run_settings::tools_libs>, &show_value<&run_settings::tools_libs>,
       &take<&program::has_tools_libs, &program::get_tools_libs>},
      {"tools-args", "TEXT", "arguments for the tools, with blanks between", "a text",
       &read_text<&run_settings::tools_args>, &show_value<&run_settings::tools_args>,
       &take<&program::has_tools_args, &program::get_tools_args>},
      {"tools-help", "bool", "print the help of the tools and exit", true_or_false,
       &read_flag<&run_settings::tools_help>, &show_value<&run_settings::tools_help>,
       &take<&program::has_tools_help, &program::get_tools_help>},
      {"profile", "KINDS",
       "profile the program: summary, leaks, log, html or trace; gpu, gpu-html or gpu-json on Emu; "
       "each with =PATH, with ',' between",
       "summary, leaks, log, html, trace, gpu, gpu-html or gpu-json, each alone or with =<path>, "
       "with ',' between",
       &read_text<&run_settings::profile, &is_profile>, &show_value<&run_settings::profile>,
       &take<&program::has_profile, &program::get_profile>},
      {"gpu-model", "NAME",
       "the device of the profile gpu: h100, a100, mi300a, or the path of a file of another",
       "the name of a model or a path",
       [](run_settings& s, std::string_view v, const option&) {
         s.gpu_model = v;
         return !v.empty();
       },
       &show_value<&run_settings::gpu_model>,
       &take<&program::has_gpu_model, &program::get_gpu_model>},
      {"gpu-limits", "PATH",
       "end with status 3 if kernels on Emu exceed the limits in this file, as "
       "'kernel * sectors-per-request <= 8'",
       "a path", &read_text<&run_settings::gpu_limits>, &show_value<&run_settings::gpu_limits>,
       &take<&program::has_gpu_limits, &program::get_gpu_limits>},
      {"hash", "PATH",
       "write a hash of every View that a launch may have written to this file, for hpk-diff",
       hash_syntax, &read_text<&run_settings::hash, &is_hash>, &show_value<&run_settings::hash>,
       &take<&program::has_hash, &program::get_hash>},
      {"capture", "LABEL:N:PATH", "write a launch and the Views of its kernel to this file",
       capture_syntax, &read_text<&run_settings::capture, &is_capture>,
       &show_value<&run_settings::capture>, &take<&program::has_capture, &program::get_capture>},
      {"replay", "PATH", "run the launch in this file instead of the program", replay_syntax,
       &read_text<&run_settings::replay, &is_replay>, &show_value<&run_settings::replay>,
       &take<&program::has_replay, &program::get_replay>},
      {"tune", "PATH", "find tile and team sizes of labelled kernels, and write them to this file",
       "a path", &read_text<&run_settings::tune>, &show_value<&run_settings::tune>,
       &take<&program::has_tune, &program::get_tune>},
      {"tune-use", "PATH", "use the tile and team sizes that --hpk-tune wrote to this file",
       "a path", &read_text<&run_settings::tune_use>, &show_value<&run_settings::tune_use>,
       &take<&program::has_tune_use, &program::get_tune_use>},
      {"tune-internals", "bool", "let a tool that tunes choose tile and team sizes", true_or_false,
       &read_flag<&run_settings::tune_internals>, &show_value<&run_settings::tune_internals>,
       &take<&program::has_tune_internals, &program::get_tune_internals>},
      {"progress", "auto|on|off",
       "show the progress of loops (hpk::Progress): on a terminal, also in files and pipes, or "
       "never",
       "auto, on or off",
       [](run_settings& s, std::string_view v, const option&) {
         bool on = false;
         if (v != "auto" && !read_bool(v, on)) return false;
         s.progress = v == "auto" ? "auto" : on ? "on" : "off";
         return true;
       },
       &show_value<&run_settings::progress>, &take<&program::has_progress, &program::get_progress>},
  });
  return table;
}

std::string option::flag(std::string_view before) const {
  return std::string(before) + std::string(name);
}

std::string option::variable(std::string_view before) const {
  return std::string(before) + upper_case(name);
}

std::string upper_case(std::string_view name) {
  std::string result(name);
  for (char& c : result)
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::string option_name(std::string_view variable) {
  std::string result(variable);
  for (char& c : result)
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace hpk::detail

namespace hpk::seam {

std::int64_t backend_value(const settings& from, std::string_view name) {
  const detail::option* const o = detail::find_own(name);
  return o == nullptr ? 0 : detail::own_value(from, *o);
}

std::int64_t backend_value(const settings& from, std::string_view name,
                           std::int64_t default_value) {
  const detail::option* const o = detail::find_own(name);
  return o == nullptr ? default_value : detail::own_value(from, *o, default_value);
}

std::int64_t backend_value(const settings& from, const backend_option& own) {
  if (const detail::option* const o = detail::find_own(own.name))
    return detail::own_value(from, *o);
  detail::option alone{own.name,          own.takes,         own.meaning,       own.expected,
                       &detail::read_own, &detail::show_own, &detail::take_own, &own};
  const std::string variable = alone.variable();
  const char* const value = std::getenv(variable.c_str());
  if (value == nullptr) return own.default_value;
  detail::run_settings read;
  if (!detail::read_own(read, value, alone)) {
    detail::raise((detail::text() << "hpk::initialize: " << variable << " has the value '" << value
                                  << "'; write " << own.expected)
                      .str());
  }
  return detail::own_value(read.backend, alone);
}

}  // namespace hpk::seam
