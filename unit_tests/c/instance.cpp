// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/core.hpp>

#include <hpk/c/instance.hpp>

#include <c/support.hpp>

using namespace c_test;

TEST(CInstance, is_one_of_its_space) {
  for (const std::string& space : spaces()) {
    for (const int is_default : {0, 1}) {
      hpk_instance* instance = nullptr;
      ASSERT_EQ(hpk_instance_create(space.c_str(), is_default, &instance), HPK_OK)
          << hpk_last_error();
      EXPECT_EQ(hpk_instance_space(instance), space);
      EXPECT_GE(hpk_instance_concurrency(instance), 1);
      EXPECT_EQ(hpk_instance_fence(instance, nullptr), HPK_OK);
      EXPECT_EQ(hpk_instance_fence(instance, "one"), HPK_OK);
      hpk_instance_destroy(instance);
    }
  }
  hpk_instance_destroy(nullptr);
}

TEST(CInstance, is_the_instance_of_kernels) {
  hpk::for_each_space([&](auto space) {
    using exec = decltype(space);
    hpk_instance* instance = nullptr;
    ASSERT_EQ(hpk_instance_create(exec::name(), 0, &instance), HPK_OK);
    EXPECT_EQ(hpk::from_c<exec>(instance), hpk::from_c<exec>(instance));
    EXPECT_NE(hpk::from_c<exec>(instance), exec());
    EXPECT_EQ(hpk::from_c<exec>(static_cast<hpk_instance*>(nullptr)), exec());
    hpk_instance_destroy(instance);
  });
}

TEST(CInstance, of_another_space_is_an_error) {
  hpk_instance* instance = nullptr;
  expect_error(hpk_instance_create("Vulkan", 0, &instance), HPK_INVALID_ARGUMENT,
               "hpk_instance_create: there is no execution space 'Vulkan'; this hpk has ");
  EXPECT_EQ(instance, nullptr);
  expect_error(hpk_instance_create("Serial", 0, nullptr), HPK_INVALID_ARGUMENT, "instance is null");
  expect_error(hpk_instance_fence(nullptr, nullptr), HPK_INVALID_ARGUMENT, "instance is null");
  EXPECT_EQ(hpk_instance_space(nullptr), nullptr);
  EXPECT_EQ(hpk_instance_concurrency(nullptr), 0);
  if (hpk_memory_space("Serial") == nullptr || hpk_memory_space("Emu") == nullptr) return;
  ASSERT_EQ(hpk_instance_create("Serial", 0, &instance), HPK_OK);
  view x = make(HPK_TYPE_FLOAT64, {3}, "Emu");
  hpk_scalar sum;
  expect_error(hpk_reduce(x, "sum", instance, &sum), HPK_TYPE_MISMATCH,
               "hpk_reduce \"x\": kernels of Serial can't access memory of Emu");
  hpk_instance_destroy(instance);
}
