// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Announced accesses of host code change nothing; unit_tests/emu_bugs tests what they report.
// is_freed distinguishes freed memory from all other memory. The tests are compiled with
// HPK_CHECKS=1.
#include <hpk/core.hpp>

#include <support/spaces.hpp>

#include <optional>
#include <string>

namespace view_host_access_test {
namespace {

using hpk::View;

template <class Exec>
class HostAccess : public testing::Test {};
TYPED_TEST_SUITE(HostAccess, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(HostAccess, is_announced_without_a_change) {
  const View<int*, TypeParam> on_device("on_device", 100);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) { on_device(i) = i + 7; });
  const auto v = hpk::create_mirror(hpk::HostSpace(), on_device);
  hpk::deep_copy(v, on_device);
  hpk::announce_host_read(v);
  hpk::announce_host_write(v);
  EXPECT_EQ(v(0), 7);
  EXPECT_EQ(v(99), 106);
  v(0) = 0;
  hpk::announce_host_write(v);
  EXPECT_EQ(v(0), 0);
}

TEST(AccessOfHost, of_nothing_may_be_announced) {
  hpk::announce_host_read(View<int*, hpk::HostSpace>());
  hpk::announce_host_write(View<int*, hpk::HostSpace>());
  hpk::announce_host_write(View<int*, hpk::HostSpace>("none", 0));
  const int constant = 3;
  hpk::announce_host_read(View<const int, hpk::HostSpace, hpk::MemoryUnmanaged>(&constant));
}

TEST(AccessOfHost, to_freed_memory_is_told_of) {
  using unmanaged = View<int*, hpk::HostSpace, hpk::MemoryUnmanaged>;
  std::optional<View<int*, hpk::HostSpace>> owner(std::in_place, "the owner", 1000);
  const unmanaged v(owner->data(), 1000);
  std::string label;
  EXPECT_FALSE(hpk::is_freed(v, &label));
  EXPECT_TRUE(label.empty());
  owner.reset();
  EXPECT_TRUE(hpk::is_freed(v, &label));
  EXPECT_EQ(label, "the owner");
  EXPECT_TRUE(hpk::is_freed(v));
}

TEST(AccessOfHost, to_memory_of_the_program_is_never_one_to_freed_memory) {
  int x = 3;
  EXPECT_FALSE(hpk::is_freed(View<int, hpk::HostSpace, hpk::MemoryUnmanaged>(&x)));
  EXPECT_FALSE(hpk::is_freed(View<int*, hpk::HostSpace>()));
}

}  // namespace
}  // namespace view_host_access_test
