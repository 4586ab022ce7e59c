// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structs of DLPack: the layout is that of DLPack's header, where it is installed.
#include <hpk/interop/tensor.hpp>

#include <gtest/gtest.h>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#define HPK_TEST_HAS_DLPACK 1
#else
#define HPK_TEST_HAS_DLPACK 0
#endif

namespace interop_tensor_test {
namespace {

namespace dlpack = hpk::dlpack;

static_assert(dlpack::versioned_tensor<dlpack::managed_tensor_versioned>);
static_assert(!dlpack::unversioned_tensor<dlpack::managed_tensor_versioned>);
static_assert(dlpack::unversioned_tensor<dlpack::managed_tensor>);
static_assert(!dlpack::unversioned_tensor<dlpack::tensor> && !dlpack::unversioned_tensor<int>);
static_assert(dlpack::has_layout<dlpack::managed_tensor>());
static_assert(dlpack::has_layout<dlpack::managed_tensor_versioned>());

// Structs that look alike but are laid out in another way.
struct other_tensor {
  std::uint64_t byte_offset;
  void* data;
  dlpack::device device;
  std::int32_t ndim;
  dlpack::data_type dtype;
  std::int64_t* shape;
  std::int64_t* strides;
};
struct other_managed {
  other_tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(other_managed*);
};
static_assert(dlpack::unversioned_tensor<other_managed> && !dlpack::has_layout<other_managed>());

TEST(DlpackTensor, begins_as_host_memory_of_no_type) {
  EXPECT_EQ(dlpack::device(), (dlpack::device{dlpack::device_type::cpu, 0}));
  EXPECT_EQ(dlpack::data_type().bits, 0);
  EXPECT_EQ(dlpack::version().major, 1u);
}

#if HPK_TEST_HAS_DLPACK
static_assert(dlpack::unversioned_tensor<::DLManagedTensor>);
static_assert(dlpack::has_layout<::DLManagedTensor>());

// In memory, because the constants have other types.
TEST(DlpackTensor, is_that_of_the_header) {
  using dlpack::device_type;
  using dlpack::type_code;
  EXPECT_EQ(sizeof(::DLTensor), sizeof(dlpack::tensor));
  EXPECT_EQ(offsetof(::DLTensor, data), offsetof(dlpack::tensor, data));
  const std::pair<int, device_type> devices[] = {{kDLCPU, device_type::cpu},
                                                 {kDLCUDA, device_type::nvidia},
                                                 {kDLCUDAHost, device_type::nvidia_pinned},
                                                 {kDLROCM, device_type::amd},
                                                 {kDLROCMHost, device_type::amd_pinned},
                                                 {kDLExtDev, device_type::extension},
                                                 {kDLCUDAManaged, device_type::nvidia_managed}};
  for (const auto& [published, of_hpk] : devices) EXPECT_EQ(published, static_cast<int>(of_hpk));
  const std::pair<int, type_code> codes[] = {
      {kDLInt, type_code::signed_integer}, {kDLUInt, type_code::unsigned_integer},
      {kDLFloat, type_code::floating},     {kDLOpaqueHandle, type_code::opaque},
      {kDLBfloat, type_code::bfloat},      {kDLComplex, type_code::complex}};
  for (const auto& [published, of_hpk] : codes) EXPECT_EQ(published, static_cast<int>(of_hpk));
}
#endif

}  // namespace
}  // namespace interop_tensor_test
