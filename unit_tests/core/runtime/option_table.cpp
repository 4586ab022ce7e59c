// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option table: names of flags and variables, the command line, and the help text, which lists
// every option with its value and the origin of the value.
#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <hpk/runtime/option_table.hpp>

#include <set>
#include <string>
#include <vector>

namespace hpk_test {

// The origins of hpk's own options, which precede the options of the backends.
std::vector<hpk::detail::origin> origins_of(const hpk::detail::effective_settings& found) {
  return {found.origins.begin(), found.origins.begin() + 6};
}

}  // namespace hpk_test

namespace hpk_test::option_table_cases {

using hpk::detail::effective_settings;
using hpk::detail::option_table;
using hpk::detail::origin;
using hpk::detail::read_command_line;
using hpk::detail::read_settings;

// A command line with modifiable words.
class command_line {
 public:
  command_line(std::initializer_list<const char*> words) : words_(words.begin(), words.end()) {
    for (std::string& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    argc = static_cast<int>(words_.size());
  }
  effective_settings read() {
    effective_settings settings = read_settings({});
    read_command_line(settings, argc, argv_.data());
    return settings;
  }
  std::vector<std::string> left() const { return {argv_.begin(), argv_.begin() + argc}; }
  bool ends() const { return argv_[static_cast<std::size_t>(argc)] == nullptr; }
  int argc;

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
};

using words = std::vector<std::string>;

TEST(OptionTable, names_flags_and_variables) {
  std::set<std::string> flags, variables;
  for (const hpk::detail::option& o : option_table()) {
    EXPECT_FALSE(o.takes.empty());
    EXPECT_FALSE(o.meaning.empty());
    EXPECT_FALSE(o.expected.empty());
    if (o.own != nullptr) continue;
    flags.insert(o.flag());
    variables.insert(o.variable());
  }
  EXPECT_EQ(flags, (std::set<std::string>{"--hpk-device-id",
                                          "--hpk-disable-warnings",
                                          "--hpk-inline-launches",
                                          "--hpk-launch-blocking",
                                          "--hpk-num-threads",
                                          "--hpk-pin-threads",
                                          "--hpk-print-configuration",
                                          "--hpk-tools-libs",
                                          "--hpk-tools-args",
                                          "--hpk-tools-help",
                                          "--hpk-profile",
                                          "--hpk-gpu-model",
                                          "--hpk-gpu-limits",
                                          "--hpk-hash",
                                          "--hpk-capture",
                                          "--hpk-replay",
                                          "--hpk-tune",
                                          "--hpk-tune-use",
                                          "--hpk-tune-internals",
                                          "--hpk-progress"}));
  EXPECT_EQ(variables, (std::set<std::string>{"HPK_DEVICE_ID",
                                              "HPK_DISABLE_WARNINGS",
                                              "HPK_INLINE_LAUNCHES",
                                              "HPK_LAUNCH_BLOCKING",
                                              "HPK_NUM_THREADS",
                                              "HPK_PIN_THREADS",
                                              "HPK_PRINT_CONFIGURATION",
                                              "HPK_TOOLS_LIBS",
                                              "HPK_TOOLS_ARGS",
                                              "HPK_TOOLS_HELP",
                                              "HPK_PROFILE",
                                              "HPK_GPU_MODEL",
                                              "HPK_GPU_LIMITS",
                                              "HPK_HASH",
                                              "HPK_CAPTURE",
                                              "HPK_REPLAY",
                                              "HPK_TUNE",
                                              "HPK_TUNE_USE",
                                              "HPK_TUNE_INTERNALS",
                                              "HPK_PROGRESS"}));
}

TEST(OptionTable, leaves_backends_outside_of_hpk_the_environment) {
  static constexpr hpk::seam::backend_option own = {
      "other-depth", "N", "depth of Other", "an integer of 0 or more", 3, [](std::int64_t v) {
        return v >= 0;
      }};
  const auto value = [] { return hpk::seam::backend_value(hpk::seam::current_settings(), own); };
  EXPECT_EQ(value(), 3);
  {
    const variable set("HPK_OTHER_DEPTH", "7");
    EXPECT_EQ(value(), 7);
  }
  const variable wrong("HPK_OTHER_DEPTH", "-1");
  EXPECT_EQ(error_of(value),
            "hpk::initialize: HPK_OTHER_DEPTH has the value '-1'; write an integer of 0 or more");
}

TEST(OptionTable, takes_words_of_backends) {
  static constexpr hpk::seam::backend_option own = {
      "other-care",  "low|high", "care of Other",
      "low or high", 1,          [](std::int64_t v) {
        return v >= 0 && v <= 1; }};
  const auto value = [] { return hpk::seam::backend_value(hpk::seam::current_settings(), own); };
  EXPECT_EQ(value(), 1);
  for (const auto& [word, number] :
       std::vector<std::pair<const char*, int>>{{"low", 0}, {"high", 1}}) {
    const variable set("HPK_OTHER_CARE", word);
    EXPECT_EQ(value(), number);
  }
  for (const char* word : {"", "lo", "lower", "0", "1", "low|high", "|", "HIGH"}) {
    const variable wrong("HPK_OTHER_CARE", word);
    EXPECT_EQ(error_of(value), std::string("hpk::initialize: HPK_OTHER_CARE has the value '") +
                                   word + "'; write low or high");
  }
}

TEST(CommandLine, is_stripped_of_the_flags_of_hpk) {
  const clean_environment none;
  command_line line{"program", "--hpk-num-threads=3",           "--verbose", "--hpk-pin-threads",
                    "file",    "--hpk-print-configuration=off", "-hpk-x",    "--hpkx"};
  const effective_settings found = line.read();
  EXPECT_EQ(line.left(), (words{"program", "--verbose", "file", "-hpk-x", "--hpkx"}));
  EXPECT_TRUE(line.ends());
  EXPECT_EQ(found.values.backend.num_threads, 3);
  EXPECT_TRUE(found.values.backend.pin_workers);
  EXPECT_FALSE(found.values.print_configuration);
  EXPECT_EQ(origins_of(found), (std::vector<origin>{origin::command_line, origin::default_value,
                                                    origin::default_value, origin::command_line,
                                                    origin::command_line, origin::default_value}));
}

TEST(CommandLine, wins_over_the_environment_and_the_last_flag_over_earlier_ones) {
  const clean_environment none;
  const variable threads("HPK_NUM_THREADS", "5");
  command_line line{"program", "--hpk-num-threads=3", "--hpk-num-threads=4"};
  EXPECT_EQ(line.read().values.backend.num_threads, 4);
  EXPECT_EQ(line.left(), words{"program"});
  command_line plain{"program"};
  EXPECT_EQ(plain.read().values.backend.num_threads, 5);
}

TEST(CommandLine, is_left_alone_behind_two_dashes) {
  const clean_environment none;
  command_line line{"program",       "a", "--hpk-num-threads=2", "--", "--hpk-num-threads=3",
                    "--hpk-nonsense"};
  EXPECT_EQ(line.read().values.backend.num_threads, 2);
  EXPECT_EQ(line.left(), (words{"program", "a", "--", "--hpk-num-threads=3", "--hpk-nonsense"}));
  EXPECT_TRUE(line.ends());
}

TEST(CommandLine, says_which_launches_are_inline) {
  const clean_environment none;
  command_line line{"program", "--hpk-inline-launches=64"};
  EXPECT_EQ(line.read().values.backend.inline_launches, 64);
  command_line bare{"program", "--hpk-inline-launches"};
  EXPECT_TRUE(
      contains(error_of([&] { bare.read(); }), "--hpk-inline-launches=on|off|N, with '=' before"));
}

TEST(CommandLine, may_be_empty) {
  const clean_environment none;
  command_line empty(std::initializer_list<const char*>{});
  EXPECT_EQ(empty.read().values.backend.num_threads, 0);
  EXPECT_EQ(empty.argc, 0);
}

TEST(CommandLine, of_an_unknown_flag_names_the_nearest) {
  const clean_environment none;
  for (const auto& [wrong, nearest] : std::vector<std::pair<const char*, const char*>>{
           {"--hpk-num-thread=3", "--hpk-num-threads"},
           {"--hpk-threads=3", "--hpk-num-threads"},
           {"--hpk-pin-thread", "--hpk-pin-threads"},
           {"--hpk-print-config", "--hpk-print-configuration"},
           {"--hpk-device=0", "--hpk-device-id"},
           {"--hpk-disable-warning", "--hpk-disable-warnings"}}) {
    command_line line{"program", "first", wrong};
    const std::string text = error_of([&] { line.read(); });
    const std::string name = std::string(wrong).substr(0, std::string(wrong).find('='));
    EXPECT_EQ(text, "hpk::initialize: there is no flag " + name + "; did you mean " + nearest +
                        "? --hpk-help lists all");
  }
}

TEST(CommandLine, is_untouched_when_it_is_refused) {
  const clean_environment none;
  command_line line{"program", "--hpk-num-threads=3", "a", "b", "--hpk-nonsense"};
  error_of([&] { line.read(); });
  EXPECT_EQ(line.left(), (words{"program", "--hpk-num-threads=3", "a", "b", "--hpk-nonsense"}));
}

TEST(CommandLine, refuses_bad_values_by_flag) {
  const clean_environment none;
  for (const auto& [wrong, message] : std::vector<std::pair<const char*, const char*>>{
           {"--hpk-num-threads=0",
            "--hpk-num-threads has the value '0'; write an integer of 1 or more"},
           {"--hpk-num-threads=",
            "--hpk-num-threads has the value ''; write an integer of 1 or more"},
           {"--hpk-num-threads",
            "--hpk-num-threads has no value; write --hpk-num-threads=N, with '=' before the value: "
            "an integer of 1 or more"},
           {"--hpk-tune",
            "--hpk-tune has no value; write --hpk-tune=PATH, with '=' before the value: a path"},
           {"--hpk-num-threads=2b", "has the value '2b'"},
           {"--hpk-device-id=-1",
            "--hpk-device-id has the value '-1'; write an integer of 0 or more"},
           {"--hpk-pin-threads=2", "--hpk-pin-threads has the value '2'; write true or false"}}) {
    command_line line{"program", wrong};
    EXPECT_TRUE(contains(error_of([&] { line.read(); }), message));
  }
}

TEST(CommandLine, says_where_the_value_of_a_switch_stands) {
  const clean_environment none;
  command_line off{"program", "--hpk-pin-threads", "off"};
  EXPECT_EQ(off.read().warnings,
            words{"--hpk-pin-threads means --hpk-pin-threads=true; the word 'off' after it is left "
                  "to the program: write values after '='"});
  EXPECT_EQ(off.left(), (words{"program", "off"}));
  command_line on{"program", "--hpk-pin-threads", "input.txt"};
  EXPECT_EQ(on.read().warnings, words{});
}

TEST(Environment, of_a_misspelt_variable_names_the_nearest) {
  const clean_environment none;
  for (const auto& [wrong, nearest] : std::vector<std::pair<const char*, const char*>>{
           {"HPK_NUM_THREAD", "HPK_NUM_THREADS"},
           {"HPK_THREADS", "HPK_NUM_THREADS"},
           {"HPK_PROFIL", "HPK_PROFILE"},
           {"HPK_PRINT_CONFIG", "HPK_PRINT_CONFIGURATION"},
           {"HPK_STRICT_DUAL_VIEW", "HPK_STRICT_DUAL_VIEWS"},
           {"HPK_CHECK_DUAL_VIEW", "HPK_CHECK_DUAL_VIEWS"}}) {
    const variable set(wrong, "1");
    EXPECT_EQ(read_settings({}).warnings,
              words{std::string(wrong) + " has no effect: did you mean " + nearest + "?"});
  }
  const variable unknown("HPK_PROGRESSION", "1");
  const auto warnings = read_settings({}).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with(
      "HPK_PROGRESSION has no effect: this hpk has no such setting; the nearest is HPK_"))
      << warnings[0];
}

TEST(Environment, of_a_known_or_foreign_variable_gives_no_warning) {
  const clean_environment none;
  for (const char* own :
       {"HPK_NUM_THREADS", "HPK_MPI_CHECKS", "HPK_CHECK_DUAL_VIEWS", "HPK_ROOT", "HPK_DIR",
        "HPK_HOME", "HPK_VERSION", "HPK_INSTALL_PREFIX", "HPK_TEST_TOOL_LOG", "HPK_", "HPK"}) {
    const variable set(own, "1");
    EXPECT_EQ(read_settings({}).warnings, words{}) << own;
  }
}

TEST(Help, lists_every_option_with_its_value_and_origin) {
  const clean_environment none;
  const variable device("HPK_DEVICE_ID", "4");
  command_line line{"program", "--hpk-help", "--hpk-num-threads=3"};
  const effective_settings found = line.read();
  EXPECT_TRUE(found.values.help);
  EXPECT_EQ(line.left(), words{"program"});
  const std::string text = hpk::detail::help_text(found);
  for (const hpk::detail::option& o : option_table()) {
    EXPECT_TRUE(contains(text, o.flag()));
    EXPECT_TRUE(contains(text, o.variable()));
    EXPECT_TRUE(contains(text, std::string(o.meaning)));
  }
  EXPECT_TRUE(contains(text, "now 3 (command line)"));
  EXPECT_TRUE(contains(text, "now 4 (environment)"));
  EXPECT_TRUE(contains(text, "now false (default)"));
  EXPECT_TRUE(contains(text, "--hpk-help"));
}

TEST(Help, shows_the_words_of_options_of_backends) {
  const clean_environment none;
  const std::string text = hpk::detail::help_text(read_settings({}));
  for (const hpk::detail::option& o : option_table()) {
    if (o.own == nullptr || !contains(std::string(o.takes), "|")) continue;
    EXPECT_TRUE(contains(text, o.flag() + "=" + std::string(o.takes)));
    const std::string meaning(o.meaning);
    const std::string_view after =
        std::string_view(text).substr(text.find(meaning) + meaning.size());
    EXPECT_TRUE(after.starts_with("; now " + o.show({}, o) + " (default)")) << after;
    EXPECT_TRUE(contains(std::string(o.takes), o.show({}, o)));
  }
}

}  // namespace hpk_test::option_table_cases

