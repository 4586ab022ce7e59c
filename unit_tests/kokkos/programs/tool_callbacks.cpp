// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is its own tool: its callbacks record start and end, kernels, copies, fences and
// memory under the names that tools compare, and it reports work of another library to them.
#include <impl/Kokkos_Profiling_C_Interface.h>
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>
#include <string>

namespace KT = Kokkos::Tools;
namespace KTE = Kokkos::Tools::Experimental;
namespace KP = Kokkos::Profiling;

static_assert(KOKKOSP_INTERFACE_VERSION == 20240906);
static_assert(std::is_same_v<KP::SpaceHandle, Kokkos_Profiling_SpaceHandle>);
static_assert(std::is_same_v<KT::SpaceHandle, KTE::SpaceHandle>);
static_assert(std::is_same_v<KP::KokkosPDeviceInfo, Kokkos_Profiling_KokkosPDeviceInfo>);
static_assert(std::is_same_v<KT::beginFunction, Kokkos_Profiling_beginFunction>);
static_assert(std::is_same_v<KP::allocateDataFunction, KTE::allocateDataFunction>);
static_assert(std::is_same_v<KP::Experimental::EventSet, Kokkos_Profiling_EventSet>);
static_assert(sizeof(Kokkos_Tools_VariableValue) == sizeof(KTE::VariableValue));

// The name without names of spaces, which differ from build to build.
std::string plain(std::string name) {
  if (name == Kokkos::DefaultExecutionSpace::memory_space::name()) return "<memory>";
  const std::string space = Kokkos::DefaultExecutionSpace::name();
  if (const auto at = name.find(space); at != name.npos) name.replace(at, space.size(), "<space>");
  return name;
}

std::uint64_t next_handle = 1;
std::uint64_t open_handle = 0;
template <char Kind>
void begins(const char* name, std::uint32_t, std::uint64_t* handle) {
  std::printf("%c %s\n", Kind, plain(name).c_str());
  *handle = open_handle = next_handle++;
}
void ends(std::uint64_t handle) {
  if (handle != open_handle) std::puts("another handle");
}

Kokkos_Tools_ToolProgrammingInterface callable;

void listen() {
  KTE::set_init_callback([](const int sequence, const std::uint64_t version, const std::uint32_t n,
                            KP::KokkosPDeviceInfo* infos) {
    std::printf("init %d %d %u %d\n", sequence, version == KOKKOSP_INTERFACE_VERSION, n,
                infos == nullptr);
  });
  KTE::set_finalize_callback([] { std::puts("finalize"); });
  KTE::set_request_tool_settings_callback([](std::uint32_t, Kokkos_Tools_ToolSettings* settings) {
    std::printf("fences unless asked not to: %d\n", int(settings->requires_global_fencing));
  });
  KTE::set_provide_tool_programming_interface_callback(
      [](std::uint32_t, KTE::ToolProgrammingInterface given) { callable = given; });
}
void listen_to_work() {
  KTE::set_begin_parallel_for_callback(begins<'F'>);
  KTE::set_end_parallel_for_callback(ends);
  KTE::set_begin_parallel_reduce_callback(begins<'R'>);
  KTE::set_end_parallel_reduce_callback(ends);
  KTE::set_begin_fence_callback(begins<'W'>);
  KTE::set_end_fence_callback(ends);
  KTE::set_allocate_data_callback(
      [](KP::SpaceHandle space, const char* label, const void*, std::uint64_t bytes) {
        std::printf("new %s %s %d\n", plain(space.name).c_str(), label, int(bytes));
      });
  KTE::set_deallocate_data_callback(
      [](KT::SpaceHandle space, const char* label, const void*, std::uint64_t bytes) {
        std::printf("free %s %s %d\n", plain(space.name).c_str(), label, int(bytes));
      });
  KTE::set_begin_deep_copy_callback(
      [](KT::SpaceHandle, const char* to, const void*, KT::SpaceHandle, const char* from,
         const void*,
         std::uint64_t bytes) { std::printf("copy %s <- %s %d\n", to, from, int(bytes)); });
  KTE::set_end_deep_copy_callback([] { std::puts("copied"); });
}

void work() {
  using exec = Kokkos::DefaultExecutionSpace;
  const Kokkos::View<int*> zeros("zeros", 4);
  const Kokkos::View<int**, Kokkos::LayoutLeft> left(
      Kokkos::view_alloc("left", Kokkos::WithoutInitializing), 2, 3);
  const Kokkos::View<int**, Kokkos::LayoutRight> right(
      Kokkos::view_alloc(exec(), "right", Kokkos::WithoutInitializing), 2, 3);
  Kokkos::deep_copy(exec(), left, 5);
  Kokkos::deep_copy(exec(), right, left);
  int sum = 0;
  Kokkos::parallel_reduce(
      "sum", 6, KOKKOS_LAMBDA(int i, int& s) { s += right(i / 3, i % 3); }, sum);
  std::printf("sum %d\n", sum);
  exec().fence();
  exec().fence("my own");
}

// Reports kernels, copies and memory of another library.
void tell_of_other_work() {
  const auto device = KTE::device_id(Kokkos::DefaultExecutionSpace());
  std::uint64_t handle = 0;
  KT::beginParallelFor("outside", device, &handle);
  KP::endParallelFor(handle);
  KP::beginFence("outside fence", device, &handle);
  KT::endFence(handle);
  const auto space = KP::make_space_handle("Pool");
  int place[2] = {};
  KP::allocateData(space, "block", place, sizeof place);
  KT::beginDeepCopy(space, "to", place, space, "from", place + 1, sizeof(int));
  KT::endDeepCopy();
  KP::deallocateData(space, "block", place, sizeof place);
}

int main(int argc, char* argv[]) {
  listen();
  KT::initialize();
  Kokkos::initialize(argc, argv);
  listen_to_work();
  std::printf("heard by someone: %d\n", int(KP::profileLibraryLoaded()));
  work();
  callable.fence(0);
  tell_of_other_work();
  KTE::pause_tools();
  work();
  KTE::resume_tools();
  KTE::set_callbacks({});
  KTE::set_finalize_callback([] { std::puts("finalize"); });
  Kokkos::finalize();
}
