// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of memory that allocations use, when memory is freed, and failed allocations.
#include <gpu/pretend/makers.hpp>
#include <hpk/device.hpp>
#include <hpk/graph.hpp>
#include <hpk/tasks.hpp>
#include <support/wait.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

namespace hpk_test::pretend_memory_cases {

using hpk::NewInstance;
using hpk::View;
using hpk::view_alloc;
using hpk::WithoutInitializing;

using Memory = Pretend;

TEST_F(Memory, of_devices_is_what_other_libraries_can_share) {
  EXPECT_EQ(pretend::kind_of(make<device_space>().data()), pretend::memory::device);
  EXPECT_EQ(pretend::kind_of(make_on(gpu_space(NewInstance{})).data()), pretend::memory::device);
}

TEST_F(Memory, of_devices_comes_from_a_pool_by_option) {
  auto before = make<device_space>();
  View<double*, device_space> within;
  {
    const option pools("ASYNC_MALLOC", "1");
    within = make<device_space>();
    EXPECT_EQ(pretend::kind_of(within.data()), pretend::memory::pool);
    EXPECT_EQ(pretend::kind_of(make_on(gpu_space(NewInstance{})).data()), pretend::memory::pool);
    EXPECT_EQ(pretend::kept_by_pool_of(within.data()), ~0ull);
    EXPECT_EQ(pretend::kind_of(make<managed_space>().data()), pretend::memory::managed);
    EXPECT_EQ(pretend::kind_of(make<pinned_space>().data()), pretend::memory::pinned);
    before = {};
  }
  // Each is freed by the function that matches its allocation; the fixture checks for mistakes and
  // leaks.
  EXPECT_EQ(pretend::kind_of(make<device_space>().data()), pretend::memory::device);
  within = {};
}

TEST_F(Memory, comes_from_the_device_where_there_are_no_pools) {
  uses_devices(1);
  pretend::set_pools(false);
  const option pools("ASYNC_MALLOC", "1");
  const gpu_space exec(NewInstance{.device = 10});
  EXPECT_EQ(pretend::kind_of(make_on(exec).data()), pretend::memory::device);
}

TEST_F(Memory, of_the_option_must_be_a_truth_value) {
  const option wrong("ASYNC_MALLOC", "sometimes");
  expect_error([] { make<device_space>(); }, {"_ASYNC_MALLOC has the value 'sometimes'"});
}

// Expects that the allocation fails for each error that means out of memory.
template <class Allocate>
void expect_bad_alloc(const Allocate& allocate) {
  expect_error(allocate, {"\"made\"", "failed to allocate"});
  EXPECT_THROW(allocate(), std::bad_alloc);
  EXPECT_THROW(allocate(), std::exception);
}

TEST_F(Memory, of_each_kind_that_ends_is_a_bad_alloc) {
  for (const auto kind : {pretend::memory::pool, pretend::memory::device, pretend::memory::managed,
                          pretend::memory::pinned})
    pretend::set_limit(kind, 1000);
  for (const char* from_pool : {"0", "1"}) {
    const option pools("ASYNC_MALLOC", from_pool);
    expect_bad_alloc([] { make<device_space>(1000); });
    expect_bad_alloc([] { make_on(gpu_space(NewInstance{}), 1000); });
    expect_bad_alloc([] { make<managed_space>(1000); });
    expect_bad_alloc([] { make<pinned_space>(1000); });
  }
}

TEST_F(Memory, beyond_the_device_is_a_bad_alloc_without_a_call) {
  pretend::clear_calls();
  for (const char* from_pool : {"0", "1"}) {
    const option pools("ASYNC_MALLOC", from_pool);
    expect_bad_alloc([] { make<device_space>(std::size_t{1} << 58); });
  }
  EXPECT_EQ(pretend::count("Malloc"), 0);
  EXPECT_EQ(pretend::count("MallocFromPoolAsync"), 0);
}

TEST_F(Memory, of_absurd_sizes_may_be_reported_as_an_invalid_value) {
  pretend::fail("MallocManaged", 1, pretend::invalid_value);
  EXPECT_THROW(make<managed_space>(std::size_t{1} << 58), std::bad_alloc);
  // For other sizes this is another error.
  pretend::fail("MallocManaged", 1, pretend::invalid_value);
  expect_error([] { make<managed_space>(10); }, {"MallocManaged failed: invalid argument"});
}

TEST_F(Memory, that_a_pool_keeps_serves_before_it_ends) {
  const option pools("ASYNC_MALLOC", "1");
  make<device_space>();
  pretend::clear_calls();
  pretend::fail("MallocManaged", 1, pretend::out_of_memory);
  EXPECT_NE(make<managed_space>().data(), nullptr);
  EXPECT_GE(pretend::count("MemPoolTrimTo"), 1);
  EXPECT_EQ(pretend::count("MallocManaged"), 2);
}

TEST_F(Memory, of_workspaces_that_ends_is_a_bad_alloc) {
  const gpu_space exec(NewInstance{});
  pretend::set_limit(pretend::memory::device, 1000);
  const auto reduce = [&] {
    double sum = 0;
    hpk::parallel_reduce("sum", hpk::RangePolicy<gpu_space>(exec, 0, 100'000),
                         HPK_LAMBDA(int, double&){}, sum);
  };
  EXPECT_THROW(reduce(), std::bad_alloc);
  expect_error(reduce, {"\"sum\"", "no memory is left"});
}

TEST_F(Memory, of_large_functors_that_ends_is_a_bad_alloc) {
  const gpu_space exec(NewInstance{});
  pretend::set_limit(pretend::memory::pinned, 1000);
  EXPECT_THROW(hpk::parallel_for(hpk::RangePolicy<gpu_space>(exec, 0, 10), large_functor{}),
               std::bad_alloc);
}

TEST_F(Memory, of_large_functors_is_pinned_and_reused) {
  const gpu_space exec(NewInstance{});
  const auto launch = [&] {
    hpk::parallel_for(hpk::RangePolicy<gpu_space>(exec, 0, 10), large_functor{});
  };
  for (int k = 0; k < 4; ++k) launch();
  const pretend::living held = pretend::alive();
  for (int k = 0; k < 20; ++k) launch();
  EXPECT_EQ(pretend::alive(), held);
}

// hpk asks each device once whether copies may read memory later.
TEST_F(Memory, of_the_host_has_been_read_when_a_small_copy_returns) {
  expect_in_new_process([] {
    pretend::set_pageable_access(true);
    const gpu_space exec(NewInstance{.device = 1});
    const auto there = make_on(exec);
    pretend::hold();
    std::vector<double> here(100, 1);
    exec.instance().copy(there.data(), here.data(), 100 * sizeof(double));
    here.assign(100, 2);
    exec.fence();
    EXPECT_EQ(there.data()[99], 1);  // memory of the pretend runtime is host memory
  });
}

TEST_F(Memory, of_the_host_is_read_after_a_copy_to_it) {
  expect_in_new_process([] {
    pretend::set_pageable_access(true);
    const gpu_space exec(NewInstance{.device = 1});
    const auto first = make_on(exec);
    const auto second = make_on(exec);
    std::fill_n(first.data(), 100, 1);  // memory of the pretend runtime is host memory
    std::vector<double> here(100, 2);
    pretend::hold();
    for (int k = 1; k < 3; ++k) {
      exec.instance().copy(here.data(), first.data(), 100 * sizeof(double));
      exec.instance().copy(second.data(), here.data(), 100 * sizeof(double));
      exec.fence();
      EXPECT_EQ(second.data()[99], k);
      std::fill_n(first.data(), 100, k + 1);
    }
    // After a fence the copy does not wait.
    const int waits = pretend::count("StreamSynchronize");
    exec.instance().copy(second.data(), here.data(), 100 * sizeof(double));
    EXPECT_EQ(pretend::count("StreamSynchronize"), waits);
  });
}

TEST_F(Memory, of_the_host_is_read_after_a_graph_with_a_host_node) {
  const gpu_space exec(NewInstance{});
  const auto there = make_on(exec);
  std::vector<double> here(100, 1);
  const auto graph =
      hpk::create_graph(exec, [&](auto root) { root.then_host([&] { here.assign(100, 2); }); });
  graph.instantiate();
  pretend::hold();
  graph.submit(exec);
  exec.instance().copy(there.data(), here.data(), 100 * sizeof(double));
  exec.fence();
  EXPECT_EQ(there.data()[99], 2);
}

// Atomic operations on bytes access the whole word.
TEST_F(Memory, of_each_kind_has_whole_words) {
  const auto check = [](auto space) {
    for (std::size_t n = 1; n < 10; ++n) {
      const std::size_t before = pretend::alive().bytes;
      const View<char*, decltype(space)> view(view_alloc("bytes", WithoutInitializing), n);
      const std::size_t made = pretend::alive().bytes - before;
      EXPECT_EQ(made, (n + 3) / 4 * 4);
    }
  };
  check(device_space());
  check(managed_space());
  check(pinned_space());
}

TEST_F(Memory, with_any_alignment_is_freed_whole) {
  for (const std::size_t align : {std::size_t{256}, std::size_t{4096}}) {
    const auto free_all = [&](auto kind) {
      void* const data = gpu_runtime::allocate(kind, nullptr, 1000, align);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % align, 0u);
      gpu_runtime::deallocate(kind, data, align);
    };
    for (const auto kind : {hpk::gpu::memory_kind::device, hpk::gpu::memory_kind::managed,
                            hpk::gpu::memory_kind::pinned})
      free_all(kind);
  }
  EXPECT_EQ(gpu_runtime::allocate(hpk::gpu::memory_kind::device, nullptr, SIZE_MAX - 10, 4096),
            nullptr);
}

struct with_destructor {
  HPK_FUNCTION with_destructor() noexcept {}
  HPK_FUNCTION ~with_destructor() {}
};
struct empty_kernel {
  HPK_FUNCTION void operator()(int) const {}
};

// Kernels of any stream may still use the elements.
TEST_F(Memory, of_elements_with_destructors_is_waited_for_before_they_run) {
  const auto check = [](auto space) {
    const gpu_space exec(NewInstance{});
    using elements_type = View<with_destructor*, hpk::Device<gpu_space, decltype(space)>>;
    std::optional<elements_type> elements(std::in_place, "elements", 10);
    hpk::parallel_for(hpk::RangePolicy<gpu_space>(exec, 0, 10), empty_kernel{});
    pretend::clear_calls();
    elements.reset();
    const auto calls = pretend::calls();
    const auto first = [&](std::string_view function) {
      return std::find_if(calls.begin(), calls.end(),
                          [&](const pretend::call& made) { return made.function == function; });
    };
    EXPECT_NE(first("LaunchKernel"), calls.end());
    EXPECT_LT(first("DeviceSynchronize"), first("LaunchKernel"));
  };
  check(device_space());
  check(managed_space());
  check(pinned_space());
}

TEST_F(Memory, that_a_thread_frees_while_it_records_is_freed_later) {
  for (const char* from_pool : {"0", "1"}) {
    const option pools("ASYNC_MALLOC", from_pool);
    const some_blocks before;
    recording graph;
    const some_blocks within(graph.stream());
    const int blocks = pretend::alive().blocks;
    before.free();
    within.free();
    EXPECT_EQ(pretend::alive().blocks, blocks);
    graph.finish();
    EXPECT_EQ(pretend::alive().blocks, blocks - 12);
  }
}

TEST_F(Memory, that_another_thread_frees_waits_for_the_recording) {
  const some_blocks blocks;
  recording graph;
  std::atomic<bool> is_free = false;
  std::thread other([&] {
    blocks.free();
    is_free = true;
  });
  let_others_run(20);
  EXPECT_FALSE(is_free);
  graph.finish();  // a wait for the device would have aborted it
  other.join();
  EXPECT_TRUE(is_free);
}

}  // namespace hpk_test::pretend_memory_cases
