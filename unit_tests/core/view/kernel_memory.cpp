// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views that kernels create around their own memory: variables, constants, scratch. They can be
// copied, sliced and converted to AnonymousSpace and back, like Views of any other memory.
#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace view_kernel_memory_test {
namespace {

using hpk::AnonymousSpace;
using hpk::index_t;
using hpk::LayoutStride;
using hpk::MemoryUnmanaged;
using hpk::View;

template <class Exec>
class KernelMemory : public testing::Test {};
TYPED_TEST_SUITE(KernelMemory, hpk_test::spaces, hpk_test::space_names);

// Stores the results of work(i) for i = 0 to 9, computed in a kernel of Exec.
template <class Exec, class Work>
void find_results(const View<int*, Exec>& results, const Work& work) {
  hpk::parallel_for(hpk::RangePolicy<Exec>(0, 10), HPK_LAMBDA(int i) { results(i) = work(i); });
}
template <class Exec, class Work>
View<int*, hpk::HostSpace> results_of(const Work& work) {
  const View<int*, Exec> results("results", 10);
  find_results<Exec>(results, work);
  return hpk_test::on_host(results);
}

HPK_TYPED_TEST(KernelMemory, variables_of_run_time_extents) {
  const auto found = results_of<TypeParam>(HPK_LAMBDA(int i)->int {
    int values[] = {i, 2 * i, 3 * i};
    const View<int*, TypeParam, MemoryUnmanaged> view(values, 3);
    view(1) += 1;
    return view.data() == values ? 100 * values[1] + view(2) : -1;
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(i), 100 * (2 * i + 1) + 3 * i);
}

HPK_TYPED_TEST(KernelMemory, variables_of_fixed_extents_and_with_strides) {
  const auto found = results_of<TypeParam>(HPK_LAMBDA(int i)->int {
    int values[4] = {i, 1, 2, 3};
    const View<int[2][2], hpk::LayoutRight, TypeParam, MemoryUnmanaged> square(values);
    const View<int*, LayoutStride, TypeParam, MemoryUnmanaged> even(values, LayoutStride(2, 2));
    square(0, 0) += 10;
    even(1) += 20;
    return 1000 * square(1, 0) + even(0);
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(i), 22000 + 10 + i);
}

HPK_TYPED_TEST(KernelMemory, constants) {
  using constants = View<const int*, typename TypeParam::memory_space,
                         hpk::MemoryTraits<hpk::Unmanaged | hpk::RandomAccess>>;
  const auto found = results_of<TypeParam>(HPK_LAMBDA(int i)->int {
    static constexpr int primes[] = {2, 3, 5, 7, 11};
    const constants view(primes, 5);
    return view(i % 5);
  });
  EXPECT_EQ(found(3), 7);
  EXPECT_EQ(found(9), 11);
}

HPK_TYPED_TEST(KernelMemory, parts_and_copies) {
  const auto found = results_of<TypeParam>(HPK_LAMBDA(int i)->int {
    double values[6] = {0, 1, 2, 3, 4, 5};
    const View<double**, hpk::LayoutLeft, TypeParam, MemoryUnmanaged> view(values, 2, 3);
    const auto row = hpk::subview(view, 1, hpk::ALL);
    auto other = view;
    other.assign_data(values + 2);
    row(1) += i;
    const View<double*, TypeParam, MemoryUnmanaged> again(&row(1), 2);
    again(1) += 1;
    return static_cast<int>(100 * other(1, 0) + again(1) * 10 + values[3]);
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(found(i), 100 * (3 + i) + 50 + 3 + i);
}

HPK_TYPED_TEST(KernelMemory, views_of_anonymous_space_and_back) {
  const View<int*, TypeParam> device("device", 10);
  const auto found = results_of<TypeParam>(HPK_LAMBDA(int i)->int {
    int values[2] = {i, 0};
    const View<int*, TypeParam, MemoryUnmanaged> own(values, 2);
    const View<int*, AnonymousSpace, MemoryUnmanaged> anonymous = own;
    anonymous(1) += 7;
    const View<int*, TypeParam, MemoryUnmanaged> back = anonymous;
    back(0) += 1000;
    const View<int*, AnonymousSpace, MemoryUnmanaged> of_device = device;
    of_device(i) += i;
    const View<int*, TypeParam, MemoryUnmanaged> of_device_again = of_device;
    of_device_again(i) += 1;
    return values[0] + 100 * values[1];
  });
  const auto seen = hpk_test::on_host(device);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(found(i), 1700 + i);
    EXPECT_EQ(seen(i), i + 1);
  }
}

HPK_TYPED_TEST(KernelMemory, empty_and_null) {
  const auto found = results_of<TypeParam>(HPK_LAMBDA(int i)->int {
    const View<int*, TypeParam, MemoryUnmanaged> none(nullptr, 0);
    const View<int*, AnonymousSpace, MemoryUnmanaged> anonymous = none;
    return none.is_allocated() || anonymous.is_allocated() || none.data() != nullptr ? -1 : i;
  });
  EXPECT_EQ(found(9), 9);
}

HPK_TYPED_TEST(KernelMemory, scratch_by_its_pointer) {
  using policy = hpk::TeamPolicy<TypeParam>;
  using member = typename policy::member_type;
  using scratch = View<int*, typename member::scratch_memory_space, MemoryUnmanaged>;
  for (const int threads : {1, 4}) {
    const View<int*, TypeParam> results("results", 5);
    policy teams(5, threads);
    teams.set_scratch_size(0, hpk::PerTeam(scratch::shmem_size(4)));
    hpk::parallel_for(
        teams, HPK_LAMBDA(const member& team) {
          const scratch values(team.team_scratch(0), 4);
          const View<int*, TypeParam, MemoryUnmanaged> same(values.data(), 4);
          same(team.team_rank()) = team.league_rank() + team.team_rank();
          team.team_barrier();
          if (team.team_rank() == 0) results(team.league_rank()) = values(team.team_size() - 1);
        });
    const auto found = hpk_test::on_host(results);
    for (int l = 0; l < 5; ++l) EXPECT_EQ(found(l), l + threads - 1);
  }
}

}  // namespace
}  // namespace view_kernel_memory_test
