// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/interop.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/dlpack.hpp>

#include <cstddef>
#include <utility>

void receive(hpk::dlpack::managed_tensor_versioned* tensor);
hpk::dlpack::managed_tensor_versioned* send();
std::size_t bytes_of(const hpk::dlpack::description& what);

void views_as_tensors() {
#include "views-as-tensors.block"
}

void tensors_as_views() {
#include "tensors-as-views.block"
}

bool without_types(hpk::dlpack::managed_tensor_versioned* tensor) {
#include "without-types.block"
  return true;
}
