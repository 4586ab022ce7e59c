// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that a View can't be: an error says why and what to write, and the tensor still belongs
// to the caller.
#include <hpk/dlpack.hpp>

#include <support/elements.hpp>
#include <support/foreign_tensor.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace interop_dlpack_errors_test {
namespace {

namespace dlpack = hpk::dlpack;
using dlpack::device_type;
using hpk::from_dlpack;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::View;
using hpk_test::versioned_tensor;

alignas(64) double memory[64];
constexpr dlpack::data_type float64 = dlpack::type_of<double>();
using row_major = View<double**, LayoutRight, HostSpace>;

// The error of a tensor as V. The tensor is not ended.
template <class V, class Tensor>
std::string error_as(Tensor& tensor) {
  const std::string found = hpk_test::error_of([&] { from_dlpack<V>(&tensor.managed, "wrong"); });
  EXPECT_TRUE(hpk_test::contains(found, "hpk::from_dlpack \"wrong\": "));
  EXPECT_EQ(tensor.ended, 0);
  return found.substr(found.find(": ") + 2);
}

TEST(DlpackError, names_both_types) {
  versioned_tensor tensor(memory, float64, {2, 3});
  EXPECT_EQ((error_as<View<float**, LayoutRight, HostSpace>>(tensor)),
            "the elements of the tensor are of float64, those of the View of float32; write a View "
            "of that type, or convert the tensor first");
  tensor.managed.dl_tensor.dtype = {static_cast<dlpack::type_code>(9), 8, 1};
  EXPECT_TRUE(hpk_test::contains((error_as<View<bool**, HostSpace>>(tensor)),
                                 "are of type 9 of 8, those of the View of bool"));
  tensor.managed.dl_tensor.dtype = {dlpack::type_code::bfloat, 16, 1};
  EXPECT_TRUE(hpk_test::contains((error_as<View<hpk::complex<float>**, HostSpace>>(tensor)),
                                 "are of bfloat16, those of the View of complex64"));
}

TEST(DlpackError, of_vectors_as_elements) {
  versioned_tensor tensor(memory, {dlpack::type_code::floating, 32, 4}, {2, 3});
  EXPECT_TRUE(hpk_test::contains((error_as<row_major>(tensor)),
                                 "the elements of the tensor are of float32x4; elements of a View "
                                 "are single numbers"));
  tensor.managed.dl_tensor.dtype = {dlpack::type_code::signed_integer, 4, 1};
  EXPECT_TRUE(hpk_test::contains((error_as<row_major>(tensor)), "are of int4;"));
}

TEST(DlpackError, of_rank_and_extents) {
  versioned_tensor tensor(memory, float64, {2, 3});
  EXPECT_EQ((error_as<View<double*, HostSpace>>(tensor)),
            "the tensor has rank 2 and extents [2, 3], the View has rank 1");
  EXPECT_EQ((error_as<View<double* [4], HostSpace>>(tensor)),
            "the tensor has extents [2, 3], and the type of the View fixes that of dimension 1 to "
            "4; write * in place of [4]");
  versioned_tensor nine(memory, float64, {1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_TRUE(hpk_test::contains((error_as<row_major>(nine)),
                                 "the tensor has 9 dimensions; a View has at most 8"));
  tensor.managed.dl_tensor.shape[1] = -3;
  EXPECT_EQ((error_as<row_major>(tensor)), "the tensor has extents [2, -3]: an extent is negative");
  tensor.managed.dl_tensor.shape = nullptr;
  EXPECT_EQ((error_as<row_major>(tensor)), "the tensor has dimensions but no extents");
  tensor.managed.dl_tensor.ndim = -1;
  EXPECT_TRUE(hpk_test::contains((error_as<row_major>(tensor)), "has -1 dimensions"));
}

TEST(DlpackError, of_strides_names_the_layout_that_has_them) {
  versioned_tensor columns(memory, float64, {2, 3}, {1, 2});
  EXPECT_EQ((error_as<row_major>(columns)),
            "the tensor has extents [2, 3] and strides [1, 2], which the View of LayoutRight can't "
            "have: its strides do not fit the destination's layout; write a View of LayoutLeft");
  versioned_tensor rows(memory, float64, {2, 3});
  EXPECT_TRUE(hpk_test::contains((error_as<View<double**, LayoutLeft, HostSpace>>(rows)),
                                 "; write a View of LayoutRight"));
  versioned_tensor steps(memory, float64, {2, 3}, {12, 2});
  EXPECT_TRUE(hpk_test::contains((error_as<row_major>(steps)), "; write a View of LayoutStride"));
  versioned_tensor alternate(memory, float64, {3}, {2});
  EXPECT_TRUE(hpk_test::contains((error_as<View<double*, HostSpace>>(alternate)),
                                 "; write a View of LayoutStride"));
  versioned_tensor backwards(memory + 5, float64, {2, 3}, {3, -1});
  EXPECT_EQ((error_as<View<double**, hpk::LayoutStride, HostSpace>>(backwards)),
            "the tensor has extents [2, 3] and strides [3, -1]: a View has no negative strides; "
            "copy the tensor to a contiguous one first");
}

TEST(DlpackError, of_more_bytes_than_can_be_counted) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  using wide = View<double**, hpk::LayoutStride, HostSpace>;
  versioned_tensor many(memory, float64, {most / 4, 2});
  EXPECT_TRUE(hpk_test::contains((error_as<wide>(many)), "bytes does not fit in 64 bits"));
  versioned_tensor product(memory, float64, {most, most});
  EXPECT_TRUE(hpk_test::contains((error_as<wide>(product)), "bytes does not fit in 64 bits"));
  versioned_tensor far(memory, float64, {2, 2}, {most / 8, 1});
  EXPECT_TRUE(hpk_test::contains((error_as<wide>(far)), "bytes does not fit in 64 bits"));
  // An extent of 0 does not hide the others.
  versioned_tensor none(memory, float64, {0, most, most});
  EXPECT_TRUE(hpk_test::contains((error_as<View<double***, HostSpace>>(none)), "64 bits"));
  using narrow = View<double, hpk::dextents<int, 1>, HostSpace>;
  versioned_tensor long_one(memory, float64, {std::int64_t{1} << 31});
  EXPECT_TRUE(hpk_test::contains((error_as<narrow>(long_one)), "index type can count"));
}

TEST(DlpackError, of_elements_that_may_not_be_written) {
  versioned_tensor tensor(memory, float64, {2, 3});
  tensor.managed.flags = dlpack::read_only;
  EXPECT_EQ((error_as<row_major>(tensor)),
            "the elements of the tensor are read-only; write a View of const elements");
  from_dlpack<View<const double**, LayoutRight, HostSpace>>(&tensor.managed);
  EXPECT_EQ(tensor.ended, 1);
}

TEST(DlpackError, of_memory_elsewhere) {
  versioned_tensor tensor(memory, float64, {2, 3});
  tensor.managed.dl_tensor.device = {device_type::nvidia, 2};
  const std::string message = error_as<row_major>(tensor);
  EXPECT_TRUE(hpk_test::contains(message, "is of device kDLCUDA 2 (2), which is not HostSpace"));
  EXPECT_TRUE(hpk_test::contains(message, "; write a View of the memory space of the device"));
  tensor.managed.dl_tensor.device = {static_cast<device_type>(99), 0};
  EXPECT_TRUE(hpk_test::contains((error_as<row_major>(tensor)), "another device type 0 (99)"));
  EXPECT_NE((error_as<View<double**, LayoutRight, hpk::AnonymousSpace>>(tensor)), "");
}

// Only hpk knows the memory of these spaces.
template <class Device>
class DlpackErrorOf : public testing::Test {};
TYPED_TEST_SUITE(DlpackErrorOf, hpk_test::devices, hpk_test::device_names);

HPK_TYPED_TEST(DlpackErrorOf, memory_that_hpk_did_not_allocate) {
  using mem = typename TypeParam::memory_space;
  constexpr device_type type = dlpack::type_of_memory<mem>();
  if constexpr (!std::is_same_v<mem, HostSpace> &&
                (type == device_type::cpu || type == device_type::extension)) {
    versioned_tensor tensor(memory, float64, {4});
    tensor.managed.dl_tensor.device.type = type;
    EXPECT_TRUE(hpk_test::contains((error_as<View<double*, TypeParam>>(tensor)),
                                   "or not memory that hpk allocated there"));
  } else {
    // Memory of libraries that other libraries know.
    versioned_tensor tensor(nullptr, float64, {0});
    tensor.managed.dl_tensor.device.type = type;
    EXPECT_EQ((from_dlpack<View<double*, TypeParam>>(&tensor.managed).size()), 0u);
  }
}

TEST(DlpackError, of_alignment) {
  versioned_tensor tensor(memory, float64, {3});
  tensor.managed.dl_tensor.byte_offset = 4;
  EXPECT_TRUE(hpk_test::contains((error_as<View<double*, HostSpace>>(tensor)),
                                 "is not aligned to 8 bytes"));
  tensor.managed.dl_tensor.byte_offset = 8;
  using aligned = View<double*, HostSpace, hpk::MemoryTraits<hpk::Aligned>>;
  EXPECT_TRUE(hpk_test::contains((error_as<aligned>(tensor)), "is not aligned to 64 bytes"));
}

TEST(DlpackError, of_tensors_that_are_not_there) {
  const auto error_of_null = [](auto* null) {
    return hpk_test::error_of([&] { from_dlpack<View<int*, HostSpace>>(null); });
  };
  const std::string expected = "hpk::from_dlpack \"tensor\": the tensor is a null pointer";
  EXPECT_EQ(error_of_null(static_cast<dlpack::managed_tensor*>(nullptr)), expected);
  EXPECT_EQ(error_of_null(static_cast<dlpack::managed_tensor_versioned*>(nullptr)), expected);
  versioned_tensor tensor(nullptr, float64, {2, 3});
  EXPECT_EQ(error_as<row_major>(tensor), "the tensor has elements but no memory");
}

TEST(DlpackError, of_another_version) {
  versioned_tensor tensor(memory, float64, {2, 3});
  tensor.managed.version = {2, 1};
  // Only the version and the deleter are where they were.
  tensor.managed.dl_tensor.shape = reinterpret_cast<std::int64_t*>(std::uintptr_t{8});
  EXPECT_EQ((error_as<row_major>(tensor)),
            "the tensor is of version 2.1 of DLPack, and hpk reads versions 1.x; ask its library "
            "for an older version");
  versioned_tensor later(memory, float64, {2, 3});
  later.managed.version = {1, 99};
  EXPECT_EQ((from_dlpack<row_major>(&later.managed).extent(1)), 3u);
}

TEST(DlpackError, inside_a_kernel) {
  const View<int*, HostSpace> view("view", 3);
  const std::string message = hpk_test::error_of([&] {
    hpk::parallel_for(hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, 1),
                      [=](int) { static_cast<void>(hpk::to_dlpack(view)); });
    hpk::fence();
  });
  EXPECT_TRUE(hpk_test::contains(message, "hpk::to_dlpack"));
}

}  // namespace
}  // namespace interop_dlpack_errors_test
