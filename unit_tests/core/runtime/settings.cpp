// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings: what a program sets is read back, unset fields say so, and the values that reach
// backends are those of the program, else of the environment, else of the defaults; bad ones are
// refused by name.
#include "support/environment.hpp"
#include "support/spaces.hpp"

#include <string>
#include <vector>

namespace hpk_test::settings_cases {

using hpk::InitializationSettings;
using hpk::detail::origin;
using hpk::detail::read_settings;

TEST(Settings, KeepWhatIsSetAndNothingElse) {
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

TEST(Settings, TakeProgramBeforeEnvironmentBeforeDefault) {
  const clean_environment none;
  EXPECT_EQ(read_settings({}).values.backend.num_threads, 0);
  EXPECT_EQ(read_settings({}).values.backend.device_id, -1);
  EXPECT_EQ(read_settings({}).origins, std::vector<origin>(5, origin::default_value));
  const variable threads("HPK_NUM_THREADS", "5");
  const variable pin("HPK_PIN_THREADS", "Yes");
  const variable warnings("HPK_DISABLE_WARNINGS", "1");
  const auto found = read_settings(InitializationSettings().set_disable_warnings(false));
  EXPECT_EQ(found.values.backend.num_threads, 5);
  EXPECT_TRUE(found.values.backend.pin_workers);
  EXPECT_FALSE(found.values.backend.disable_warnings);
  EXPECT_EQ(found.origins,
            (std::vector<origin>{origin::environment, origin::default_value, origin::program,
                                 origin::default_value, origin::environment}));
  EXPECT_EQ(read_settings(InitializationSettings().set_num_threads(2)).values.backend.num_threads,
            2);
}

TEST(Settings, RefuseBadValuesOfTheEnvironmentByName) {
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

TEST(Settings, ReadTruthInAnySpelling) {
  const clean_environment none;
  for (const char* yes : {"1", "true", "TRUE", "Yes", "on"}) {
    const variable pin("HPK_PIN_THREADS", yes);
    EXPECT_TRUE(read_settings({}).values.backend.pin_workers) << yes;
  }
  for (const char* no : {"0", "false", "No", "OFF"}) {
    const variable pin("HPK_PIN_THREADS", no);
    const auto found = read_settings({});
    EXPECT_FALSE(found.values.backend.pin_workers) << no;
    EXPECT_EQ(found.origins.back(), origin::environment);
  }
  for (const char* bad : {"", "2", "maybe", "truee"}) {
    const variable print("HPK_PRINT_CONFIGURATION", bad);
    EXPECT_TRUE(contains(
        error_of([] { read_settings({}); }),
        std::string("HPK_PRINT_CONFIGURATION has the value '") + bad + "'; write true or false"));
  }
}

TEST(Settings, RefuseBadValuesOfTheProgramByName) {
  const clean_environment none;
  EXPECT_TRUE(
      contains(error_of([] { read_settings(InitializationSettings().set_num_threads(0)); }),
               "InitializationSettings: num-threads has the value '0'; write an integer of 1"));
  EXPECT_TRUE(
      contains(error_of([] { read_settings(InitializationSettings().set_device_id(-2)); }),
               "InitializationSettings: device-id has the value '-2'; write an integer of 0"));
}

// A space that is used before initialize reads the environment; so do its errors.
TEST(Settings, AreReadFromTheEnvironmentAtFirstUse) {
  const clean_environment none;
  const variable threads("HPK_NUM_THREADS", "many");
  EXPECT_TRUE(contains(error_of([] { static_cast<void>(hpk::seam::current_settings()); }),
                       "HPK_NUM_THREADS has the value 'many'"));
  const variable better("HPK_NUM_THREADS", "7");
  EXPECT_EQ(hpk::seam::current_settings().num_threads, 7);
}

}  // namespace hpk_test::settings_cases
