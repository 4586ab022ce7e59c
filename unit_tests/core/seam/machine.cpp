// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines model the concept, and instances are shared by copies of a space.
#include <hpk/seam/machine.hpp>

#include <support/spaces.hpp>

#include <array>
#include <thread>

namespace seam_machine_test {
namespace {

struct looks_like_a_space {
  using execution_space = looks_like_a_space;
  using memory_space = hpk::HostSpace;
};
static_assert(!hpk::seam::execution_space<looks_like_a_space>, "no instance()");
static_assert(!hpk::seam::execution_space<hpk::HostSpace> && !hpk::seam::execution_space<int>);

template <class Exec>
class Machine : public testing::Test {
 protected:
  using machine = hpk::seam::machine<Exec>;
  static Exec own() { return hpk_test::new_instance<Exec>(); }
};
TYPED_TEST_SUITE(Machine, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Machine, models_the_concept) {
  using machine = typename TestFixture::machine;
  static_assert(hpk::seam::machine_like<machine>);
  static_assert(hpk::seam::execution_space<TypeParam>);
  const hpk::seam::machine_properties properties = TypeParam().instance().properties();
  EXPECT_EQ(properties.name, TypeParam::name());
  EXPECT_GE(properties.workers, 1);
  EXPECT_GE(properties.preferred_lanes, 1);
  EXPECT_GE(properties.largest_lanes, properties.preferred_lanes);
}

HPK_TYPED_TEST(Machine, tool_id_tells_spaces_apart) {
  std::vector<std::uint32_t> ids;
  hpk::detail::for_each_type(hpk::detail::enabled_spaces(), [&]<class T>(T) {
    ids.push_back(typename T::type().instance().tool_id());
  });
  const auto id = TypeParam().instance().tool_id();
  EXPECT_EQ(std::count(ids.begin(), ids.end(), id), 1);
}

HPK_TYPED_TEST(Machine, default_instance_is_one_for_all) {
  EXPECT_EQ(&TypeParam().instance(), &TestFixture::machine::default_instance());
  EXPECT_TRUE(TypeParam() == TypeParam());
}

HPK_TYPED_TEST(Machine, default_instance_started_by_many_threads_is_still_one) {
  TestFixture::machine::stop();
  std::array<void*, 8> seen{};
  std::vector<std::thread> threads;
  for (auto& slot : seen) threads.emplace_back([&slot] { slot = &TypeParam().instance(); });
  for (auto& thread : threads) thread.join();
  for (void* machine : seen) EXPECT_EQ(machine, seen[0]);
}

HPK_TYPED_TEST(Machine, copies_refer_to_the_same_instance) {
  const TypeParam first = TestFixture::own();
  EXPECT_EQ(first.instance().owners.load(hpk::detail::memory_order::relaxed), 1);
  {
    const TypeParam copy = first;
    EXPECT_EQ(&copy.instance(), &first.instance());
    EXPECT_TRUE(copy == first);
    EXPECT_EQ(first.instance().owners.load(hpk::detail::memory_order::relaxed), 2);
    TypeParam assigned;
    assigned = copy;
    EXPECT_EQ(first.instance().owners.load(hpk::detail::memory_order::relaxed), 3);
    const TypeParam& itself = assigned;
    assigned = itself;
    EXPECT_EQ(first.instance().owners.load(hpk::detail::memory_order::relaxed), 3);
    // Moving copies: `assigned` must not turn into the default instance.
    const TypeParam moved = std::move(assigned);
    EXPECT_EQ(first.instance().owners.load(hpk::detail::memory_order::relaxed), 4);
    EXPECT_TRUE(moved == first);
    EXPECT_TRUE(assigned == first);
  }
  EXPECT_EQ(first.instance().owners.load(hpk::detail::memory_order::relaxed), 1);
}

HPK_TYPED_TEST(Machine, own_instances_differ) {
  const TypeParam a = TestFixture::own();
  const TypeParam b = TestFixture::own();
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(a == TypeParam());
  EXPECT_NE(&a.instance(), &b.instance());
  EXPECT_NE(&a.instance(), &TypeParam().instance());
}

HPK_TYPED_TEST(Machine, last_copy_keeps_the_instance_working) {
  TypeParam last;
  {
    const TypeParam first = TestFixture::own();
    last = first;
  }
  EXPECT_EQ(last.instance().owners.load(hpk::detail::memory_order::relaxed), 1);
  int ran = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(last, 0, 100), HPK_LAMBDA(int, int& n) { ++n; }, ran);
  EXPECT_EQ(ran, 100);
}

}  // namespace
}  // namespace seam_machine_test
