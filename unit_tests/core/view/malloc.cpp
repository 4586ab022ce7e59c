// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc, realloc and free of every space: the bytes, null for zero bytes, and refused calls.
#include <hpk/view/malloc.hpp>

#include <hpk/core.hpp>

#include <support/elements.hpp>

#include <cstdint>
#include <thread>
#include <vector>

namespace view_malloc_test {
namespace {

using hpk_test::contains;
using hpk_test::error_of;

template <class Device>
class Malloc : public testing::Test {};
TYPED_TEST_SUITE(Malloc, hpk_test::devices, hpk_test::device_names);

HPK_TYPED_TEST(Malloc, gives_memory_that_kernels_use) {
  using exec = typename TypeParam::execution_space;
  using memory = typename TypeParam::memory_space;
  auto* data = static_cast<int*>(hpk::malloc<memory>("numbers", 1000 * sizeof(int)));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0u);
  const hpk::View<int*, TypeParam> view(data, 1000);
  hpk::parallel_for(hpk::RangePolicy<exec>(0, 1000), HPK_LAMBDA(int i) { view(i) = 3 * i; });
  data = static_cast<int*>(hpk::realloc<memory>(data, 2000 * sizeof(int)));
  const hpk::View<int*, TypeParam> larger(data, 1000);
  const auto seen = hpk_test::on_host(larger);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(seen(i), 3 * i);
  data = static_cast<int*>(hpk::realloc<memory>(data, 10 * sizeof(int)));
  EXPECT_EQ(hpk_test::value_at(hpk::View<int*, TypeParam>(data, 10), 9), 27);
  hpk::free<memory>(data);
}

HPK_TYPED_TEST(Malloc, of_nothing_is_null) {
  using memory = typename TypeParam::memory_space;
  EXPECT_EQ(hpk::malloc<memory>(0), nullptr);
  EXPECT_NO_THROW(hpk::free<memory>(nullptr));
  void* const data = hpk::realloc<memory>(nullptr, 8);
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(hpk::realloc<memory>(data, 0), nullptr);
}

HPK_TYPED_TEST(Malloc, refuses_what_is_not_its_own) {
  using memory = typename TypeParam::memory_space;
  int variable = 0;
  EXPECT_TRUE(
      contains(error_of([&] { hpk::free<memory>(&variable); }), "does not come from hpk::malloc"));
  EXPECT_TRUE(contains(error_of([&] { hpk::realloc<memory>(&variable, 8); }),
                       "does not come from hpk::malloc"));
  void* const data = hpk::malloc<memory>(100);
  hpk::free<memory>(data);
  EXPECT_TRUE(contains(error_of([&] { hpk::free<memory>(data); }), "freed before"));
  const std::string full = error_of([] { hpk::malloc<memory>("huge", std::size_t{1} << 60); });
  EXPECT_TRUE(contains(full, "hpk::malloc \"huge\"") && contains(full, memory::name())) << full;
  void* const small = hpk::malloc<memory>("small", 8);
  const std::string grown = error_of([&] { hpk::realloc<memory>(small, std::size_t{1} << 60); });
  EXPECT_TRUE(contains(grown, "hpk::realloc \"small\"")) << grown;
  hpk::free<memory>(small);
}

HPK_TYPED_TEST(Malloc, refuses_memory_of_another) {
  using memory = typename TypeParam::memory_space;
  if constexpr (std::is_same_v<memory, hpk::HostSpace>) return;
  void* const data = hpk::malloc<memory>("device", 16);
  const std::string message = error_of([&] { hpk::free<hpk::HostSpace>(data); });
  EXPECT_TRUE(contains(message, std::string("\"device\" is in ") + memory::name()));
  hpk::free<memory>(data);
}

HPK_TYPED_TEST(Malloc, belongs_to_the_members_of_the_space) {
  using memory = typename TypeParam::memory_space;
  const memory space;
  const typename TypeParam::execution_space exec;
  space.deallocate(space.allocate(100), 100);
  void* const named = space.allocate("named", 100);
  const std::string message = error_of([&] { hpk::realloc<memory>(named, std::size_t{1} << 60); });
  EXPECT_TRUE(contains(message, "hpk::realloc \"named\"")) << message;
  space.deallocate("named", named, 100, 100);
  space.deallocate(space.allocate(exec, 100), 100);
  hpk::free<memory>(space.allocate(exec, "named", 100, 100));
  EXPECT_TRUE(contains(error_of([&] { space.deallocate(named, 100); }), "was freed before"));
}

// In a kernel of a device the error could not be caught.
template <class Exec>
class MallocInHostKernel : public testing::Test {};
TYPED_TEST_SUITE(MallocInHostKernel, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(MallocInHostKernel, is_refused) {
  void* const data = hpk::malloc<TypeParam>("before", 16);
  const auto message_of = [](auto call) {
    return error_of([&] {
      hpk::parallel_for("asking", hpk::RangePolicy<TypeParam>(0, 1), [&](int) { call(); });
    });
  };
  const std::string inside = "called inside the kernel parallel_for \"asking\"";
  EXPECT_TRUE(contains(message_of([] { hpk::malloc<TypeParam>(16); }), "hpk::malloc: " + inside));
  EXPECT_TRUE(contains(message_of([&] { hpk::realloc<TypeParam>(data, 32); }), inside));
  EXPECT_TRUE(contains(message_of([&] { hpk::free<TypeParam>(data); }), inside));
  hpk::free<TypeParam>(data);
}

TEST(MallocOfSpaces, takes_execution_spaces_for_their_memory) {
  void* const data = hpk::malloc<hpk::DefaultHostExecutionSpace>(16);
  hpk::free<hpk::HostSpace>(data);
  void* const by_default = hpk::malloc(16);
  hpk::free(by_default);
}

TEST(MallocOfSpaces, serves_many_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([] {
      for (std::size_t round = 1; round < 100; ++round) {
        void* data = hpk::malloc<hpk::HostSpace>(round * 10);
        data = hpk::realloc<hpk::HostSpace>(data, round * 20);
        hpk::free<hpk::HostSpace>(data);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace view_malloc_test
