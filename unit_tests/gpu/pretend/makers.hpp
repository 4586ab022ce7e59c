// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects for tests of memory, devices and streams.
#pragma once

#include <gpu/pretend/support.hpp>
#include <support/environment.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hpk_test {

/// Sets an option of the vendor, such as "ASYNC_MALLOC", during its lifetime.
class option {
 public:
  option(const std::string& name, const char* value)
      : variable_((prefix == std::string("hip") ? "HPK_HIP_" : "HPK_CUDA_") + name, value) {
    gpu_machine::stop();
  }
  ~option() { gpu_machine::stop(); }

 private:
  // Discards the option's value after the variable has its old value.
  struct forget {
    ~forget() { gpu_machine::stop(); }
  } forget_;
  variable variable_;
};

template <class Space>
hpk::View<double*, Space> make(std::size_t n = 100) {
  return hpk::View<double*, Space>(hpk::view_alloc("made", hpk::WithoutInitializing), n);
}
inline hpk::View<double*, device_space> make_on(const gpu_space& exec, std::size_t n = 100) {
  return hpk::View<double*, device_space>(hpk::view_alloc("made", exec, hpk::WithoutInitializing),
                                          n);
}

/// A functor that does not fit into the arguments of a kernel.
struct large_functor {
  double values[2000];
  HPK_FUNCTION void operator()(int) const {}
};

/// A recording of a graph on the calling thread.
class recording {
 public:
  recording() : stream_(gpu_runtime::create_stream()), graph_(gpu_runtime::begin_graph(stream_)) {
    gpu_runtime::begin_node(graph_, nullptr, 0);
  }
  ~recording() {
    gpu_runtime::destroy_graph(graph_);
    gpu_runtime::destroy_stream(stream_);
  }
  void finish() {
    gpu_runtime::end_node(graph_);
    gpu_runtime::finish_graph(graph_);
  }
  hpk::gpu::vendor_stream* stream() const { return stream_; }

 private:
  hpk::gpu::vendor_stream* stream_;
  hpk::gpu::vendor_graph* graph_;
};

/// One block of each kind, and with each alignment.
struct some_blocks {
  struct block {
    hpk::gpu::memory_kind kind;
    std::size_t align;
    void* data;
  };
  std::vector<block> all;
  explicit some_blocks(hpk::gpu::vendor_stream* stream = nullptr) {
    for (const std::size_t align : {std::size_t{256}, std::size_t{4096}})
      for (const auto kind : {hpk::gpu::memory_kind::device, hpk::gpu::memory_kind::managed,
                              hpk::gpu::memory_kind::pinned})
        all.push_back({kind, align, gpu_runtime::allocate(kind, stream, 1000, align)});
  }
  void free() const {
    for (const block& b : all) gpu_runtime::deallocate(b.kind, b.data, b.align);
  }
};

}  // namespace hpk_test
