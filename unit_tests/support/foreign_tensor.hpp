// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of DLPack as another library makes them, which count how often they are ended.
#pragma once

#include <hpk/dlpack.hpp>

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace hpk_test {

/// The memory, shape and strides of a tensor, which stays after its end. Tests change `managed`
/// before they pass it on.
template <class Tensor>
struct foreign_tensor {
  /// A tensor of host memory. No strides: null.
  foreign_tensor(void* data, hpk::dlpack::data_type type, std::vector<std::int64_t> extents,
                 std::vector<std::int64_t> given = {})
      : shape(std::move(extents)), strides(std::move(given)) {
    managed.manager_ctx = this;
    managed.deleter = [](Tensor* self) {
      ++static_cast<foreign_tensor*>(self->manager_ctx)->ended;
    };
    managed.dl_tensor = {data,
                         {hpk::dlpack::device_type::cpu, 0},
                         static_cast<std::int32_t>(shape.size()),
                         type,
                         shape.data(),
                         strides.empty() ? nullptr : strides.data(),
                         0};
  }
  foreign_tensor(const foreign_tensor&) = delete;
  foreign_tensor& operator=(const foreign_tensor&) = delete;

  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::atomic<int> ended{0};
  Tensor managed{};
};
using versioned_tensor = foreign_tensor<hpk::dlpack::managed_tensor_versioned>;
using unversioned_tensor = foreign_tensor<hpk::dlpack::managed_tensor>;

}  // namespace hpk_test
