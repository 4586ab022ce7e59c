// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The native_graph of a vendor's machine, used by hpk::Graph: a graph of the vendor's library.
#pragma once

#include <hpk/backends/gpu/vendor.hpp>

#include <cstddef>

namespace hpk::gpu {

/// Models seam::records_graphs for a vendor R; its handle types are Handle and Executable.
template <class R>
class native_graph {
 public:
  /// Starts to record all work submitted to the machine. The graph owns its workspaces: no two
  /// nodes share one, because they may run concurrently.
  template <class Machine>
  explicit native_graph(Machine& recorder) {
    recorder.disable_workspace_reuse();
    graph_ = R::begin_graph(recorder.stream());
  }
  ~native_graph() { R::destroy_graph(graph_); }
  native_graph(const native_graph&) = delete;
  native_graph& operator=(const native_graph&) = delete;

  void begin_node(const std::size_t* before, std::size_t count) {
    R::begin_node(graph_, before, count);
  }
  void add_host_call(void (*call)(void*), void* context) {
    R::add_host_call(graph_, call, context);
  }
  void end_node() { R::end_node(graph_); }
  void finish() { R::finish_graph(graph_); }
  template <class Machine>
  void launch(Machine& on) {
    R::launch_graph(graph_, on.stream());
  }
  /// The vendor's handle of the graph.
  auto handle() const { return static_cast<typename R::graph_type>(R::graph_handle(graph_)); }
  auto executable() const {
    return static_cast<typename R::executable_type>(R::executable_handle(graph_));
  }

 private:
  vendor_graph* graph_;
};

}  // namespace hpk::gpu
