// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of HPK_GPU_LIMITS: each quantity below and above its limit, invalid files, and the
// exit status of a program that violates a limit.
#include <support/gpu_counts.hpp>

#include <cstdlib>

namespace hpk_test::gpu_limits_cases {

hpk::seam::launch_counts kernel() {
  auto l = transpose("k");
  auto s = floats("tile", "LayoutRight", 0, 40, 100, 0);
  s.kind = hpk::seam::access_kind::scratch;
  s.ideal_sectors = 0;
  s.bank_cycles = 200;
  s.ideal_bank_cycles = 100;
  auto a = floats("sum", "LayoutRight", -1, 50, 100, 1);
  a.kind = hpk::seam::access_kind::atomic;
  a.ideal_sectors = a.sectors;
  a.serial_atomics = 800;
  l.accesses.push_back(s);
  l.accesses.push_back(a);
  return l;
}

// Runs a program with limits and ends it as main does.
void run(const std::string& limits) {
  {
    const hpk::ScopeGuard scope(hpk::InitializationSettings()
                                    .set_gpu_model(file_of("toy.txt", toy_model))
                                    .set_gpu_limits(file_of("limits.txt", limits)));
    tell(kernel());
    tell(kernel());
    hpk::seam::copy_counts c;
    c.to_device = true;
    c.bytes = 1000;
    tell(c);
    c.is_repeated = true;
    tell(c);
  }
  std::fputs("went on to its end\n", stderr);
  std::exit(0);
}

TEST(GpuLimitsDeathTest, end_with_status_3_and_name_value_limit_and_place) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run("# of the CI\n\nkernel \"k\" sectors-per-request <= 8 # was 4\n"),
              testing::ExitedWithCode(3),
              "hpk: kernel parallel_for \"k\": sectors-per-request is 32, at most 8 is demanded by "
              ".*limits.txt:3; see heat.cpp:31\nwent on to its end");
  EXPECT_EXIT(
      run("kernel \"other\" launches <= 1\nkernel * launches <= 1\n"), testing::ExitedWithCode(3),
      "kernel \"other\" did not run on hpk::Emu, but .*limits.txt:1 limits it\n.*launches is 2, "
      "at most 1");
  EXPECT_EXIT(
      run("kernel * sectors-per-request <= 32\nkernel \"k\" bank-conflicts <= 2\n"
          "kernel * lanes-per-atomic <= 8\nkernel * launches <= 2\nkernel * efficiency >= 0.2\n"
          "kernel * active-lanes >= 1\nkernel * microseconds <= 5\ncopies <= 2\n"
          "repeated-copies <= 1\ncopied-bytes <= 2000\n"),
      testing::ExitedWithCode(0), "^went on");
  for (const char* violated :
       {"kernel \"k\" bank-conflicts <= 1.9", "kernel * lanes-per-atomic <= 7.9",
        "kernel * efficiency >= 0.3", "kernel * active-lanes >= 1.01", "kernel * microseconds <= 4",
        "copies <= 1", "repeated-copies <= 0", "copied-bytes <= 1999"})
    EXPECT_EXIT(run(violated), testing::ExitedWithCode(3), "is demanded by") << violated;
}

TEST(GpuLimits, name_the_line_that_is_wrong_before_the_program_works) {
  const auto error_of = [](const std::string& limits) {
    try {
      hpk::initialize(hpk::InitializationSettings().set_gpu_limits(file_of("limits.txt", limits)));
    } catch (const hpk::error& wrong) {
      EXPECT_FALSE(hpk::is_initialized());
      return std::string(wrong.what());
    }
    hpk::finalize();
    return std::string("none");
  };
  const auto expect = [&](const std::string& limits, const std::string& part) {
    EXPECT_NE(error_of(limits).find(part), std::string::npos) << error_of(limits);
  };
  expect("copies <= 1\nkernel \"k\" sectors <= 8",
         "limits.txt:2: there is no limit 'sectors'; write one "
         "of sectors-per-request, bank-conflicts");
  expect("launches <= 1",
         "limits.txt:1: there is no limit 'launches'; write one of copies, "
         "repeated-copies, copied-bytes; limits of kernels begin with 'kernel");
  expect("kernel k launches <= 1", "'kernel' is followed by neither a label in quotes nor '*'");
  expect("kernel \"k launches <= 1", "the label of the kernel has no end");
  expect("copies < 1", "'copies' is followed by '<'; write '<=' or '>='");
  expect("copies <= few", "the limit 'few' is no number; write '... <= 8'");
  expect("copies <= 1 2", "'2' is left over; write one limit in a line");
  EXPECT_EQ(error_of("# none\n"), "none");
  EXPECT_THROW(hpk::initialize(hpk::InitializationSettings().set_gpu_limits("/nowhere/limits")),
               hpk::error);
}

}  // namespace hpk_test::gpu_limits_cases