namespace hpk_test::settings_cases {

using hpk::InitializationSettings;
using hpk::detail::origin;
using hpk::detail::read_settings;

TEST(Settings, keep_what_is_set_and_nothing_else) {
  InitializationSettings settings;
  EXPECT_FALSE(settings.has_num_threads() || settings.has_device_id() ||
               settings.has_pin_threads() || settings.has_disable_warnings() ||
               settings.has_print_configuration());
  settings.set_num_threads(3).set_device_id(0).set_disable_warnings(false);
  settings.set_print_configuration(true).set_pin_threads(true);
  EXPECT_TRUE(settings.has_num_threads() && settings.has_device_id() &&
              settings.has_pin_threads() && settings.has_disable_warnings() &&
              settings.has_print_configuration());
  EXPECT_EQ(settings.get_num_threads(), 3);
  EXPECT_EQ(settings.get_device_id(), 0);
  EXPECT_FALSE(settings.get_disable_warnings());
  EXPECT_TRUE(settings.get_print_configuration());
  EXPECT_TRUE(settings.get_pin_threads());
}

TEST(Settings, say_that_a_value_was_not_set) {
  const std::string message =
      hpk_test::error_of([] { hpk::InitializationSettings().get_num_threads(); });
  EXPECT_NE(message.find("ask has_...() first"), std::string::npos);
}

TEST(Settings, take_program_before_environment_before_default) {
  const clean_environment none;
  EXPECT_EQ(read_settings({}).values.backend.num_threads, 0);
  EXPECT_EQ(read_settings({}).values.backend.device_id, -1);
  EXPECT_EQ(origins_of(read_settings({})), std::vector<origin>(6, origin::default_value));
  const variable threads("HPK_NUM_THREADS", "5");
  const variable pin("HPK_PIN_THREADS", "Yes");
  const variable warnings("HPK_DISABLE_WARNINGS", "1");
  const auto found = read_settings(InitializationSettings().set_disable_warnings(false));
  EXPECT_EQ(found.values.backend.num_threads, 5);
  EXPECT_TRUE(found.values.backend.pin_workers);
  EXPECT_FALSE(found.values.backend.disable_warnings);
  EXPECT_EQ(origins_of(found), (std::vector<origin>{origin::environment, origin::default_value,
                                                    origin::program, origin::default_value,
                                                    origin::environment, origin::default_value}));
  EXPECT_EQ(read_settings(InitializationSettings().set_num_threads(2)).values.backend.num_threads,
            2);
}

TEST(Settings, refuse_bad_values_of_the_environment_by_name) {
  const clean_environment none;
  for (const char* bad : {"0", "-1", "two", "3x", " 3", "3 ", "", "99999999999", "1.5", "0x2"}) {
    const variable threads("HPK_NUM_THREADS", bad);
    EXPECT_EQ(error_of([] { read_settings({}); }),
              std::string("hpk::initialize: HPK_NUM_THREADS has the value '") + bad +
                  "'; write an integer of 1 or more");
  }
  const variable device("HPK_DEVICE_ID", "-1");
  EXPECT_TRUE(contains(error_of([] { read_settings({}); }),
                       "HPK_DEVICE_ID has the value '-1'; write an integer of 0 or more"));
}

TEST(Settings, read_which_launches_are_inline) {
  const clean_environment none;
  const auto inline_launches = [] { return read_settings({}).values.backend.inline_launches; };
  EXPECT_EQ(inline_launches(), -1);
  for (const auto& [text, value] : std::vector<std::pair<const char*, long>>{
           {"on", -1}, {"true", -1}, {"off", 0}, {"0", 0}, {"1", 1}, {"20000", 20000}}) {
    const variable set("HPK_INLINE_LAUNCHES", text);
    EXPECT_EQ(inline_launches(), value) << text;
  }
  for (const char* bad : {"", "-1", "some", "1.5", "99999999999999999999"}) {
    const variable set("HPK_INLINE_LAUNCHES", bad);
    EXPECT_EQ(error_of([] { read_settings({}); }),
              std::string("hpk::initialize: HPK_INLINE_LAUNCHES has the value '") + bad +
                  "'; write on, off or a number of iterations");
  }
  for (const long value : {-1L, 0L, 300L}) {
    const auto given = InitializationSettings().set_inline_launches(value);
    EXPECT_EQ(read_settings(given).values.backend.inline_launches, value);
  }
  EXPECT_TRUE(
      contains(error_of([] { read_settings(InitializationSettings().set_inline_launches(-2)); }),
               "inline-launches"));
  EXPECT_TRUE(contains(hpk::detail::help_text(read_settings({})),
                       "--hpk-inline-launches=on|off|N  HPK_INLINE_LAUNCHES"));
}

TEST(Settings, read_truth_in_any_spelling) {
  const clean_environment none;
  for (const char* yes : {"1", "true", "TRUE", "Yes", "on"}) {
    const variable pin("HPK_PIN_THREADS", yes);
    EXPECT_TRUE(read_settings({}).values.backend.pin_workers) << yes;
  }
  for (const char* no : {"0", "false", "No", "OFF"}) {
    const variable pin("HPK_PIN_THREADS", no);
    const auto found = read_settings({});
    EXPECT_FALSE(found.values.backend.pin_workers) << no;
    EXPECT_EQ(found.origins[4], origin::environment);
  }
  for (const char* bad : {"", "2", "maybe", "truee"}) {
    const variable print("HPK_PRINT_CONFIGURATION", bad);
    EXPECT_TRUE(contains(error_of([] { read_settings({}); }),
                         std::string("HPK_PRINT_CONFIGURATION has the value '") + bad +
                             "'; write true, false or json"));
  }
}

TEST(Settings, refuse_bad_values_of_the_program_by_name) {
  const clean_environment none;
  EXPECT_TRUE(
      contains(error_of([] { read_settings(InitializationSettings().set_num_threads(0)); }),
               "InitializationSettings: num-threads has the value '0'; write an integer of 1"));
  EXPECT_TRUE(
      contains(error_of([] { read_settings(InitializationSettings().set_device_id(-2)); }),
               "InitializationSettings: device-id has the value '-2'; write an integer of 0"));
  EXPECT_TRUE(
      contains(error_of([] { read_settings(InitializationSettings().set_progress("often")); }),
               "InitializationSettings: progress has the value 'often'; write auto, on or off"));
}

TEST(Settings, warn_of_what_has_no_effect) {
  const clean_environment none;
  const auto warnings = [](const InitializationSettings& given) {
    return read_settings(given).warnings;
  };
  EXPECT_EQ(warnings(InitializationSettings()
                         .set_tools_libs("")
                         .set_tools_args("")
                         .set_tools_help(false)
                         .set_tune_internals(false)
                         .set_map_device_id_by("mpi_rank")),
            std::vector<std::string>{});
  const auto asks = InitializationSettings()
                        .set_tools_libs("t.so")
                        .set_tools_args("-v")
                        .set_tools_help(true)
                        .set_tune_internals(true)
                        .set_map_device_id_by("random");
  EXPECT_TRUE(asks.has_tools_libs() && asks.has_tools_args() && asks.has_tools_help() &&
              asks.has_tune_internals() && asks.has_map_device_id_by());
  EXPECT_EQ(asks.get_tools_libs() + asks.get_tools_args() + asks.get_map_device_id_by(),
            "t.so-vrandom");
  EXPECT_EQ(warnings(asks),
            (std::vector<std::string>{
                "InitializationSettings: map_device_id_by has no effect: hpk takes the device of "
                "device_id, else that of the rank"}));
  EXPECT_FALSE(hpk::tune_internals());
}

// A space that is used before initialize reads the environment and reports errors in it.
TEST(Settings, are_read_from_the_environment_at_first_use) {
  const clean_environment none;
  const variable threads("HPK_NUM_THREADS", "many");
  EXPECT_TRUE(contains(error_of([] { static_cast<void>(hpk::seam::current_settings()); }),
                       "HPK_NUM_THREADS has the value 'many'"));
  const variable better("HPK_NUM_THREADS", "7");
  EXPECT_EQ(hpk::seam::current_settings().num_threads, 7);
}

}  // namespace hpk_test::settings_cases
