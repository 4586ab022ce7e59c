// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties and number of devices, the device of an address, and reset of spaces.
#include <hpk/device.hpp>

#include <support/elements.hpp>

#include <string>
#include <thread>

namespace seam_device_test {
namespace {

template <class Exec>
class Device : public testing::Test {};
TYPED_TEST_SUITE(Device, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Device, has_properties) {
  const TypeParam exec;
  const hpk::DeviceProperties p = hpk::device_properties(exec);
  EXPECT_EQ(p.space, TypeParam::name());
  EXPECT_FALSE(p.name.empty());
  EXPECT_EQ(p.device, 0);
  EXPECT_GT(p.memory_bytes, std::size_t{1} << 26);
  EXPECT_GT(p.free_bytes, 0u);
  EXPECT_LE(p.free_bytes, p.memory_bytes);
  EXPECT_GE(p.multiprocessors, 1);
  EXPECT_EQ(p.concurrency, exec.concurrency());
  EXPECT_GE(p.concurrency, p.multiprocessors);
  EXPECT_EQ(p.warp_size & (p.warp_size - 1), 0);
  EXPECT_EQ(p.cache_line & (p.cache_line - 1), 0);
  // A launch may use the full size that the properties state.
  const hpk::View<int, TypeParam> count("count");
  hpk::parallel_for(
      hpk::TeamPolicy<TypeParam>(1, p.largest_team),
      HPK_LAMBDA(const typename hpk::TeamPolicy<TypeParam>::member_type& team) {
        hpk::atomic_add(count.data(), 1);
        static_cast<void>(team);
      });
  EXPECT_EQ(hpk_test::on_host(count)(), p.largest_team);
  for (const int level : {0, 1}) {
    EXPECT_EQ(p.scratch_bytes[level], hpk::TeamPolicy<TypeParam>::scratch_size_max(level));
    EXPECT_GE(p.scratch_bytes[level], std::size_t{32} << 10);
  }
  const hpk::View<int, TypeParam> warp("warp");
  hpk::parallel_for(
      hpk::TeamPolicy<TypeParam>(1, p.largest_team < 64 ? p.largest_team : 64, 1),
      HPK_LAMBDA(const typename hpk::TeamPolicy<TypeParam>::member_type& team) {
        if (team.team_rank() == 0) warp() = team.warp().size();
      });
  EXPECT_EQ(hpk_test::on_host(warp)(), p.warp_size);
  if (hpk_test::is_host<TypeParam>) {
    EXPECT_EQ(p.warp_size, 32);
  }
}

HPK_TYPED_TEST(Device, is_one_of_those_that_are_counted) {
  const int count = hpk::num_devices<TypeParam>();
  const auto all = hpk::devices<TypeParam>();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    const auto& p = all[static_cast<std::size_t>(k)];
    EXPECT_EQ(p.device, k);
    EXPECT_EQ(p.space, TypeParam::name());
  }
}

HPK_TYPED_TEST(Device, starts_again_and_keeps_views) {
  const TypeParam own = hpk_test::new_instance<TypeParam>();
  const hpk::View<int*, TypeParam> view("view", 100);
  for (int round = 0; round < 3; ++round) {
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) { view(i) += i; });
    // reset() waits for the launch.
    hpk::reset<TypeParam>();
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(own, 0, 100), HPK_LAMBDA(int i) { view(i) += 1; });
    own.fence();
  }
  const auto seen = hpk_test::on_host(view);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(seen(i), 3 * i + 3);
}

HPK_TYPED_TEST(Device, of_a_pointer_is_told) {
  const hpk::View<double*, TypeParam> view("the view", 100);
  const double* const data = view.data();
  const hpk::PointerInfo at = hpk::pointer_info(data + 7);
  EXPECT_TRUE(at.is_known);
  EXPECT_EQ(at.label, "the view");
  EXPECT_EQ(at.space, TypeParam::memory_space::name());
  EXPECT_EQ(at.offset, 7 * sizeof(double));
  EXPECT_GE(at.bytes, 100 * sizeof(double));
  EXPECT_EQ(
      hpk::pointer_info(data + 100).is_known && hpk::pointer_info(data + 100).label == "the view",
      at.bytes > 100 * sizeof(double));
}

HPK_TYPED_TEST(Device, of_memory_is_that_of_its_instance) {
  using memory = typename TypeParam::memory_space;
  const hpk::View<int*, TypeParam> view("here", 3);
  EXPECT_EQ(hpk::device_of<memory>(view.data() + 2), hpk::device_properties(TypeParam()).device);
  EXPECT_EQ(hpk::device_of<hpk::HostSpace>(nullptr), 0);
}

TEST(PointerInfo, has_the_label_given_to_malloc) {
  void* const raw = hpk::malloc<hpk::HostSpace>("raw", 100);
  EXPECT_EQ(hpk::pointer_info(static_cast<char*>(raw) + 99).label, "raw");
  hpk::free<hpk::HostSpace>(raw);
}

TEST(PointerInfo, of_other_memory_is_not_known) {
  int variable = 0;
  for (const void* p : {static_cast<const void*>(&variable), static_cast<const void*>(nullptr)}) {
    const hpk::PointerInfo found = hpk::pointer_info(p);
    EXPECT_FALSE(found.is_known);
    EXPECT_TRUE(found.label.empty() && found.space.empty() && found.bytes == 0);
  }
  const int* gone = nullptr;
  {
    const hpk::View<int*, hpk::HostSpace> view("gone", 10);
    gone = view.data();
    EXPECT_TRUE(hpk::pointer_info(gone).is_known);
  }
  EXPECT_FALSE(hpk::pointer_info(gone).is_known);
}

template <class Exec>
class DeviceOnHost : public testing::Test {};
TYPED_TEST_SUITE(DeviceOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(DeviceOnHost, is_not_reset_in_a_kernel) {
  const std::string text = hpk_test::error_of([] {
    hpk::parallel_for("inner", hpk::RangePolicy<TypeParam>(0, 1),
                      [](int) { hpk::reset<TypeParam>(); });
  });
  EXPECT_TRUE(hpk_test::contains(text, "hpk::reset"));
  EXPECT_TRUE(hpk_test::contains(text, "inner"));
}

}  // namespace
}  // namespace seam_device_test
