// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behaviour that Cuda and HIP share and that tests of all spaces do not cover: streams of the
// program, devices, and errors of the vendor's library. Needs a GPU. gpu_checks tests large
// functors, on Emu too.
#include <support/spaces.hpp>
#include <support/vendor.hpp>

#include <hpk/backends/gpu/vendor.hpp>

namespace hpk_test::gpu_vendor_cases {

template <class Exec>
class Vendor : public testing::Test {};

using vendor_spaces = testing::Types<exec_space>;
TYPED_TEST_SUITE(Vendor, vendor_spaces, hpk_test::space_names);

constexpr auto native_success = HPK_TEST_NATIVE(Success);

HPK_TYPED_TEST(Vendor, works_on_a_stream_of_the_program) {
  constexpr int n = 10'000;
  HPK_TEST_NATIVE(Stream_t) stream = nullptr;
  ASSERT_EQ(HPK_TEST_NATIVE(StreamCreate)(&stream), native_success);
  const hpk::View<int*, TypeParam> view("view", n);
  std::vector<int> seen(n);
  {
    const TypeParam exec(stream);
    EXPECT_EQ(stream_of(exec), stream);
    EXPECT_FALSE(exec == TypeParam());
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, n), HPK_LAMBDA(int i) { view(i) = 2 * i; });
    // The next work in the stream is a copy by the vendor's API, without a fence in between.
    ASSERT_EQ(HPK_TEST_NATIVE(MemcpyAsync)(seen.data(), view.data(), n * sizeof(int),
                                           HPK_TEST_NATIVE(MemcpyDefault), stream),
              native_success);
  }
  // The space returned the stream without destroying it.
  ASSERT_EQ(HPK_TEST_NATIVE(StreamSynchronize)(stream), native_success);
  for (int i = 0; i < n; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], 2 * i);
  EXPECT_EQ(HPK_TEST_NATIVE(StreamDestroy)(stream), native_success);
}

HPK_TYPED_TEST(Vendor, has_a_stream_for_each_instance) {
  const TypeParam own(hpk::NewInstance{});
  const TypeParam other(hpk::NewInstance{});
  EXPECT_NE(stream_of(own), stream_of(other));
  EXPECT_NE(stream_of(own), stream_of(TypeParam()));
  EXPECT_EQ(stream_of(TypeParam()), stream_of(TypeParam()));
}

HPK_TYPED_TEST(Vendor, works_on_every_device) {
  const int devices = hpk::num_devices();
  ASSERT_GE(devices, 1);
  for (int device = 0; device < devices; ++device) {
    const TypeParam exec(hpk::NewInstance{.device = device});
    EXPECT_EQ(device_of(exec), device);
    const hpk::View<int*, TypeParam> view(hpk::view_alloc(exec, "view"), 1000);
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int i) { view(i) = i; });
    int sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int i, int& s) { s += view(i); },
        sum);
    EXPECT_EQ(sum, 499'500);
  }
  const std::string missing =
      error_of([&] { TypeParam no_such_device(hpk::NewInstance{.device = devices}); });
  EXPECT_TRUE(contains(missing, std::to_string(devices)));
}

HPK_TYPED_TEST(Vendor, leaves_the_device_of_the_program_as_it_was) {
  int before = -1;
  ASSERT_EQ(HPK_TEST_NATIVE(GetDevice)(&before), native_success);
  const TypeParam last(hpk::NewInstance{.device = hpk::num_devices() - 1});
  const hpk::View<int*, TypeParam> view(hpk::view_alloc(last, "view"), 10);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(last, 0, 10), HPK_LAMBDA(int i) { view(i) = i; });
  last.fence();
  int after = -1;
  ASSERT_EQ(HPK_TEST_NATIVE(GetDevice)(&after), native_success);
  EXPECT_EQ(after, before);
}

HPK_TYPED_TEST(Vendor, gives_the_objects_of_a_graph_by_two_names) {
  const hpk::View<int, TypeParam> view("view");
  const hpk::Graph<TypeParam> graph = hpk::create_graph(TypeParam());
  graph.root_node().then_parallel_for(1, HPK_LAMBDA(int) { view() = 7; });
  EXPECT_EQ(graph_of(graph), nullptr);
  EXPECT_EQ(executable_of(graph), nullptr);
  graph.instantiate();
  EXPECT_NE(graph_of(graph), nullptr);
  EXPECT_EQ(graph_of(graph), graph.native_graph());
  EXPECT_EQ(executable_of(graph), graph.native_graph_exec());
  ASSERT_EQ(HPK_TEST_NATIVE(GraphLaunch)(executable_of(graph), stream_of(TypeParam())),
            native_success);
  int seen = 0;
  hpk::deep_copy(seen, view);
  EXPECT_EQ(seen, 7);
}

// Afterwards the device does not work any more, so each test runs in a separate process.
HPK_TYPED_TEST(Vendor, names_the_kernel_that_failed) {
  hpk::parallel_for(
      "gives up", hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) { hpk::abort("on purpose"); });
  const std::string fence = error_of([] { TypeParam().fence(); });
  EXPECT_TRUE(contains(fence, "Synchronize failed"));
  EXPECT_TRUE(contains(fence, "\"gives up\""));
  EXPECT_TRUE(contains(fence, "vendor.cpp:"));
}

}  // namespace hpk_test::gpu_vendor_cases
