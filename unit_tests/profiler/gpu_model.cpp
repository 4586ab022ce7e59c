// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models of GPUs: built-in ones, files of a user, and the errors of both.
#include <support/gpu_counts.hpp>

#include <hpk/profiler/gpu_model.hpp>

namespace hpk_test::gpu_model_cases {

using hpk::detail::find_gpu_model;
using hpk::detail::occupancy_of;

std::string error_of(const std::string& model) {
  try {
    find_gpu_model(model);
  } catch (const hpk::error& wrong) {
    return wrong.what();
  }
  return "none";
}
#define HPK_EXPECT_ERROR(model, part) \
  EXPECT_NE(error_of(model).find(part), std::string::npos) << error_of(model)

TEST(GpuModel, has_three_devices_compiled_in) {
  EXPECT_EQ(find_gpu_model("h100").multiprocessors, 132);
  EXPECT_EQ(find_gpu_model("a100").multiprocessors, 108);
  EXPECT_EQ(find_gpu_model("mi300a").multiprocessors, 228);
  EXPECT_EQ(find_gpu_model("mi300a").subgroup, 64);
  EXPECT_EQ(find_gpu_model("h100").dram_bandwidth, 3.35e12);
  int models = 0;
  for (const auto* m = hpk::detail::embedded_gpu_models; m->name != nullptr; ++m) {
    ++models;
    // Each value has a source.
    std::istringstream lines(m->text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("#") && !line.starts_with("name")) {
        EXPECT_NE(line.find("  # "), std::string::npos) << m->name << ": " << line;
      }
    }
  }
  EXPECT_EQ(models, 3);
}

TEST(GpuModel, rejects_what_it_does_not_understand) {
  HPK_EXPECT_ERROR("h200", "there is no model and no file 'h200'; write one of a100, h100, mi300a");
  const std::string toy = toy_model;
  HPK_EXPECT_ERROR(file_of("model", toy + "clok = 3\n"),
                   "model:22: there is no key 'clok'; did you mean 'clock'?");
  HPK_EXPECT_ERROR(file_of("model", toy + "clock = fast\n"),
                   "model:22: 'clock' has the value 'fast'; write a positive number");
  HPK_EXPECT_ERROR(file_of("model", toy + "clock = -1\n"), "'clock' has the value '-1'");
  HPK_EXPECT_ERROR(file_of("model", toy + "clock\n"), "model:22: there is no '='");
  HPK_EXPECT_ERROR(file_of("model", "banks = 32\n"), "the key 'sector_bytes' is missing");
  EXPECT_EQ(error_of(file_of("model", toy)), "none");
  EXPECT_THROW(
      hpk::initialize(hpk::InitializationSettings().set_profile("gpu").set_gpu_model("h200")),
      hpk::error);
  EXPECT_FALSE(hpk::is_initialized());
}

TEST(GpuModel, knows_how_many_groups_are_there_at_once) {
  const auto toy = find_gpu_model(file_of("model", toy_model));
  EXPECT_EQ(occupancy_of(toy, 32, 0).groups, 32);
  EXPECT_STREQ(occupancy_of(toy, 32, 0).limit, "groups");
  EXPECT_EQ(occupancy_of(toy, 32, 0).lanes, 0.5);
  EXPECT_EQ(occupancy_of(toy, 1000, 0).groups, 2);  // uses 1024 lanes
  EXPECT_EQ(occupancy_of(toy, 256, 20000).groups, 3);
  EXPECT_EQ(occupancy_of(toy, 256, 20000).groups_without_scratch, 8);
  EXPECT_EQ(occupancy_of(toy, 256, 40000).groups, 0);
  EXPECT_EQ(occupancy_of(toy, 2048, 0).groups, 0);
}

}  // namespace hpk_test::gpu_model_cases
