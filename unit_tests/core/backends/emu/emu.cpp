// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emu as programs see it: spaces and the memory that they can access, launches that return early
// and run in the order of their instance, and Views that live as long as the kernels that captured
// them.
#include <support/emu_gate.hpp>
#include <support/environment.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace hpk_test::emu_cases {

using hpk::Emu;
using hpk::EmuHostPinnedSpace;
using hpk::EmuManagedSpace;
using hpk::EmuSpace;
using hpk::View;

static_assert(hpk::is_execution_space_v<Emu> && hpk::is_memory_space_v<EmuSpace> &&
              hpk::is_memory_space_v<EmuManagedSpace> &&
              hpk::is_memory_space_v<EmuHostPinnedSpace>);
static_assert(std::is_same_v<Emu::memory_space, EmuSpace> &&
              std::is_same_v<Emu::array_layout, hpk::LayoutLeft>);
static_assert(hpk::SpaceAccessibility<Emu, EmuSpace>::accessible &&
              hpk::SpaceAccessibility<Emu, EmuManagedSpace>::accessible &&
              hpk::SpaceAccessibility<Emu, EmuHostPinnedSpace>::accessible &&
              !hpk::SpaceAccessibility<Emu, hpk::HostSpace>::accessible);
using host = hpk::DefaultHostExecutionSpace;
static_assert(!hpk::SpaceAccessibility<host, EmuSpace>::accessible &&
              hpk::SpaceAccessibility<host, EmuManagedSpace>::accessible &&
              hpk::SpaceAccessibility<host, EmuHostPinnedSpace>::accessible);
#ifndef HPK_DEFAULT_EXECUTION_SPACE
static_assert(!std::is_same_v<hpk::DefaultExecutionSpace, Emu>, "never unless asked (R3)");
#endif

TEST(Emu, has_the_names_that_programs_know) {
  EXPECT_STREQ(Emu::name(), "Emu");
  EXPECT_STREQ(EmuSpace::name(), "Emu");
  EXPECT_STREQ(EmuManagedSpace::name(), "EmuManaged");
  EXPECT_STREQ(EmuHostPinnedSpace::name(), "EmuHostPinned");
}

TEST(Emu, returns_before_the_work_is_done) {
  wait_at_gate(Emu());
  hpk::parallel_for("after", hpk::RangePolicy<Emu>(0, 1), [](int) { ++done; });
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(done, 0);
  gate = true;
  Emu().fence();
  EXPECT_EQ(done, 1);
}

TEST(Emu, keeps_the_order_of_an_instance_only) {
  const Emu first(hpk::NewInstance{});
  const Emu second(hpk::NewInstance{});
  wait_at_gate(first);
  hpk::parallel_for("other", hpk::RangePolicy<Emu>(second, 0, 1), [](int) { ++done; });
  second.fence();
  EXPECT_EQ(done, 1);
  gate = true;
  hpk::fence();
}

TEST(Emu, fences_every_instance_at_once) {
  const Emu own(hpk::NewInstance{});
  done = 0;
  for (const Emu& exec : {own, Emu()}) {
    hpk::parallel_for(hpk::RangePolicy<Emu>(exec, 0, 1), [](int) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      ++done;
    });
  }
  hpk::fence();
  EXPECT_EQ(done, 2);
}

// The text of the label may be gone when its kernel runs.
TEST(Emu, keeps_labels_and_views_of_its_launches) {
  const View<long, EmuManagedSpace> sum("sum");
  {
    const View<int*, EmuSpace> captured("captured", 1000);
    wait_at_gate(Emu());
    std::string label = "a label that is too long for the small string optimisation";
    hpk::parallel_for(label, hpk::RangePolicy<Emu>(0, 1000), [=](int i) { captured(i) = i; });
    hpk::parallel_for(label, hpk::RangePolicy<Emu>(0, 1), [=](int) {
      if (hpk::seam::current_launch->label.starts_with("a label that")) {
        for (int i = 0; i < 1000; ++i) sum() += captured(i);
      }
    });
    EXPECT_EQ(captured.use_count(), 3);
    label.assign(label.size(), 'x');
  }
  gate = true;
  hpk::fence();
  EXPECT_EQ(sum(), 499500);
}

