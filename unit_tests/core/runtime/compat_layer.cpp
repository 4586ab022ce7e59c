// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compatibility layer above hpk: its names for the options, its messages about options that hpk
// does not have, and its callbacks at the start and end of a program.
#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <hpk/core.hpp>
#include <hpk/runtime/compat_layer.hpp>

#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace runtime_layer_test {
namespace {

using hpk::detail::compat_event;
using hpk_test::clean_environment;
using hpk_test::variable;

constexpr std::string_view known[] = {"tools"};
std::string_view explain(std::string_view name) {
  return name == "tools" ? "there are none" : std::string_view();
}
std::vector<compat_event> events;
bool refuses = false;
void tell(compat_event event) {
  if (refuses) throw std::runtime_error("not now");
  events.push_back(event);
}
constexpr hpk::detail::compat_layer above{"--other-",        "OTHER_",        &explain,
                                          std::begin(known), std::end(known), &tell};

// Installs the layer for a test.
class Layer : public testing::Test {
 public:
  Layer() {
    events.clear();
    refuses = false;
    hpk::detail::set_compat_layer(&above);
  }
  ~Layer() override {
    hpk::detail::set_compat_layer(nullptr);
    if (hpk::is_initialized()) hpk::finalize();
  }

 protected:
  // Calls initialize() with the words. Returns the words that it leaves; `said` is its standard
  // error.
  std::vector<std::string> start(std::vector<std::string> words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(words.size());
    testing::internal::CaptureStderr();
    hpk::initialize(argc, argv.data());
    error_output = testing::internal::GetCapturedStderr();
    return {argv.begin(), argv.begin() + argc};
  }
  std::string error_output;
  const clean_environment none;
};

using words = std::vector<std::string>;

TEST_F(Layer, has_words_of_its_own_for_every_option) {
  EXPECT_EQ(start({"program", "--other-disable-warnings", "x", "--hpk-num-threads=1"}),
            (words{"program", "x"}));
  EXPECT_FALSE(hpk::show_warnings());
  EXPECT_EQ(hpk::num_threads(), 1);
  EXPECT_EQ(error_output, "");
}

TEST_F(Layer, is_read_in_the_environment_behind_hpks_own_variables) {
  {
    const variable of_layer("OTHER_DISABLE_WARNINGS", "yes");
    start({"program"});
    EXPECT_FALSE(hpk::show_warnings());
    hpk::finalize();
    const variable of_hpk("HPK_DISABLE_WARNINGS", "no");
    start({"program"});
    EXPECT_TRUE(hpk::show_warnings());
    hpk::finalize();
  }
  const variable wrong("OTHER_NUM_THREADS", "many");
  hpk_test::expect_error([&] { start({"program"}); },
                         {"OTHER_NUM_THREADS has the value 'many'; write an integer of 1 or more"});
  testing::internal::GetCapturedStderr();
}

TEST_F(Layer, says_why_what_its_users_know_has_no_effect) {
  const variable of_layer("OTHER_TOOLS", "x");
  EXPECT_EQ(start({"program", "--other-tools=y", "--other-thing", "--others"}),
            (words{"program", "--other-thing", "--others"}));
  EXPECT_EQ(error_output,
            "hpk: OTHER_TOOLS has no effect: there are none\n"
            "hpk: --other-tools has no effect: there are none\n"
            "hpk: --other-thing has no effect: there is no such flag\n");
}

TEST_F(Layer, says_what_a_misspelt_name_is_like) {
  const variable of_layer("OTHER_NUM_THREAD", "1");
  EXPECT_EQ(start({"program", "--other-num-thread=1"}), (words{"program", "--other-num-thread=1"}));
  EXPECT_EQ(error_output,
            "hpk: OTHER_NUM_THREAD has no effect: did you mean OTHER_NUM_THREADS?\n"
            "hpk: --other-num-thread has no effect: there is no such flag; did you mean "
            "--other-num-threads?\n");
}

TEST_F(Layer, is_silent_where_warnings_are_muted) {
  start({"program", "--other-tools=y", "--other-disable-warnings"});
  EXPECT_EQ(error_output, "");
}

TEST_F(Layer, is_told_of_guards) {
  {
    const hpk::ScopeGuard guard;
    EXPECT_EQ(events, (std::vector{compat_event::guard_begins, compat_event::initialize}));
    hpk::finalize();
    events.clear();
  }
  EXPECT_EQ(events, std::vector{compat_event::guard_ends_late});
}

TEST_F(Layer, is_told_of_start_and_end_beforehand) {
  start({"program"});
  EXPECT_EQ(events, std::vector{compat_event::initialize});
  hpk::finalize();
  EXPECT_EQ(events, (std::vector{compat_event::initialize, compat_event::finalize}));
  hpk::initialize();
  EXPECT_EQ(events.size(), 3u);
  refuses = true;
  EXPECT_THROW(hpk::finalize(), std::runtime_error);
  EXPECT_TRUE(hpk::is_initialized());
  refuses = false;
}

TEST(NoLayer, leaves_foreign_flags_to_the_program) {
  const clean_environment none;
  std::string words[] = {"program", "--other-disable-warnings"};
  char* argv[] = {words[0].data(), words[1].data(), nullptr};
  int argc = 2;
  hpk::initialize(argc, argv);
  EXPECT_EQ(argc, 2);
  EXPECT_TRUE(hpk::show_warnings());
  hpk::finalize();
}

}  // namespace
}  // namespace runtime_layer_test
