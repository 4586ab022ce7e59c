// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/core.hpp>

#include <c/support.hpp>

#include <thread>

using namespace c_test;

TEST(CInterface, names_its_version) {
  int major = -1;
  int minor = -1;
  hpk_c_version(&major, &minor);
  EXPECT_EQ(major, HPK_C_VERSION_MAJOR);
  EXPECT_EQ(minor, HPK_C_VERSION_MINOR);
  hpk_c_version(nullptr, nullptr);
  EXPECT_STREQ(hpk_version(), hpk::version);
}

TEST(CInterface, lists_the_spaces_of_the_build) {
  int count = 0;
  hpk::for_each_space([&](auto space) {
    using exec = decltype(space);
    EXPECT_STREQ(hpk_space_name(count++), exec::name());
    EXPECT_STREQ(hpk_memory_space(exec::name()), exec::memory_space::name());
    constexpr bool reached =
        hpk::SpaceAccessibility<hpk::HostSpace, typename exec::memory_space>::accessible;
    EXPECT_EQ(hpk_is_host_accessible(exec::memory_space::name()), reached ? 1 : 0);
  });
  EXPECT_EQ(hpk_space_count(), count);
  EXPECT_EQ(hpk_space_name(count), nullptr);
  EXPECT_EQ(hpk_space_name(-1), nullptr);
  EXPECT_STREQ(hpk_default_space(), hpk::DefaultExecutionSpace::name());
  EXPECT_STREQ(hpk_default_host_space(), hpk::DefaultHostExecutionSpace::name());
  EXPECT_EQ(hpk_memory_space("Vulkan"), nullptr);
  EXPECT_EQ(hpk_memory_space(nullptr), nullptr);
  EXPECT_EQ(hpk_is_host_accessible("Vulkan"), -1);
  EXPECT_EQ(hpk_is_host_accessible("Host"), 1);
}

TEST(CInterface, starts_and_ends) {
  EXPECT_EQ(hpk_is_initialized(), 0);
  expect_error(hpk_initialize(-1, -1), HPK_INVALID_ARGUMENT, "num_threads is -1");
  expect_error(hpk_initialize(0, -2), HPK_INVALID_ARGUMENT, "device_id is -2");
  ASSERT_EQ(hpk_initialize(2, -1), HPK_OK) << hpk_last_error();
  EXPECT_EQ(hpk_is_initialized(), 1);
  EXPECT_EQ(hpk_initialize(2, -1), HPK_ERROR);
  EXPECT_EQ(hpk_fence(nullptr), HPK_OK);
  EXPECT_EQ(hpk_fence("all"), HPK_OK);
  EXPECT_EQ(hpk_finalize(), HPK_OK);
  EXPECT_EQ(hpk_is_initialized(), 0);
  EXPECT_EQ(hpk_finalize(), HPK_ERROR);
}

TEST(CInterface, writes_the_configuration) {
  const std::size_t length = hpk_configuration(nullptr, 0, 0);
  std::string text(length + 1, '?');
  EXPECT_EQ(hpk_configuration(text.data(), text.size(), 0), length);
  EXPECT_NE(text.find(hpk::version), std::string::npos) << text;
  char cut[5] = "????";
  EXPECT_EQ(hpk_configuration(cut, sizeof cut, 0), length);
  EXPECT_EQ(std::string(cut), text.substr(0, 4));
}

TEST(CInterface, opens_and_closes_regions) {
  EXPECT_EQ(hpk_push_region("phase"), HPK_OK);
  EXPECT_EQ(hpk_pop_region(), HPK_OK);
  expect_error(hpk_push_region(nullptr), HPK_INVALID_ARGUMENT, "name is null");
}

TEST(CInterface, reports_errors_after_the_end_of_a_thread) {
  static std::string text;
  std::thread([] {
    struct late {
      ~late() {
        EXPECT_EQ(hpk_push_region(nullptr), HPK_INVALID_ARGUMENT);
        text = hpk_last_error();
      }
    };
    // It is destroyed after the text of the error, which is made later.
    thread_local late object;
    static_cast<void>(&object);
    expect_error(hpk_push_region(nullptr), HPK_INVALID_ARGUMENT, "name is null");
  }).join();
  EXPECT_EQ(text, "hpk: an error after the end of the thread");
}

TEST(CInterface, has_an_error_text_for_each_thread) {
  expect_error(hpk_push_region(nullptr), HPK_INVALID_ARGUMENT, "hpk_push_region");
  std::thread([] { EXPECT_STREQ(hpk_last_error(), ""); }).join();
  EXPECT_EQ(hpk_set_last_error(HPK_ERROR, "of the program"), HPK_ERROR);
  EXPECT_STREQ(hpk_last_error(), "of the program");
}