TEST(Emu, takes_plain_pointers_into_its_memory) {
  const View<double*, EmuSpace> view("view", 5000);
  double* data = view.data();
  for (int round = 0; round < 3; ++round) {
    hpk::parallel_for(hpk::RangePolicy<Emu>(0, 5000), [=](int i) { data[i] += i; });
  }
  const auto seen = on_host(view);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(seen(i), 3 * i);
}

// In a kernel the address of an element is the device address. The kernel may wrap it in a View.
template <class Memory>
void wrap_rows() {
  using row_view = View<double*, Memory, hpk::MemoryUnmanaged>;
  const View<double**, hpk::LayoutRight, Memory> view("view", 50, 20);
  hpk::parallel_for(hpk::RangePolicy<Emu>(0, 50), [=](int i) {
    const row_view row(&view(i, 0), 20);
    const View<const double, Memory, hpk::MemoryUnmanaged> last(&row(19));
    for (int j = 0; j < 20; ++j) row(j) = i + j;
    hpk::subview(row, std::pair(0, 5))(0) = last();
    row_view other;
    other = row_view(view.data() + 20 * i, 20);
    other(1) += row(2);
    other.assign_data(&view(i, 5));
    other(0) = -1;
  });
  const auto seen = on_host(view);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(seen(i, 0), i + 19);
    EXPECT_EQ(seen(i, 1), 2 * i + 3);
    EXPECT_EQ(seen(i, 4), i + 4);
    EXPECT_EQ(seen(i, 5), -1);
  }
}
TEST(Emu, takes_addresses_of_elements_into_views_of_a_kernel) {
  wrap_rows<EmuSpace>();
  wrap_rows<EmuManagedSpace>();
  wrap_rows<EmuHostPinnedSpace>();
}

TEST(Emu, lets_the_host_at_shared_memory_between_kernels) {
  const View<int*, EmuHostPinnedSpace> pinned("pinned", 100);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i) pinned(i) += 1;
    hpk::parallel_for(hpk::RangePolicy<Emu>(0, 100), [=](int i) { pinned(i) *= 2; });
    Emu().fence();
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(pinned(i), 14);
  int* data = pinned.data();
  hpk::parallel_for(hpk::RangePolicy<Emu>(0, 100), [=](int i) { data[i] = i; });
  Emu().fence();
  EXPECT_EQ(data[99], 99);
}

TEST(Emu, is_shared_by_many_threads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const Emu exec = t % 2 == 0 ? Emu() : Emu(hpk::NewInstance{});
      const View<long*, EmuSpace> view("thread", 3000);
      for (int round = 0; round < 5; ++round) {
        hpk::parallel_for(hpk::RangePolicy<Emu>(exec, 0, 3000), [=](int i) { view(i) += i + t; });
        long sum = 0;
        hpk::parallel_reduce(
            hpk::RangePolicy<Emu>(exec, 0, 3000), [=](int i, long& s) { s += view(i); }, sum);
        if (sum != (round + 1) * (2999L * 1500 + 3000L * t)) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Emu, says_what_it_is) {
  std::ostringstream out;
  Emu().print_configuration(out);
  for (const char* piece : {"Emu\n", "workers: ", "subgroup: ", "seed: "})
    EXPECT_TRUE(contains(out.str(), piece));
}

// The program ends without a fence and without hpk::finalize.
TEST(EmuDeathTest, runs_queued_kernels_before_the_program_ends) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto end_early = [] {
    hpk::parallel_for(
        hpk::RangePolicy<Emu>(0, 1), HPK_LAMBDA(int) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          std::fputs("the kernel ran\n", stderr);
        });
    std::exit(0);
  };
  EXPECT_EXIT(end_early(), testing::ExitedWithCode(0), "the kernel ran");
}

TEST(EmuDeathTest, warns_of_checks_in_a_program_that_does_not_use_it) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const variable checks("HPK_EMU_CHECK", "all");
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0),
              "hpk: HPK_EMU_CHECK has no effect: the program did not use Emu");
}

}  // namespace hpk_test::emu_cases
