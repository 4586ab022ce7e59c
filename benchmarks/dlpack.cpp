// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A View of rank 2 sent as a tensor of DLPack and received as a View, compared with the same by
// hand: a tensor that shares a std::shared_ptr, and a struct that owns the tensor. The received
// View also has a label, and its type, shape, strides and memory are checked on the way.
#include "pair.hpp"
#include "topics.hpp"

#include <hpk/dlpack.hpp>

#include <memory>

namespace bench {

namespace {

using hpk::dlpack::managed_tensor_versioned;
using matrix = hpk::View<double**, hpk::LayoutRight, hpk::HostSpace>;

struct sent {
  managed_tensor_versioned tensor{};
  std::shared_ptr<double[]> owner;
  std::int64_t extents[2];
  std::int64_t strides[2];
};

managed_tensor_versioned* send(const std::shared_ptr<double[]>& owner, index_t n) {
  auto* const made = new sent{{}, owner, {n, n}, {n, 1}};
  made->tensor.manager_ctx = made;
  made->tensor.deleter = [](managed_tensor_versioned* self) {
    delete static_cast<sent*>(self->manager_ctx);
  };
  made->tensor.dl_tensor = {owner.get(),   {}, 2, hpk::dlpack::type_of<double>(), made->extents,
                            made->strides, 0};
  return &made->tensor;
}

struct received {
  explicit received(managed_tensor_versioned* from)
      : owner(from, from->deleter),
        data(static_cast<double*>(from->dl_tensor.data)),
        extents{from->dl_tensor.shape[0], from->dl_tensor.shape[1]},
        stride(from->dl_tensor.strides[0]) {}
  std::shared_ptr<managed_tensor_versioned> owner;
  double* data;
  index_t extents[2];
  index_t stride;
};

void compare(comparison& pair, index_t n) {
  const matrix view("sent", n, n);
  view(n - 1, n - 1) = 3;
  const std::shared_ptr<double[]> memory(new double[static_cast<std::size_t>(n * n)]());
  memory[static_cast<std::size_t>(n * n - 1)] = 3;
  const auto hpk = [=] {
    const auto back = hpk::from_dlpack<matrix>(hpk::to_dlpack(view), "received");
    keep(back);
    return back(n - 1, n - 1);
  };
  const auto hand = [=] {
    const received back(send(memory, n));
    keep(back);
    return back.data[(n - 1) * back.stride + n - 1];
  };
  pair.agree(hpk() == hand());
  pair.time(hpk, hand);
}

}  // namespace

void add_dlpack() {
  add("dlpack", "Serial", "there and back", 100, [](comparison& pair) { compare(pair, 100); });
}

}  // namespace bench
