// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every GPU machine does before a launch reaches its runtime: checks of limits with readable
// errors, no launch without groups, reuse of workspaces, and moving rather than copying bodies.
#include <support/spaces.hpp>

#include <atomic>
#include <cstdint>

namespace hpk_test::gpu_machine_cases {

template <class Exec>
class GpuMachine : public testing::Test {};

// Emu represents all GPUs, because these kernels count in variables of the program.
using gpu_spaces = testing::Types<hpk::Emu>;
TYPED_TEST_SUITE(GpuMachine, gpu_spaces, hpk_test::space_names);

constexpr hpk::seam::launch_info info{
    .pattern = "test", .label = "limits", .where = std::source_location::current()};

struct nothing {
  template <class Lane>
  void operator()(Lane&) const {}
};

HPK_TYPED_TEST(GpuMachine, names_the_limit_that_a_launch_exceeds) {
  auto& machine = TypeParam().instance();
  const auto limits = machine.properties();
  const auto text = [&](const hpk::seam::shape& shape) {
    return error_of([&] { machine.launch(shape, nothing{}, info); });
  };
  const std::string lanes = text({.groups = 1, .lanes = limits.largest_lanes + 1});
  EXPECT_TRUE(contains(lanes, "hpk::test \"limits\": a group asks for"));
  EXPECT_TRUE(contains(lanes, std::to_string(limits.largest_lanes + 1) + " lanes"));
  EXPECT_TRUE(contains(lanes, "at most " + std::to_string(limits.largest_lanes)));
  EXPECT_TRUE(contains(lanes, "machine.cpp:"));
  EXPECT_TRUE(contains(text({.groups = 1, .lanes = 0}), "0 lanes"));
  for (const int level : {0, 1}) {
    hpk::seam::shape shape;
    shape.scratch[level] = limits.scratch_bytes[level] + 1;
    EXPECT_TRUE(contains(text(shape), "bytes of scratch of level " + std::to_string(level)));
    shape.scratch[level] = limits.scratch_bytes[level];
    EXPECT_NO_THROW(machine.launch(shape, nothing{}, info));
  }
  machine.fence();
}

HPK_TYPED_TEST(GpuMachine, runs_nothing_for_no_groups) {
  const hpk::View<int, shared_device<TypeParam>> ran("ran");
  auto& machine = TypeParam().instance();
  machine.launch({.groups = 0}, [=](auto&) { ran() = 1; }, info);
  machine.copy(nullptr, nullptr, 0);
  machine.fill(nullptr, 0, 0);
  machine.fence();
  EXPECT_EQ(ran(), 0);
}

struct counted {
  static inline std::atomic<int> copies{0};
  counted() = default;
  counted(const counted&) { ++copies; }
  counted(counted&&) noexcept {}
};
struct counted_body {
  counted own;
  template <class Lane>
  void operator()(Lane&) const {}
};
struct counted_kernel {
  counted own;
  HPK_FUNCTION void operator()(int) const {}
};

HPK_TYPED_TEST(GpuMachine, copies_a_functor_once) {
  auto& machine = TypeParam().instance();
  counted::copies = 0;
  machine.launch({}, counted_body{}, info);
  EXPECT_EQ(counted::copies, 0);
  const counted_body body;
  machine.launch({}, body, info);
  EXPECT_EQ(counted::copies, 1);
  const counted_kernel kernel;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10), kernel);
  EXPECT_EQ(counted::copies, 2);
  machine.fence();
  EXPECT_EQ(counted::copies, 2);
}

HPK_TYPED_TEST(GpuMachine, keeps_workspace_apart_that_is_in_use) {
  const TypeParam exec;
  using machine = hpk::seam::machine<TypeParam>;
  const typename machine::workspace first(exec.instance(), 1000);
  void* again = nullptr;
  {
    const typename machine::workspace second(exec.instance(), 1000);
    EXPECT_NE(first.data(), second.data());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second.data()) % 64, 0u);
    again = second.data();
  }
  const typename machine::workspace third(exec.instance(), 1000);
  EXPECT_EQ(third.data(), again);
}

}  // namespace hpk_test::gpu_machine_cases
