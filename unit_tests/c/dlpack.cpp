// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/dlpack.hpp>

#include <c/support.hpp>

#include <numeric>

using namespace c_test;
using hpk::dlpack::managed_tensor;
using hpk::dlpack::managed_tensor_versioned;

namespace {

template <class Tensor>
Tensor* export_tensor(const view& x) {
  void* tensor = nullptr;
  EXPECT_EQ(hpk_view_to_dlpack(x, std::is_same_v<Tensor, managed_tensor_versioned>, &tensor),
            HPK_OK)
      << hpk_last_error();
  return static_cast<Tensor*>(tensor);
}
int deleted = 0;

}  // namespace

TEST(CDlpack, goes_there_and_back_in_every_space) {
  for (const std::string& space : spaces()) {
    for (const int versioned : {0, 1}) {
      view x = make(HPK_TYPE_FLOAT32, {3, 4}, space.c_str(), "x", HPK_LAYOUT_LEFT);
      std::vector<float> values(12);
      std::iota(values.begin(), values.end(), 1.0F);
      write(x, values);
      void* const data = x.info().data;
      void* tensor = nullptr;
      ASSERT_EQ(hpk_view_to_dlpack(x, versioned, &tensor), HPK_OK) << hpk_last_error();
      std::int32_t type = 0;
      std::int32_t index = -1;
      EXPECT_EQ(hpk_view_dlpack_device(x, &type, &index), HPK_OK);
      EXPECT_EQ(index, 0);
      EXPECT_EQ(type == 1, hpk_is_host_accessible(x.info().space) == 1);
      x = view();
      view y;
      ASSERT_EQ(hpk_view_from_dlpack(tensor, versioned, "y", y.out()), HPK_OK) << hpk_last_error();
      EXPECT_EQ(y.info().data, data);
      EXPECT_EQ(y.info().layout, HPK_LAYOUT_LEFT);
      EXPECT_STREQ(y.info().label, "y");
      EXPECT_STREQ(y.info().space, hpk_memory_space(space.c_str()));
      EXPECT_EQ(read<float>(y), values);
    }
  }
}

TEST(CDlpack, keeps_the_memory_space) {
  for (const char* space : {"Host", "Emu", "EmuManaged", "EmuHostPinned"}) {
    if (hpk_is_host_accessible(space) < 0) continue;  // a build without Emu
    view x = make(HPK_TYPE_FLOAT32, {3}, space);
    view y;
    ASSERT_EQ(hpk_view_from_dlpack(export_tensor<managed_tensor>(x), 0, "y", y.out()), HPK_OK)
        << hpk_last_error();
    EXPECT_STREQ(y.info().space, space);
  }
}

TEST(CDlpack, has_every_element_type_and_no_elements) {
  for (int t = HPK_TYPE_BOOL; t <= HPK_TYPE_COMPLEX128; ++t) {
    for (const std::int64_t n : {0, 5}) {
      view x = make(static_cast<hpk_type>(t), {n});
      view y;
      ASSERT_EQ(hpk_view_from_dlpack(export_tensor<managed_tensor>(x), 0, nullptr, y.out()), HPK_OK)
          << hpk_last_error();
      EXPECT_EQ(y.info().type, t);
      EXPECT_EQ(y.info().size, n);
    }
  }
}

TEST(CDlpack, ends_a_foreign_tensor_once) {
  double data[6] = {0, 1, 2, 3, 4, 5};
  std::int64_t extents[] = {2, 3};
  deleted = 0;
  managed_tensor_versioned tensor{};
  tensor.version = {1, 0};
  tensor.flags = hpk::dlpack::read_only;
  tensor.deleter = [](managed_tensor_versioned*) { ++deleted; };
  tensor.dl_tensor = {data, {}, 2, hpk::dlpack::type_of<double>(), extents, nullptr, 0};
  {
    view x;
    ASSERT_EQ(hpk_view_from_dlpack(&tensor, 1, "x", x.out()), HPK_OK) << hpk_last_error();
    EXPECT_EQ(x.info().read_only, 1);
    EXPECT_EQ(read<double>(x), (std::vector<double>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(deleted, 0);
    expect_error(hpk_view_fill(x, nullptr, nullptr), HPK_INVALID_ARGUMENT, "value is null");
    const hpk_scalar zero{HPK_TYPE_INT64, 0, 0, 0, 0};
    expect_error(hpk_view_fill(x, &zero, nullptr), HPK_TYPE_MISMATCH, "the elements are const");
    void* unversioned = nullptr;
    EXPECT_EQ(hpk_view_to_dlpack(x, 0, &unversioned), HPK_ERROR);
  }
  EXPECT_EQ(deleted, 1);
  // A tensor that is no view stays the caller's.
  view x;
  tensor.dl_tensor.device = {hpk::dlpack::device_type::one_api, 0};
  expect_error(
      hpk_view_from_dlpack(&tensor, 1, "x", x.out()), HPK_TYPE_MISMATCH,
      "hpk_view_from_dlpack \"x\": no memory space of this hpk is on the device of type 14");
  tensor.dl_tensor.device = {};
  tensor.dl_tensor.dtype = {hpk::dlpack::type_code::floating, 128, 1};
  expect_error(hpk_view_from_dlpack(&tensor, 1, "x", x.out()), HPK_TYPE_MISMATCH, "128 bits");
  tensor.dl_tensor.device = {hpk::dlpack::device_type::extension, 0};
  tensor.dl_tensor.dtype = hpk::dlpack::type_of<double>();
  expect_error(hpk_view_from_dlpack(&tensor, 1, "x", x.out()), HPK_TYPE_MISMATCH, "is not hpk's");
  EXPECT_EQ(deleted, 1);
  expect_error(hpk_view_from_dlpack(nullptr, 1, "x", x.out()), HPK_INVALID_ARGUMENT,
               "tensor is null");
}
