// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a Progress, with given times, and that it shows nothing in a test without a terminal.
// unit_tests/progress has the lines on a terminal.
#include <hpk/runtime/progress_text.hpp>

#include <hpk/progress.hpp>

#include <support/test.hpp>

#include <string>

namespace runtime_progress_text_test {
namespace {

using hpk::detail::progress_text;
using hpk::detail::short_progress_text;

TEST(ProgressText, has_count_rate_and_remaining_time) {
  EXPECT_EQ(progress_text({.label = "steps", .done = 37, .total = 100, .seconds = 3}),
            "steps   37/100  37 %  12.3/s  0:05 left");
  EXPECT_EQ(progress_text({.label = "steps", .done = 0, .total = 100, .seconds = 3}),
            "steps    0/100  0 %");
  EXPECT_EQ(progress_text({.label = "a", .done = 999, .total = 1000, .seconds = 0}),
            "a   999/1000  99 %");
  EXPECT_EQ(progress_text({.label = "a", .done = 10, .total = 20, .first = 5, .seconds = 5}),
            "a  10/20  50 %  1.00/s  0:10 left");
}

TEST(ProgressText, says_at_the_end_how_long_it_took) {
  EXPECT_EQ(
      progress_text({.label = "a", .done = 100, .total = 100, .seconds = 75.2, .is_over = true}),
      "a  100/100  100 %  1.33/s  1:15");
  EXPECT_EQ(progress_text({.label = "a", .done = 7, .total = 100, .seconds = 0.1, .is_over = true}),
            "a    7/100  7 %  70.0/s  0:00");
}

TEST(ProgressText, of_any_total) {
  EXPECT_EQ(progress_text({.label = "a", .done = 7, .seconds = 2}), "a  7  3.50/s  0:02");
  EXPECT_EQ(progress_text({.label = "a", .done = 0, .seconds = 2}), "a  0  0:02");
  EXPECT_EQ(progress_text({.label = "a", .done = 0, .total = 0, .seconds = 2}), "a  0/0  100 %");
  EXPECT_EQ(progress_text({.label = "a", .done = 3, .total = 2, .seconds = 3}),
            "a  3/2  150 %  1.00/s");
  EXPECT_EQ(progress_text({.label = "a",
                           .done = 1'000'000'000'000'000,
                           .total = 4'000'000'000'000'000,
                           .seconds = 1000}),
            "a  1000000000000000/4000000000000000  25 %  1000G/s  50:00 left");
}

TEST(ProgressText, has_readable_rates_and_times) {
  const auto text = [](std::int64_t done, double seconds) {
    return progress_text({.label = "", .done = done, .seconds = seconds}).substr(2);
  };
  EXPECT_EQ(text(1, 4), "1  4.00 s each  0:04");
  EXPECT_EQ(text(1, 90), "1  1:30 each  1:30");
  EXPECT_EQ(text(1000, 1000), "1000  1.00/s  16:40");
  EXPECT_EQ(text(123456, 1), "123456  123k/s  0:01");
  EXPECT_EQ(text(9999, 1), "9999  10.0k/s  0:01");
  EXPECT_EQ(text(5'000'000'000, 2), "5000000000  2.50G/s  0:02");
  EXPECT_EQ(text(1, 3723), "1  1:02:03 each  1:02:03");
  EXPECT_EQ(
      progress_text({.label = "", .done = 1, .total = 1'000'000'000, .seconds = 1e4}).substr(2),
      "         1/1000000000  0 %  2:46:40 each  years left");
}

TEST(ProgressText, of_inner_loops_is_short) {
  EXPECT_EQ(short_progress_text({.label = "cells", .done = 7, .total = 100, .seconds = 2}),
            "cells    7/100  7 %");
  EXPECT_EQ(short_progress_text({.label = "cells", .done = 7}), "cells  7");
}

TEST(ProgressLine, is_silent_without_a_terminal) {
  testing::internal::CaptureStderr();
  {
    hpk::Progress steps("steps", 1000);
    hpk::Progress cells("cells");
    steps.start_at(10);
    for (int k = 0; k < 1000; ++k) {
      ++steps;
      cells += 2;
      steps.update(k);
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace runtime_progress_text_test
