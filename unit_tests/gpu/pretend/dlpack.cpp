// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of DLPack in memory of the vendor's GPUs: other libraries know the memory.
#include <gpu/pretend/makers.hpp>
#include <hpk/dlpack.hpp>

#include <support/foreign_tensor.hpp>

namespace hpk_test::pretend_dlpack_cases {

namespace dlpack = hpk::dlpack;
using dlpack::device_type;
using hpk::NewInstance;
using hpk::View;

using Tensors = Pretend;

constexpr bool is_amd = hpk::gpu_vendor_v<device_space> == hpk::gpu_vendor::amd;
constexpr device_type on_device = is_amd ? device_type::amd : device_type::nvidia;
constexpr device_type pinned = is_amd ? device_type::amd_pinned : device_type::nvidia_pinned;
// DLPack has no number for managed memory of AMD.
constexpr device_type managed = is_amd ? device_type::amd : device_type::nvidia_managed;

template <class Space>
dlpack::device device_of_tensor(const View<double*, Space>& view) {
  auto* const tensor = hpk::to_dlpack(view);
  const dlpack::device found = tensor->dl_tensor.device;
  tensor->deleter(tensor);
  return found;
}

TEST_F(Tensors, tell_the_kind_of_memory_and_the_device) {
  uses_devices(1);
  EXPECT_EQ(device_of_tensor(make<device_space>()), (dlpack::device{on_device, 0}));
  EXPECT_EQ(device_of_tensor(make_on(gpu_space(NewInstance{.device = 16}))),
            (dlpack::device{on_device, 16}));
  EXPECT_EQ(device_of_tensor(make<managed_space>()), (dlpack::device{managed, 0}));
  EXPECT_EQ(device_of_tensor(make<pinned_space>()), (dlpack::device{pinned, 0}));
}

TEST_F(Tensors, become_views_where_the_memory_can_be_reached) {
  using dlpack::accepts;
  const int any = 0;
  const auto is_accepted = [&]<class Space>(Space, device_type type) {
    return accepts<Space>({type, 0}, &any);
  };
  EXPECT_TRUE(is_accepted(device_space(), on_device));
  EXPECT_TRUE(is_accepted(device_space(), managed));
  EXPECT_FALSE(is_accepted(device_space(), pinned));
  EXPECT_FALSE(is_accepted(device_space(), device_type::cpu));
  EXPECT_TRUE(is_accepted(managed_space(), managed));
  EXPECT_EQ(is_accepted(managed_space(), on_device), is_amd);
  EXPECT_TRUE(is_accepted(pinned_space(), pinned));
  EXPECT_FALSE(is_accepted(pinned_space(), device_type::cpu));
  EXPECT_TRUE(is_accepted(hpk::HostSpace(), pinned));
  EXPECT_FALSE(is_accepted(hpk::HostSpace(), on_device));
  EXPECT_TRUE(is_accepted(hpk::AnonymousSpace(), on_device));
  EXPECT_TRUE(is_accepted(hpk::AnonymousSpace(), managed));
  EXPECT_TRUE(is_accepted(hpk::AnonymousSpace(), pinned));
  const device_type other = is_amd ? device_type::nvidia : device_type::amd;
  EXPECT_FALSE(is_accepted(device_space(), other));
}

// The sender may reuse the memory when the deleter returns. Kernels of the vendor do not hold their
// Views.
TEST_F(Tensors, end_when_no_work_uses_them) {
  const auto memory = make<device_space>();
  *memory.data() = 1;
  static double seen = 0;
  seen = -1;
  versioned_tensor tensor(memory.data(), dlpack::type_of<double>(), {100});
  tensor.managed.dl_tensor.device = {on_device, 0};
  tensor.managed.deleter = [](dlpack::managed_tensor_versioned* self) {
    seen = *static_cast<double*>(self->dl_tensor.data);
  };
  const gpu_space exec;
  auto view = hpk::from_dlpack<View<double*, device_space>>(&tensor.managed, "received");
  pretend::hold();
  exec.instance().fill(view.data(), 0, sizeof(double));
  EXPECT_EQ(*memory.data(), 1);
  view = {};
  EXPECT_EQ(*memory.data(), 0);
  EXPECT_EQ(seen, 0);
}

}  // namespace hpk_test::pretend_dlpack_cases
