// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of the files of a program. unit_tests/settings has programs whose files differ.
#include <support/test.hpp>

#include <hpk/base/file_settings.hpp>
#include <hpk/core.hpp>

namespace hpk_test::file_settings_cases {

TEST(FileSettings, count_the_files_of_this_program) {
  const auto all = hpk::detail::records_of_program();
  // The tests are compiled with HPK_CHECKS=1.
  EXPECT_GT(all.files, 0);
  EXPECT_EQ(all.checked, all.files);
  EXPECT_LE(all.asserting, all.files);
  EXPECT_LE(all.optimized, all.files);
  EXPECT_EQ(all.optimized == all.files, all.unoptimized_file.empty());
  EXPECT_EQ(all.default_space, hpk::type_name<hpk::DefaultExecutionSpace>());
}

TEST(FileSettings, that_agree_are_taken_any_number_of_times) {
  for (int k = 0; k < 20; ++k)
    hpk::detail::require_same_setting("count of cooks", "1", "kitchen.cpp", "send one away");
}

TEST(FileSettingsDeathTest, names_both_files_and_values) {
  hpk::detail::require_same_setting("count of pots", "1", "stove.cpp", "take another pot");
  EXPECT_DEATH(
      hpk::detail::require_same_setting("count of pots", "2", "oven.cpp", "take another pot"),
      "files of one program differ in the count of pots: it is 1 in stove.cpp, but 2 in oven.cpp"
      ".*; take another pot");
}

TEST(FileSettingsDeathTest, compares_texts_as_a_whole) {
  hpk::detail::require_same_setting("space", "hpk::Cuda", "a.cpp", "");
  EXPECT_DEATH(hpk::detail::require_same_setting("space", "hpk::CudaUVM", "b.cpp", ""),
               "it is hpk::Cuda in a.cpp, but hpk::CudaUVM in b.cpp");
}

}  // namespace hpk_test::file_settings_cases
