// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy and mirrors of DynamicViews: chunks of different sizes, Views, memories that are not
// accessible to each other, and errors.
#include <hpk/containers/dynamic_copy.hpp>

#include <support/elements.hpp>

namespace dynamic_copy_test {
namespace {

using hpk::DynamicView;
using hpk::HostSpace;
using hpk::View;
using hpk_test::expect_error;

template <class Exec>
class DynamicCopy : public testing::Test {};
TYPED_TEST_SUITE(DynamicCopy, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DynamicCopy, there_and_back_in_chunks_of_all_sizes) {
  const TypeParam exec;
  for (const std::size_t here : {1, 16, 1024}) {
    for (const std::size_t there : {2, 512}) {
      for (const std::size_t size : {0, 1, 700}) {
        const DynamicView<int*, HostSpace> host("host", here, 1000);
        const DynamicView<long*, TypeParam> away("away", there, 1000);
        const DynamicView<int*, HostSpace> back("back", here, 1000);
        View<int*, HostSpace> line("line", size);
        View<long*, TypeParam> line_away("line_away", size);
        host.resize_serial(size);
        away.resize_serial(size);
        back.resize_serial(size);
        for (std::size_t i = 0; i < size; ++i) host(i) = static_cast<int>(3 * i);
        deep_copy(away, host);
        deep_copy(exec, line_away, away);
        deep_copy(away, 0);
        deep_copy(away, line_away);
        deep_copy(back, away);
        deep_copy(line, back);
        int wrong = 0;
        for (std::size_t i = 0; i < size; ++i) wrong += line(i) == static_cast<int>(3 * i) ? 0 : 1;
        EXPECT_EQ(wrong, 0) << here << ' ' << there << ' ' << size;
        deep_copy(exec, back, line);
        deep_copy(exec, back, 5);
        deep_copy(exec, host, back);
        exec.fence();
        if (size != 0) {
          EXPECT_EQ(host(size - 1), 5);
        }
      }
    }
  }
}

HPK_TYPED_TEST(DynamicCopy, mirrors) {
  using view = DynamicView<int*, TypeParam>;
  const view device("device", 8, 100);
  device.resize_serial(30);
  typename view::host_mirror_type host = hpk::create_mirror_view(device);
  EXPECT_EQ(host.size(), 30u);
  EXPECT_EQ(host.chunk_size(), 8u);
  for (int i = 0; i < 30; ++i) host(i) = i;
  deep_copy(device, host);
  const auto copy = hpk::create_mirror_view_and_copy(HostSpace(), device);
  EXPECT_EQ(copy(29), 29);
  EXPECT_EQ(hpk::create_mirror_view_and_copy(device)(28), 28);
  EXPECT_EQ(copy.use_count() == 1, !(std::is_same_v<typename view::memory_space, HostSpace>));
  const DynamicView<const int*, TypeParam> reading = device;
  const auto check = [&](const auto& mirror) {
    EXPECT_EQ(mirror.size(), 30u);
    EXPECT_EQ(mirror.max_size(), 100u);
    EXPECT_EQ(mirror.use_count(), 1);
  };
  check(hpk::create_mirror(reading));
  check(hpk::create_mirror(hpk::WithoutInitializing, reading));
  check(hpk::create_mirror(TypeParam(), reading));
  check(hpk::create_mirror(hpk::WithoutInitializing, TypeParam(), reading));
  check(hpk::create_mirror(hpk::view_alloc(HostSpace()), reading));
  check(hpk::create_mirror_view(reading));
  check(hpk::create_mirror_view(hpk::WithoutInitializing, reading));
  EXPECT_GT(hpk::create_mirror_view(TypeParam(), device).use_count(), 1);
  EXPECT_GT(hpk::create_mirror_view(hpk::WithoutInitializing, TypeParam(), device).use_count(), 1);
  const auto queued = hpk::create_mirror_view_and_copy(
      hpk::view_alloc(TypeParam(), typename TypeParam::memory_space(), "queued"), host);
  TypeParam().fence();
  EXPECT_EQ(hpk::create_mirror_view_and_copy(HostSpace(), queued)(7), 7);
  EXPECT_EQ(hpk::create_mirror(view()).size(), 0u);
}

TEST(DynamicCopyErrors, name_both_sizes) {
  const DynamicView<int*, HostSpace> array("array", 4, 20);
  array.resize_serial(7);
  const View<int*, HostSpace> line("line", 8);
  expect_error(
      [&] { deep_copy(line, array); },
      {"hpk::deep_copy", "\"line\" has 8", "\"array\" has 7", "resize_serial", "dynamic_copy.cpp"});
  expect_error([&] { deep_copy(array, line); }, {"\"array\" has 7", "\"line\" has 8"});
  const DynamicView<int*, HostSpace> other("other", 4, 20);
  expect_error([&] { deep_copy(array, other); }, {"\"other\" has 0"});
}

}  // namespace
}  // namespace dynamic_copy_test
