// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emu's options: from the environment and the program, refused values, and the command that replays
// a run.
#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <hpk/backends/emu/options.hpp>

#include <cctype>
#include <string_view>

namespace hpk_test::emu_options_cases {

using hpk::emu::current_options;

TEST(EmuOptions, come_from_the_program) {
  const clean_environment none;
  {
    const hpk::ScopeGuard guard(hpk::InitializationSettings()
                                    .set_num_threads(1)
                                    .set_option("emu-seed", 3)
                                    .set_option("emu-seed", 9)
                                    .set_option("emu-subgroup", 8)
                                    .set_option("emu-delay", 1));
    EXPECT_EQ(current_options().seed, 9u);
    EXPECT_EQ(current_options().subgroup, 8);
    EXPECT_TRUE(current_options().delay);
    EXPECT_EQ(hpk::emu::replay(),
              "HPK_EMU_SEED=9 HPK_EMU_SUBGROUP=8 HPK_EMU_RACES=0 HPK_EMU_DELAY=1 HPK_EMU_MIRRORS=0 "
              "HPK_EMU_CAPTURES=0 HPK_EMU_DEVICES=1 HPK_NUM_THREADS=1");
    EXPECT_EQ(hpk::Emu().instance().properties().subgroup, 8);
  }
  const hpk::ScopeGuard guard;
  EXPECT_EQ(current_options().seed, 0u);
  EXPECT_EQ(current_options().subgroup, 32);
  EXPECT_FALSE(current_options().delay);
}

TEST(EmuOptions, are_all_in_the_line_that_replays) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-check", "fast"));
  const std::string line = " " + hpk::emu::replay();
  for (const hpk::seam::backend_option& row : hpk::emu::option_rows) {
    std::string variable = " HPK_";
    for (const char c : row.name) {
      variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    EXPECT_TRUE(contains(line, variable + "=")) << line;
  }
}

TEST(EmuOptions, take_the_word_for_all_detectors) {
  const clean_environment none;
  const hpk::ScopeGuard guard(
      hpk::InitializationSettings().set_num_threads(2).set_option("emu-check", "all"));
  EXPECT_EQ(current_options().check, hpk::emu::check_level::all);
  EXPECT_EQ(hpk::emu::replay(),
            "HPK_EMU_CHECK=all HPK_EMU_SEED=1 HPK_EMU_SUBGROUP=32 HPK_EMU_RACES=1 HPK_EMU_DELAY=1 "
            "HPK_EMU_MIRRORS=1 HPK_EMU_CAPTURES=1 HPK_EMU_DEVICES=1 HPK_NUM_THREADS=1");
}

TEST(EmuOptions, win_over_the_word_for_all) {
  const clean_environment none;
  const variable check("HPK_EMU_CHECK", "all");
  const variable races("HPK_EMU_RACES", "0");
  const variable seed("HPK_EMU_SEED", "0");
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-mirrors", 0));
  EXPECT_FALSE(current_options().races);
  EXPECT_FALSE(current_options().mirrors);
  EXPECT_EQ(current_options().seed, 0u);
  EXPECT_TRUE(current_options().captures);
  EXPECT_TRUE(current_options().delay);
}

TEST(EmuOptions, win_over_the_word_for_speed) {
  const clean_environment none;
  {
    const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-check", "fast"));
    EXPECT_FALSE(current_options().watches_mirrors());
    EXPECT_FALSE(current_options().races);
  }
  const hpk::ScopeGuard guard(hpk::InitializationSettings()
                                  .set_option("emu-check", "fast")
                                  .set_option("emu-mirrors", 1)
                                  .set_option("emu-races", "yes"));
  EXPECT_TRUE(current_options().watches_mirrors());
  EXPECT_TRUE(current_options().races);
  EXPECT_FALSE(current_options().captures);
}

// finalize drops the values of the program. The next use reads the options again.
TEST(EmuOptions, end_with_finalize) {
  const clean_environment none;
  {
    const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-races", 1));
    EXPECT_TRUE(current_options().races);
  }
  EXPECT_FALSE(current_options().races);
}

// The device id refers to a real GPU of the machine.
TEST(EmuOptions, leave_a_device_alone_that_emu_has_not) {
  const clean_environment none;
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_device_id(3));
  EXPECT_EQ(hpk::Emu().instance().device(), 0);
}

TEST(EmuOptions, come_from_the_environment) {
  const clean_environment none;
  const variable seed("HPK_EMU_SEED", "12");
  const variable delay("HPK_EMU_DELAY", "yes");
  const hpk::ScopeGuard guard;
  EXPECT_EQ(current_options().seed, 12u);
  EXPECT_TRUE(current_options().delay);
}

TEST(EmuOptions, refuse_what_is_no_value) {
  const clean_environment none;
  const auto text = [](const char* name, long value) {
    return error_of(
        [&] { hpk::initialize(hpk::InitializationSettings().set_option(name, value)); });
  };
  EXPECT_TRUE(
      contains(text("emu-subgroup", 5), "emu-subgroup has the value '5'; write a power of"));
  EXPECT_TRUE(contains(text("emu-subgroup", 128), "a power of two from 1 to 64"));
  EXPECT_TRUE(contains(text("emu-seed", -1), "an integer of 0 or more"));
  EXPECT_TRUE(contains(text("emu-sed", 1), "no enabled backend has the option 'emu-sed'"));
  for (const char* word : {"", "al", "alll", "ALL", "1", "fast|default"}) {
    EXPECT_TRUE(
        contains(error_of([&] {
                   hpk::initialize(hpk::InitializationSettings().set_option("emu-check", word));
                 }),
                 std::string("emu-check has the value '") + word + "'; write fast, default or all"))
        << word;
  }
  const variable subgroup("HPK_EMU_SUBGROUP", "all");
  EXPECT_TRUE(contains(error_of([] { hpk::initialize(); }),
                       "HPK_EMU_SUBGROUP has the value 'all'; write a power of two from 1 to 64"));
}

}  // namespace hpk_test::emu_options_cases
