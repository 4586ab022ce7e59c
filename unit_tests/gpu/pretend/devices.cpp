// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts of devices, the current device, access to the memory of other devices, and the order of
// streams. Each test of several devices uses devices that no other test uses.
#include <gpu/pretend/makers.hpp>
#include <hpk/device.hpp>
#include <hpk/tasks.hpp>

#include <memory>
#include <sstream>
#include <thread>

namespace hpk_test::pretend_device_cases {

using hpk::NewInstance;
using hpk::View;

using Devices = Pretend;
using Streams = Pretend;

TEST_F(Devices, that_nobody_uses_get_no_context) {
  // Makes an otherwise unused device current, on a separate thread.
  const auto apart = [](const char* what, const auto& call) {
    std::thread([&] {
      EXPECT_EQ(HPK_PRETEND(SetDevice)(40), HPK_PRETEND(Success));
      pretend::clear_contexts();  // CUDA has created one
      call();
      for (int d = 40; d < 64; ++d)
        EXPECT_FALSE(pretend::has_context(d)) << what << ", device " << d;
    }).join();
  };
  hpk::Event event;
  View<double*, device_space> view;
  std::unique_ptr<gpu_space> exec;
  std::ostringstream out;
  apart("instance", [&] { exec = std::make_unique<gpu_space>(NewInstance{.priority = 1}); });
  const auto all = [&] { return hpk::RangePolicy<gpu_space>(*exec, 0, 10); };
  apart("configuration", [&] { exec->print_configuration(out); });
  EXPECT_NE(out.str().find("pretend device 63"), std::string::npos);
  apart("properties", [&] { EXPECT_EQ(hpk::device_properties(*exec).device, 0); });
  apart("allocation", [&] { view = make_on(*exec); });
  apart("copy", [&] { exec->instance().copy(view.data(), view.data() + 50, 8); });
  apart("fill", [&] { exec->instance().fill(view.data(), 0, 8); });
  apart("launch", [&] { hpk::parallel_for(all(), HPK_LAMBDA(int){}); });
  apart("large launch", [&] { hpk::parallel_for(all(), large_functor{}); });
  apart("host task", [&] { hpk::host_task(*exec, [] {}); });
  apart("record", [&] { event = exec->record(); });
  apart("wait", [&] { exec->wait(event); });
  apart("ready", [&] { EXPECT_TRUE(event.ready()); });
  apart("wait of the host", [&] { event.wait(); });
  apart("idle", [&] { EXPECT_TRUE(exec->idle()); });
  apart("fence", [&] { exec->fence(); });
  apart("fence of all", [] { hpk::fence(); });
  apart("event", [&] { event = {}; });
  apart("free", [&] { view = {}; });
  std::unique_ptr<some_blocks> blocks;
  apart("blocks", [&] { blocks = std::make_unique<some_blocks>(exec->instance().stream()); });
  apart("free blocks", [&] { blocks->free(); });
  std::unique_ptr<recording> graph;
  // The turn belongs to the thread.
  apart("graph", [&] {
    graph = std::make_unique<recording>();
    graph->finish();
  });
  apart("end of graph", [&] { graph.reset(); });
  apart("end of instance", [&] { exec.reset(); });
}

TEST_F(Devices, that_a_program_uses_are_current_again) {
  uses_devices(1);
  ASSERT_EQ(HPK_PRETEND(SetDevice)(13), HPK_PRETEND(Success));
  const gpu_space exec(NewInstance{.device = 14});
  exec.fence();
  make_on(exec);
  int current = -1;
  ASSERT_EQ(HPK_PRETEND(GetDevice)(&current), HPK_PRETEND(Success));
  EXPECT_EQ(current, 13);
}

TEST_F(Devices, are_found_by_an_address_of_their_memory) {
  uses_devices(1);
  const auto view = make_on(gpu_space(NewInstance{.device = 15}));
  EXPECT_EQ(hpk::device_of<device_space>(view.data() + 50), 15);
  EXPECT_EQ(hpk::device_of<device_space>(make<device_space>().data()), 0);
  EXPECT_EQ(hpk::device_of<pinned_space>(make<pinned_space>().data()), 0);
  int variable = 0;
  EXPECT_EQ(hpk::device_of<device_space>(&variable), 0);
}

TEST_F(Devices, access_the_memory_of_each_other) {
  uses_devices(6);
  for (const char* from_pool : {"0", "1"}) {
    const option pools("ASYNC_MALLOC", from_pool);
    const int first = from_pool[0] == '1' ? 23 : 20;
    const auto allow = [](int a, int b) {
      pretend::set_peers(a, b, true);
      pretend::set_peers(b, a, true);
    };
    allow(first, first + 1);
    allow(first, first + 3);
    const gpu_space one(NewInstance{.device = first});
    const auto of_one = make_on(one);
    const gpu_space two(NewInstance{.device = first + 1});
    const gpu_space far(NewInstance{.device = first + 2});
    const auto of_two = make_on(two);
    const auto of_far = make_on(far);
    EXPECT_TRUE(pretend::reaches(first, of_two.data()));
    EXPECT_TRUE(pretend::reaches(first + 1, of_one.data()));
    // The two devices have no path between them.
    EXPECT_FALSE(pretend::reaches(first, of_far.data()));
    EXPECT_FALSE(pretend::reaches(first + 2, of_one.data()));
  }
}

TEST_F(Devices, that_cannot_be_connected_work) {
  uses_devices(2);
  pretend::set_peers(30, 31, true);
  pretend::fail("DeviceEnablePeerAccess", 1, pretend::not_supported);
  const gpu_space one(NewInstance{.device = 30});
  const gpu_space two(NewInstance{.device = 31});
  two.fence();
  one.fence();
  EXPECT_EQ(pretend::last_error(), pretend::success);
}

TEST_F(Devices, let_a_kernel_use_much_scratch_once_each) {
  uses_devices(1);
  const auto launch = [](const gpu_space& exec) {
    hpk::TeamPolicy<gpu_space> policy(exec, 4, 32);
    policy.set_scratch_size(0, hpk::PerTeam(60 << 10));
    using member = hpk::TeamPolicy<gpu_space>::member_type;
    hpk::parallel_for(policy, HPK_LAMBDA(const member&){});
  };
  const gpu_space here(NewInstance{});
  const gpu_space there(NewInstance{.device = 32});
  pretend::clear_calls();
  for (int k = 0; k < 3; ++k) launch(here);
  EXPECT_EQ(pretend::count("FuncSetAttribute"), 1);
  EXPECT_EQ(pretend::count("FuncGetAttributes"), 1);
  for (int k = 0; k < 3; ++k) launch(there);
  EXPECT_EQ(pretend::count("FuncSetAttribute"), 2);
}

TEST_F(Devices, are_asked_again_after_a_failure) {
  const auto launch = [](const gpu_space& exec) {
    hpk::TeamPolicy<gpu_space> policy(exec, 4, 32);
    policy.set_scratch_size(0, hpk::PerTeam(60 << 10));
    using member = hpk::TeamPolicy<gpu_space>::member_type;
    hpk::parallel_for("much", policy, HPK_LAMBDA(const member&){});
  };
  const gpu_space exec(NewInstance{});
  pretend::fail("FuncSetAttribute", 1, pretend::invalid_value);
  expect_error([&] { launch(exec); }, {"FuncSetAttribute failed", "\"much\""});
  launch(exec);
  EXPECT_EQ(pretend::launches().size(), 1u);
}

TEST_F(Streams, of_default_instances_are_ordered_with_the_null_stream) {
  EXPECT_TRUE(pretend::is_ordered(stream_of(gpu_space())));
  EXPECT_FALSE(pretend::is_ordered(stream_of(gpu_space(NewInstance{}))));
  EXPECT_FALSE(pretend::is_ordered(stream_of(gpu_space(NewInstance{.priority = 1}))));
}

TEST_F(Streams, of_default_instances_are_not_ordered_by_option) {
  const option apart("ORDER_NULL_STREAM", "off");
  EXPECT_FALSE(pretend::is_ordered(stream_of(gpu_space())));
}

TEST_F(Streams, of_programs_work_on_their_own_device) {
  uses_devices(1);
  ASSERT_EQ(HPK_PRETEND(SetDevice)(33), HPK_PRETEND(Success));
  HPK_PRETEND(Stream_t) stream = nullptr;
  ASSERT_EQ(HPK_PRETEND(StreamCreate)(&stream), HPK_PRETEND(Success));
  ASSERT_EQ(HPK_PRETEND(SetDevice)(0), HPK_PRETEND(Success));
  {
    const gpu_space exec(stream);
    EXPECT_EQ(hpk_test::device_of(exec), 33);
    hpk::parallel_for(hpk::RangePolicy<gpu_space>(exec, 0, 10), HPK_LAMBDA(int){});
    exec.fence();
    EXPECT_EQ(pretend::launches().back().device, 33);
  }
  EXPECT_EQ(HPK_PRETEND(StreamDestroy)(stream), HPK_PRETEND(Success));
}

}  // namespace hpk_test::pretend_device_cases
