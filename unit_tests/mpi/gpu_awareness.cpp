// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether MPI gets addresses of device memory, from all information about the MPI library; it never
// gets addresses of an emulated device.
#include <hpk/mpi/detail/gpu_awareness.hpp>

#include "support.hpp"

#include <cstdlib>
#include <string>

namespace gpu_awareness_test {
namespace {

using hpk::mpi::Communicator;
using hpk::mpi::detail::answer;
using hpk::mpi::detail::decide_gpu_awareness;

TEST(GpuAwareness, is_what_mpi_says) {
  EXPECT_FALSE(decide_gpu_awareness({}).nvidia);
  EXPECT_FALSE(decide_gpu_awareness({}).amd);
  EXPECT_TRUE(decide_gpu_awareness({.nvidia = answer::yes}).nvidia);
  EXPECT_FALSE(decide_gpu_awareness({.nvidia = answer::yes}).amd);
  EXPECT_TRUE(decide_gpu_awareness({.amd = answer::yes}).amd);
  EXPECT_FALSE(decide_gpu_awareness({.amd = answer::yes}).nvidia);
}

TEST(GpuAwareness, is_what_a_variable_turns_on_where_mpi_does_not_say) {
  EXPECT_TRUE(decide_gpu_awareness({.mpich_gpu = "1"}).nvidia);
  EXPECT_TRUE(decide_gpu_awareness({.mpich_gpu = "1"}).amd);
  EXPECT_FALSE(decide_gpu_awareness({.mpich_gpu = "0"}).nvidia);
  EXPECT_TRUE(decide_gpu_awareness({.mvapich_cuda = "1"}).nvidia);
  EXPECT_FALSE(decide_gpu_awareness({.mvapich_cuda = "1"}).amd);
  EXPECT_TRUE(decide_gpu_awareness({.mvapich_rocm = "1"}).amd);
  EXPECT_FALSE(decide_gpu_awareness({.nvidia = answer::no, .mpich_gpu = "1"}).nvidia);
}

TEST(GpuAwareness, is_what_the_user_wishes) {
  EXPECT_TRUE(decide_gpu_awareness({.wish = "on", .nvidia = answer::no}).nvidia);
  EXPECT_TRUE(decide_gpu_awareness({.wish = "1", .amd = answer::no}).amd);
  EXPECT_FALSE(decide_gpu_awareness({.wish = "off", .nvidia = answer::yes}).nvidia);
  EXPECT_TRUE(decide_gpu_awareness({.wish = "off"}).is_understood);
  EXPECT_FALSE(decide_gpu_awareness({.wish = "perhaps"}).is_understood);
  EXPECT_FALSE(decide_gpu_awareness({.wish = "perhaps", .nvidia = answer::yes}).nvidia);
}

TEST(GpuAwareness, is_chosen_by_rank_0) {
  const Communicator all = mpi_test::world();
  const char* const given = std::getenv("HPK_MPI_GPU_AWARE");
  const std::string before = given == nullptr ? "" : given;
  const auto with = [&](const char* on_rank_0) {
    setenv("HPK_MPI_GPU_AWARE", all.rank() == 0 ? on_rank_0 : "perhaps", 1);
    return Communicator(MPI_COMM_WORLD);
  };
  EXPECT_TRUE(with("on").is_gpu_aware(hpk::gpu_vendor::nvidia));
  EXPECT_TRUE(with("on").split(0).is_gpu_aware(hpk::gpu_vendor::amd));
  EXPECT_FALSE(with("off").is_gpu_aware(hpk::gpu_vendor::nvidia));
  EXPECT_FALSE(with("on").is_gpu_aware(hpk::gpu_vendor::none));
  hpk_test::expect_error([&] { with("perhaps"); },
                         {"HPK_MPI_GPU_AWARE", "of rank 0 can't be understood", "on or off"});
  if (given == nullptr) {
    unsetenv("HPK_MPI_GPU_AWARE");
  } else {
    setenv("HPK_MPI_GPU_AWARE", before.c_str(), 1);
  }
}

// MPI transfers the results of a kernel of Emu, although it is declared to accept device memory.
template <class Exec>
class GpuAwarenessOf : public testing::Test {};
TYPED_TEST_SUITE(GpuAwarenessOf, hpk_test::spaces, hpk_test::space_names);
HPK_TYPED_TEST(GpuAwarenessOf, spaces_without_a_vendor_changes_nothing) {
  using namespace mpi_test;
  setenv("HPK_MPI_GPU_AWARE", "on", 1);
  const Communicator all(MPI_COMM_WORLD);
  unsetenv("HPK_MPI_GPU_AWARE");
  const hpk::View<int*, TypeParam> a("a", 100), b("b", 100), c("c", 100);
  number<TypeParam>(a, all.rank());
  hpk::mpi::sendrecv(all, a, next_rank(all), b, previous_rank(all));
  EXPECT_EQ(count_wrong(b, previous_rank(all)), 0);
  if (all.rank() == 0) hpk::deep_copy(c, a);
  hpk::mpi::broadcast(all, c, 0);
  EXPECT_EQ(count_wrong(c, 0), 0);
}

}  // namespace
}  // namespace gpu_awareness_test
